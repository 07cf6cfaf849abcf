/// What somebody may have meant who typed a command that there is not.
enum CommandNames {
  /// What other programs call what the commands do.
  private static let otherNames = [
    "add": "save", "commit": "save", "history": "log", "versions": "log", "list": "log",
    "ls": "status", "cat": "show", "compare": "diff", "checkout": "restore", "revert": "restore",
    "reset": "restore", "mv": "rename", "move": "rename", "rm": "delete", "sync": "exchange",
    "push": "exchange", "pull": "exchange", "fetch": "exchange", "gc": "collect",
    "prune": "thin", "forget": "thin", "fsck": "verify", "check": "verify", "repair": "doctor",
    "import": "import-copies", "demo": "tour",
  ]

  /// The command that was probably meant; nil where none comes near.
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

  /// How many letters are to be added, left out or replaced.
  private static func distance(from typed: String, to name: String) -> Int {
    let letters = Array(name)
    // Of what is much longer than any command nothing more need be known.
    let typed = typed.prefix(30)
    var row = Array(0...letters.count)
    for (index, letter) in typed.enumerated() {
      var former = row[0]
      row[0] = index + 1
      for (place, other) in letters.enumerated() {
        let replaced = former + (letter == other ? 0 : 1)
        former = row[place + 1]
        row[place + 1] = min(replaced, row[place] + 1, former + 1)
      }
    }
    return row[letters.count]
  }
}
