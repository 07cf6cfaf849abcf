internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

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
    // By signs: with an accent behind it, a colon is another character. A time in braces has colons of its own.
    let signs = argument.unicodeScalars
    let isTime = argument.hasPrefix("@{")
    let start = isTime ? signs.firstIndex(of: "}") ?? signs.endIndex : signs.startIndex
    let colon = signs[start...].firstIndex(of: ":")
    let name = String(signs[..<(colon ?? signs.endIndex)])
    let path = colon.map { String(signs[signs.index(after: $0)...]) }
    selector = name.isEmpty ? "current" : name
    member = path?.isEmpty == true ? nil : path
  }

  /// The version of a document that is meant.
  func version(of document: DocumentArgument, in store: VersionStore) throws -> FileVersion {
    do {
      return try store.version(VersionSelector(selector), of: document.url)
    } catch let error as VersionError where error.code == .noSuchVersion && isTime {
      throw tooEarly(error, for: try store.history(of: document.url), store)
    }
  }

  /// The same in a history that is at hand.
  func version(in history: DocumentHistory, for store: VersionStore) throws -> FileVersion {
    do {
      return try VersionSelector(selector).version(in: history, now: store.clock())
    } catch let error as VersionError where error.code == .noSuchVersion && isTime {
      throw tooEarly(error, for: history, store)
    }
  }

  private var isTime: Bool { selector.hasPrefix("@{") }

  /// Tells when the first version was saved: listings tell when contents were modified, which may be long before.
  private func tooEarly(
    _ error: VersionError, for history: DocumentHistory, _ store: VersionStore
  ) -> VersionError {
    guard let first = history.versions.map(\.savingDate).min() else { return error }
    let time = Moment(now: store.clock()).text(first)
    return VersionError(
      error.code, document: error.document,
      message: """
        “\(error.document)” had no version then: the first one here was saved \(time).
        """)
  }
}

extension [VersionArgument] {
  /// The versions that are meant, each once.
  func versions(in history: DocumentHistory, for store: VersionStore) throws -> [FileVersion] {
    var found: [FileVersion] = []
    for argument in self {
      let version = try argument.version(in: history, for: store)
      if !found.contains(version) { found.append(version) }
    }
    return found
  }
}
