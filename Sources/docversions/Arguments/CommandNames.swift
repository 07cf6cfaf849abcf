/// The command that a mistyped name probably means.
enum CommandNames {
  /// The names that other programs give to the same commands.
  private static let otherNames = [
    "add": "save", "commit": "save", "history": "log", "versions": "log", "list": "log",
    "ls": "status", "cat": "show", "compare": "diff", "checkout": "restore", "revert": "restore",
    "reset": "restore", "mv": "rename", "move": "rename", "rm": "delete",
    "push": "sync", "pull": "sync", "fetch": "sync", "gc": "collect",
    "prune": "thin", "forget": "thin", "fsck": "verify", "check": "verify", "repair": "doctor",
    "import": "import-copies", "demo": "tour",
  ]

  /// Returns the command that was probably meant; `nil` if none is similar.
  static func nearest(to typed: String, among names: [String]) -> String? {
    let typed = typed.lowercased()
    if let name = otherNames[typed] { return name }
    if typed.count > 1, let name = names.first(where: { $0.hasPrefix(typed) }) { return name }
    let distances = names.map { (name: $0, distance: distance(from: typed, to: $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= min(2, best.name.count / 2)
    else { return nil }
    return best.name
  }

  /// Returns the number of letters to add, leave out, replace, or swap with the next.
  private static func distance(from typed: String, to name: String) -> Int {
    // Text beyond the length of any command needn't be compared.
    let (typed, name) = (Array(typed.prefix(30)), Array(name))
    var rows = [Array(0...name.count)]
    for (line, letter) in typed.enumerated() {
      var row = [line + 1]
      for (place, other) in name.enumerated() {
        let isSame = letter == other
        var least = min(rows[line][place] + (isSame ? 0 : 1), rows[line][place + 1] + 1)
        least = min(least, row[place] + 1)
        if line > 0, place > 0, letter == name[place - 1], typed[line - 1] == other {
          least = min(least, rows[line - 1][place - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[typed.count][name.count]
  }
}
