/// A declaration at the beginning of a line.
struct Declaration: Hashable {
  /// Words before the keyword, such as `public` and `static`.
  var modifiers: [String]
  /// The keyword, such as `struct` or `func`.
  var keyword: String
  /// The text after the keyword on the line.
  var rest: Substring

  static let types: Set<String> = ["struct", "class", "enum", "protocol", "actor", "extension"]

  private static let members: Set<String> = [
    "func", "var", "let", "init", "subscript", "typealias", "associatedtype", "case",
  ]
  private static let modifierWords: Set<String> = [
    "public", "package", "internal", "private", "fileprivate", "open", "final", "indirect",
    "nonisolated", "static", "class", "mutating", "nonmutating", "override", "convenience",
    "required", "lazy", "weak", "unowned", "borrowing", "consuming", "isolated", "dynamic",
  ]

  /// Reads a line without blanks at its ends; nil if it doesn't begin with a declaration.
  init?(_ line: Substring) {
    modifiers = []
    var rest = line
    while true {
      rest = rest.drop { $0 == " " }
      let word = rest.prefix { $0.isLetter || $0 == "_" || $0 == "@" || $0.isNumber }
      guard !word.isEmpty else { return nil }
      let behind = rest.dropFirst(word.count)
      let name = String(word)
      let isModifier =
        Self.modifierWords.contains(name) && !(name == "class" && Self.isName(behind))
      if word.first == "@" || isModifier {
        if word.first != "@" { modifiers.append(name) }
        rest = behind
        if rest.first == "(" {
          let argument = rest.prefix { $0 != ")" }
          if word.first != "@" { modifiers[modifiers.count - 1] += argument + ")" }
          rest = rest.dropFirst(argument.count + 1)
        }
      } else if Self.types.contains(name) || Self.members.contains(name) {
        keyword = name
        self.rest = behind
        return
      } else {
        return nil
      }
    }
  }

  /// Returns whether the name of a class follows `class`, rather than another keyword.
  private static func isName(_ rest: Substring) -> Bool {
    guard rest.first == " " else { return false }
    let word = String(rest.drop { $0 == " " }.prefix { $0.isLetter || $0 == "_" })
    return !members.contains(word) && !modifierWords.contains(word)
  }

  /// The name of a type, with those of the types around it.
  var name: String {
    String(
      rest.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
  }

  var isType: Bool { Self.types.contains(keyword) }

  var isPublic: Bool { modifiers.contains { $0 == "public" || $0 == "open" } }

  /// True if the declaration names an access level below public.
  var isHidden: Bool {
    modifiers.contains { ["package", "internal", "private", "fileprivate"].contains($0) }
  }
}
