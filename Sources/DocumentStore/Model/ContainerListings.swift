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
    /// The paths of new documents by their small letters, by containers.
    var claims: [FilePath: [String: String]] = [:]
    /// The documents that are missing although they have stores, by containers.
    var missing: [FilePath: MissingIndex] = [:]
    /// The same by the contents that they had.
    var missingContents: [FilePath: [DocumentContent.Key: [MissingDocument]]] = [:]
    /// The files without stores that may be these.
    var unsavedFiles: [FilePath: [UnsavedFile]] = [:]
    /// Which of them are which, by their contents.
    var places: [FilePath: [DocumentContent.Key: FollowedPlaces]] = [:]
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

  /// Claims a path for a new document.
  ///
  /// - Returns: the path of another one, claimed before, that a disk may take for the same.
  func claim(_ path: String, in container: FilePath) -> String? {
    state.withLock { state in
      let key = path.lowercased()
      guard let first = state.claims[container]?[key] else {
        state.claims[container, default: [:]][key] = path
        return nil
      }
      return first.hasBytes(of: path) ? nil : first
    }
  }

  /// The documents of a container that are missing although they have stores.
  ///
  /// - Parameter find: searches for them.
  func missing(in container: FilePath, finding find: () throws -> MissingIndex) throws
    -> MissingIndex
  {
    try first(\.missing, in: container, finding: find)
  }

  /// What was found first in a container: a thread that found it may move a store next, and another one would find less.
  private func first<Found: Sendable>(
    _ path: WritableKeyPath<State, [FilePath: Found]>, in container: FilePath,
    finding find: () throws -> Found
  ) rethrows -> Found {
    if let known = state.withLock({ $0[keyPath: path][container] }) { return known }
    let found = try find()
    return state.withLock { state in
      if let known = state[keyPath: path][container] { return known }
      state[keyPath: path][container] = found
      return found
    }
  }

  /// The same by the contents that they had.
  ///
  /// - Parameter read: reads them.
  func missingContents(
    in container: FilePath, reading read: () throws -> [DocumentContent.Key: [MissingDocument]]
  ) throws -> [DocumentContent.Key: [MissingDocument]] {
    try first(\.missingContents, in: container, finding: read)
  }

  /// The files of a container without stores that may be missing documents.
  ///
  /// - Parameter find: searches for them.
  func unsavedFiles(
    in container: FilePath, finding find: () throws -> [UnsavedFile]
  ) throws -> [UnsavedFile] {
    try first(\.unsavedFiles, in: container, finding: find)
  }

  /// Which files with some contents are which missing documents, as far as that is known.
  func places(
    of content: DocumentContent.Key, in container: FilePath
  ) -> FollowedPlaces? {
    state.withLock { $0.places[container]?[content] }
  }

  /// Keeps which files with some contents are which missing documents.
  func keep(
    _ places: FollowedPlaces, of content: DocumentContent.Key, in container: FilePath
  ) {
    state.withLock { $0.places[container, default: [:]][content] = places }
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

/// Documents that are not at their places, by what they are recognized by.
struct MissingIndex: Sendable {
  let documents: [MissingDocument]
  private let byMark: [String: [MissingDocument]]
  private let byName: [[UInt8]: [MissingDocument]]
  private let byDestination: [[UInt8]: [MissingDocument]]

  init(_ documents: [MissingDocument]) {
    self.documents = documents
    byMark = Dictionary(grouping: documents) { $0.mark ?? "" }
    byName = Dictionary(grouping: documents) { Array(ContainerPath.name(of: $0.path).utf8) }
    byDestination = Dictionary(grouping: documents) { $0.destination ?? [] }
  }

  /// The marks of the files that the documents were.
  var marks: Set<String> { Set(byMark.keys).subtracting([""]) }

  func documents(withMark mark: String) -> [MissingDocument] { byMark[mark] ?? [] }

  func documents(named name: String) -> [MissingDocument] { byName[Array(name.utf8)] ?? [] }

  /// Returns whether one had a name.
  func hasDocument(named name: [UInt8]) -> Bool { byName[name] != nil }

  /// Those that were in a folder, or below it.
  func documents(below folder: some Collection<String>) -> some Sequence<MissingDocument> {
    let start = folder.map { "\($0)/" }.joined()
    return documents.lazy.filter { $0.path.utf8.starts(with: start.utf8) }
  }

  /// Those that were found at a path before.
  func documents(foundAt path: [UInt8]) -> [MissingDocument] { byDestination[path] ?? [] }
}

/// A file or package without a store, which may be a missing document.
struct UnsavedFile: Sendable {
  let path: String
  /// The size of a file.
  let size: Int?
  let mark: String
}

/// Which files with the same contents are which missing documents, by the bytes of their paths.
struct FollowedPlaces: Sendable {
  /// The former paths of documents by those of files.
  var former: [[UInt8]: String] = [:]
  /// The former paths of the documents that a file may be, where nothing says which one it is.
  var open: [[UInt8]: [String]] = [:]

  /// Returns whether it is known what a file is.
  func covers(_ path: [UInt8]) -> Bool { former[path] != nil || open[path] != nil }
}
