internal import DocumentFiles
internal import Synchronization
internal import SystemPackage

/// The known stores of containers while many documents are saved: each folder is listed once, not once for
/// each document.
///
/// Changes by other processes in the meantime count as if they came a moment later.
package final class ContainerListings: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The names of documents with stores, by folder, and within a folder by the name in lowercase.
    var names: [FilePath: [String: Set<String>]] = [:]
    /// The paths of new documents by their lowercase forms, by container.
    var claims: [FilePath: [String: String]] = [:]
    /// The documents that have stores but are missing, by container.
    var missing: [FilePath: MissingIndex] = [:]
    /// The missing documents by their last contents, by container.
    var missingContents: [FilePath: [DocumentContent.Key: [MissingDocument]]] = [:]
    /// The files without stores that may be missing documents, by container.
    var unsavedFiles: [FilePath: [UnsavedFile]] = [:]
    /// The matches between these files and missing documents, by their contents.
    var places: [FilePath: [DocumentContent.Key: FollowedPlaces]] = [:]
    /// The folders of stores whose temporary stores were removed.
    var tidied: Set<FilePath> = []
  }

  package init() {}

  /// Returns the names of documents with stores in a folder that differ from a name at most in case.
  ///
  /// - Parameter all: lists all names in the folder.
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

  /// Adds a document whose store was created.
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
  /// - Returns: the path of another document that was claimed before and that a disk may confuse with this
  ///   one.
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

  /// Returns the documents of a container that have stores but are missing.
  ///
  /// - Parameter find: searches for the documents.
  func missing(in container: FilePath, finding find: () throws -> MissingIndex) throws
    -> MissingIndex
  {
    try first(\.missing, in: container, finding: find)
  }

  /// Returns the first findings in a container: the thread that found them may then move a store, after which
  /// another thread would find less.
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

  /// Returns the missing documents by their last contents.
  ///
  /// - Parameter read: reads the contents.
  func missingContents(
    in container: FilePath, reading read: () throws -> [DocumentContent.Key: [MissingDocument]]
  ) throws -> [DocumentContent.Key: [MissingDocument]] {
    try first(\.missingContents, in: container, finding: read)
  }

  /// Returns the files of a container without stores that may be missing documents.
  ///
  /// - Parameter find: searches for the files.
  func unsavedFiles(
    in container: FilePath, finding find: () throws -> [UnsavedFile]
  ) throws -> [UnsavedFile] {
    try first(\.unsavedFiles, in: container, finding: find)
  }

  /// Returns the known matches between files with the same contents and missing documents.
  func places(
    of content: DocumentContent.Key, in container: FilePath
  ) -> FollowedPlaces? {
    state.withLock { $0.places[container]?[content] }
  }

  /// Keeps the matches between files with the same contents and missing documents.
  func keep(
    _ places: FollowedPlaces, of content: DocumentContent.Key, in container: FilePath
  ) {
    state.withLock { $0.places[container, default: [:]][content] = places }
  }

  /// Returns whether temporary stores still have to be removed from a folder; true only once for each folder.
  func shouldTidy(_ folder: FilePath) -> Bool {
    state.withLock { $0.tidied.insert(folder).inserted }
  }
}

/// A missing document, as its store describes it.
struct MissingDocument: Sendable {
  /// The document's former path in the container.
  let path: String
  /// The identity of its file; `nil` if it is unknown.
  let mark: String?
  /// The bytes of the path at which its contents were found in another file.
  let destination: [UInt8]?
}

/// Missing documents, by the facts that identify them.
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

  /// The marks of the documents' files.
  var marks: Set<String> { Set(byMark.keys).subtracting([""]) }

  func documents(withMark mark: String) -> [MissingDocument] { byMark[mark] ?? [] }

  func documents(named name: String) -> [MissingDocument] { byName[Array(name.utf8)] ?? [] }

  /// Returns whether one of the documents had a name.
  func hasDocument(named name: [UInt8]) -> Bool { byName[name] != nil }

  /// Returns the documents that were in a folder, or below it.
  func documents(below folder: some Collection<String>) -> some Sequence<MissingDocument> {
    let start = folder.map { "\($0)/" }.joined()
    return documents.lazy.filter { $0.path.utf8.starts(with: start.utf8) }
  }

  /// The paths at which documents were found before.
  var destinations: some Sequence<[UInt8]> { byDestination.keys.lazy.filter { !$0.isEmpty } }

  /// Returns the documents that were found at a path before.
  func documents(foundAt path: [UInt8]) -> [MissingDocument] { byDestination[path] ?? [] }
}

/// A file or package without a store, which may be a missing document.
struct UnsavedFile: Sendable {
  let path: String
  /// The size of a file.
  let size: Int?
  let mark: String
}

/// The matches between files with the same contents and missing documents, by the bytes of the files' paths.
struct FollowedPlaces: Sendable {
  /// The former paths of documents, by the paths of files.
  var former: [[UInt8]: String] = [:]
  /// The former paths of the documents that a file may be, if nothing determines which one it is.
  var open: [[UInt8]: [String]] = [:]

  /// Returns whether a file has an entry.
  func covers(_ path: [UInt8]) -> Bool { former[path] != nil || open[path] != nil }
}
