internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// `[VERSION][:MEMBER]` as the user typed it.
struct VersionArgument: ExpressibleByArgument {
  /// The text that names the version; by default the current one.
  let selector: String
  /// A member of a package.
  let member: String?

  /// The document's current version.
  static let current = VersionArgument(selector: "current", member: nil)

  private init(selector: String, member: String?) {
    self.selector = selector
    self.member = member
  }

  /// Offers the versions of the document that precedes it on the command line.
  static var defaultCompletionKind: CompletionKind {
    .custom { words, _, _ in VersionCompletion.names(after: words) }
  }

  init?(argument: String) {
    // An empty argument, as from an unset variable of a script, names nothing.
    guard !argument.isEmpty else { return nil }
    // This goes by Unicode scalars, because a colon with an accent is a different character. A time in braces
    // contains colons.
    let signs = argument.unicodeScalars
    let isTime = argument.hasPrefix("@{")
    let start = isTime ? signs.firstIndex(of: "}") ?? signs.endIndex : signs.startIndex
    let colon = signs[start...].firstIndex(of: ":")
    let name = String(signs[..<(colon ?? signs.endIndex)])
    let path = colon.map { String(signs[signs.index(after: $0)...]) }
    selector = name.isEmpty ? "current" : name
    member = path?.isEmpty == true ? nil : path
  }
}
