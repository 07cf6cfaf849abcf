internal import DocumentFiles
internal import Synchronization
internal import SystemPackage

/// What is known of the stores of containers while many documents are saved: each folder is listed once, and not once for
/// each document.
///
/// What other processes do meanwhile is as if they did it a moment later.
package final class ContainerListings: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The names of documents with stores, by folders, and in each folder by their small letters.
    var names: [FilePath: [String: Set<String>]] = [:]
    /// The documents that are missing although they have stores, by containers.
    var missing: [FilePath: [MissingDocument]] = [:]
    /// The paths of these, and the contents that they had.
    var missingContents: [FilePath: [(path: String, content: DocumentContent)]] = [:]
    /// The folders of stores from which temporary ones were removed.
    var tidied: Set<FilePath> = []
  }

  package init() {}

  /// The names of documents with stores in a folder that are spelled like one, but for the case of their letters.
  ///
  /// - Parameter all: lists all of them.
  func names(
    like name: String, in folder: FilePath, listing all: () throws -> [String]
  ) throws -> [String] {
    if let known = state.withLock({ $0.names[folder] }) {
      return (known[name.lowercased()] ?? []).sorted()
    }
    let names = Dictionary(grouping: try all()) { $0.lowercased() }.mapValues { Set($0) }
    return state.withLock { state in
      state.names[folder] = names
      return (names[name.lowercased()] ?? []).sorted()
    }
  }

  /// Adds a document whose store was made.
  func add(_ path: String, in container: FilePath) {
    var folder = container
    state.withLock { state in
      for name in path.pathNames() {
        state.names[folder]?[name.lowercased(), default: []].insert(name)
        folder = folder.appending(name)
      }
    }
  }

  /// The documents of a container that are missing although they have stores.
  ///
  /// - Parameter find: searches for them.
  func missing(
    in container: FilePath, finding find: () throws -> [MissingDocument]
  ) throws -> [MissingDocument] {
    if let known = state.withLock({ $0.missing[container] }) { return known }
    let found = try find()
    state.withLock { $0.missing[container] = found }
    return found
  }

  /// The paths of a container's missing documents, and the contents that they had.
  ///
  /// - Parameter read: reads them.
  func missingContents(
    in container: FilePath, reading read: () throws -> [(path: String, content: DocumentContent)]
  ) throws -> [(path: String, content: DocumentContent)] {
    if let known = state.withLock({ $0.missingContents[container] }) { return known }
    let found = try read()
    state.withLock { $0.missingContents[container] = found }
    return found
  }

  /// Forgets a missing document: its store was moved to where it is.
  func forgetMissing(_ path: String, in container: FilePath) {
    state.withLock { state in
      state.missing[container]?.removeAll { $0.path.hasBytes(of: path) }
      state.missingContents[container]?.removeAll { $0.path.hasBytes(of: path) }
    }
  }

  /// Returns whether temporary stores were not removed from a folder yet; only once for each.
  func shouldTidy(_ folder: FilePath) -> Bool {
    state.withLock { $0.tidied.insert(folder).inserted }
  }
}

/// A document that is not at its place, as its store describes it.
struct MissingDocument: Sendable {
  /// The path in the container at which it was.
  let path: String
  /// The identity of the file that it was; `nil` if that is unknown.
  let mark: String?
  /// The bytes of the path at which its contents were found in another file.
  let destination: [UInt8]?
}
