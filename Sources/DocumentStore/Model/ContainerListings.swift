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
    /// The paths of documents that are missing although they have stores, by containers.
    var missing: [FilePath: [String]] = [:]
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

  /// The paths of a container's documents that are missing although they have stores.
  ///
  /// - Parameter find: searches for them.
  func missing(
    in container: FilePath, finding find: () throws -> [String]
  ) throws -> [String] {
    if let known = state.withLock({ $0.missing[container] }) { return known }
    let found = try find()
    state.withLock { $0.missing[container] = found }
    return found
  }

  /// Forgets which documents are missing: the store of one was moved to where it is.
  func forgetMissing(in container: FilePath) {
    state.withLock { $0.missing[container] = nil }
  }

  /// Returns whether temporary stores were not removed from a folder yet; only once for each.
  func shouldTidy(_ folder: FilePath) -> Bool {
    state.withLock { $0.tidied.insert(folder).inserted }
  }
}
