internal import DocumentVersions
internal import Foundation

/// The names of versions that a shell offers while a command is typed.
enum VersionCompletion {
  /// The maximum number of versions to offer, the newest ones.
  private static let most = 50

  /// - Parameter words: the command line so far.
  /// - Returns: nothing if no document with versions is named.
  static func names(after words: [String]) -> [String] {
    for word in words.dropFirst() where !word.hasPrefix("-") {
      guard let file = DocumentArgument(argument: word),
        !file.isFolder || word.utf8.contains(UInt8(ascii: "."))
      else {
        continue
      }
      // A word that isn't a document, such as the command, is skipped.
      do {
        let store = try Settings.fromEnvironment().store()
        let history = try store.history(of: file.url, newest: most)
        let conflicts = history.unresolvedConflicts.indices.map { "conflict/\($0 + 1)" }
        return ["current"] + conflicts + history.versions.map(\.id.short)
      } catch { continue }
    }
    return []
  }
}
