internal import ArgumentParser
internal import DocumentVersions

/// `[VERSION][:MEMBER]` as the person typed it.
struct VersionArgument: ExpressibleByArgument {
  /// What names the version; the current one where nothing was typed.
  let selector: String
  /// A member of a package.
  let member: String?

  /// The document's current version.
  static let current = VersionArgument(selector: "current", member: nil)

  private init(selector: String, member: String?) {
    self.selector = selector
    self.member = member
  }

  init?(argument: String) {
    // What a script has not set names nothing.
    guard !argument.isEmpty else { return nil }
    // A time in braces has colons of its own.
    let time = argument.hasPrefix("@{") ? argument.prefix { $0 != "}" } : ""
    let rest = argument.dropFirst(time.count)
    let colon = rest.firstIndex(of: ":")
    let name = String(time + rest[..<(colon ?? rest.endIndex)])
    let path = colon.map { String(rest[rest.index(after: $0)...]) }
    selector = name.isEmpty ? "current" : name
    member = path?.isEmpty == true ? nil : path
  }

  /// The version of a document that is meant.
  func version(of document: DocumentArgument, in store: VersionStore) throws -> FileVersion {
    try store.version(VersionSelector(selector), of: document.url)
  }

  /// The same in a history that is at hand.
  func version(in history: DocumentHistory, for store: VersionStore) throws -> FileVersion {
    try VersionSelector(selector).version(in: history, now: store.clock())
  }
}
