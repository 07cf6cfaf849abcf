internal import Foundation

/// Phrases that several commands use.
enum Wording {
  /// "1 version", "4 versions".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// "812 bytes", "1.2 kB".
  static func size(_ bytes: Int) -> String {
    guard bytes >= 1_000 else { return count(bytes, "byte") }
    var size = Double(bytes) / 1_000
    var units = ["kB", "MB", "GB", "TB"][...]
    while size >= 999.95, units.count > 1 {
      size /= 1_000
      units.removeFirst()
    }
    return decimal(size) + " " + (units.first ?? "")
  }

  /// Returns "1.2", or "1" for a whole number, for nonnegative numbers with few digits.
  ///
  /// The formatter for C's numbers takes longer to start than a save.
  static func decimal(_ number: Double, isWhole: Bool = false) -> String {
    let digits = Int(exactly: (isWhole ? number : number * 10).rounded(.toNearestOrEven)) ?? .max
    return isWhole ? "\(digits)" : "\(digits / 10).\(digits % 10)"
  }

  /// Returns "a", "a and b" or "a, b and c", or the same with another word than "and".
  static func list(_ items: [String], _ word: String = "and") -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
