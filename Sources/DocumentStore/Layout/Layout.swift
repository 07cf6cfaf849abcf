internal import DocumentFiles
internal import Foundation
package import SystemPackage

/// The names of files on disk, which are defined only here.
///
/// ```
/// Notes/                              a container: any folder that holds documents
///   report.md                         a document that is a file
///   Trip.imagenotes/                  a document that is a package
///   .docversions/
///     documents/report.md.git/        the store of report.md, unless it rests: ``RestingDocuments``
///     documents/Trip.imagenotes.git/
///     types/Info.plist                declarations of document types
///     quiet-documents                 the container index: documents in no conflict
///     sync/                           this device’s identity and its exchanges with others: ``SyncFile``
///     declaration.json                the presentation of the container that its app has declared
///     watch-lock                      the lock of the process that watches the container
///     watch-deletions                 the removals that it saw, and that are not recorded as deletions yet
///     watch-socket                    the socket at which it reports what it has done
///     adoptions/                      the records of adoptions of conflicted copies
///     claims, presenters/             the accesses of programs to documents that are open
/// ```
package enum Layout {
  /// The folder that makes a folder a container.
  static let folderName = StoresFolder.name

  /// Returns the folder with the stores of a container's documents.
  package static func documents(of container: FilePath) -> FilePath {
    ContainerFile.documents.path(in: container)
  }

  /// Creates the folder that makes a folder a container, if a path in it needs the folder.
  ///
  /// If the documents are in a git repository, git ignores the folder, unless the owner changes that.
  static func makeFolder(around path: FilePath) throws {
    guard let index = path.components.lastIndex(where: { $0.string == folderName }) else { return }
    let folder = FilePath(root: path.root, path.components[...index])
    guard try FileStatus.of(folder) == nil else { return }
    try Folder.createInside(folder)
    let file = ContainerFile.gitIgnore.path(in: folder.parentFolder)
    // Another process may have created it, and a save doesn't need it.
    do { try SmallFile.create(file, Array("*\n".utf8)) } catch {}
  }

  /// Makes a folder a container.
  static func makeDocumentsFolder(of container: FilePath) throws {
    try makeFolder(around: documents(of: container))
    try Folder.createInside(documents(of: container))
  }

  /// Returns the store of a document.
  static func store(of path: String, in container: FilePath) -> FilePath {
    documents(of: container).appending(String(decoding: storePath(of: path.utf8), as: UTF8.self))
  }

  /// Returns the path of a document's store, relative to the folder with the stores of all documents.
  static func storePath(of path: some Collection<UInt8>) -> [UInt8] {
    folderPath(of: path) + storeSuffix.utf8
  }

  /// Returns the path of the folder with the stores of a folder’s documents; the folder's path ends with a
  /// slash.
  static func folderPath(of path: some Collection<UInt8>) -> [UInt8] {
    var stored: [UInt8] = []
    stored.reserveCapacity(path.count)
    var name = stored.startIndex
    for byte in path {
      if byte == slash {
        if looksLikeStore(stored[name...]) { stored.append(tilde) }
        name = stored.endIndex + 1
      }
      stored.append(byte)
    }
    return stored
  }

  /// A document with versions, as the place of its store.
  package struct StoredDocument {
    /// The path of its store, relative to the folder with the stores of all documents; valid UTF-8.
    let store: [UInt8]
    /// True if it was listed as a resting document, and had no store.
    var isResting = false

    /// Its path in the container.
    var path: String {
      let document = store.dropLast(storeSuffix.utf8.count)
      guard document.contains(UInt8(ascii: "/")) else {
        return String(decoding: document, as: UTF8.self)
      }
      let names = document.split(separator: UInt8(ascii: "/"))
        .map { String(decoding: $0, as: UTF8.self) }
      return (names.dropLast().map(originalFolder) + names.suffix(1)).joined(separator: "/")
    }

    /// Returns the document's URL; its store need not exist.
    func url(in container: FilePath) -> URL {
      URL(filePath: container.appending(path).string)
    }

    package func location(in container: FilePath) -> DocumentLocation {
      DocumentLocation(container: container, path: path)
    }

    /// Returns whether it precedes another one in the order of paths, which compares name by name, so slashes
    /// sort first.
    func precedes(_ other: [UInt8]) -> Bool {
      for (own, other) in zip(store, other) where own != other {
        return own == slash || other != slash && own < other
      }
      return store.count < other.count
    }
  }

  /// Returns the paths of all documents with versions in the container.
  package static func documentPaths(in container: FilePath) throws -> [String] {
    try documents(in: container).map(\.path)
  }

  /// Returns all documents with versions in the container: those with a store, and those that rest.
  package static func documents(in container: FilePath) throws -> [StoredDocument] {
    let stored = try storedDocuments(in: container)
    let list = try RestingDocuments.readable(in: container)
    guard !list.isEmpty else { return stored }
    let known = Set(stored.map(\.store))
    let resting = list.paths.lazy
      .map { StoredDocument(store: storePath(of: $0.utf8), isResting: true) }
      .filter { !known.contains($0.store) }
    return (stored + resting).sorted { $0.precedes($1.store) }
  }

  /// Returns all documents with a store in the container.
  ///
  /// - Parameter visit: receives each folder before it is listed, as a path relative to the folder with all
  ///   stores, which ends with a slash unless it is that folder.
  package static func storedDocuments(
    in container: FilePath, visiting visit: ([UInt8]) throws -> Void = { _ in }
  ) throws -> [StoredDocument] {
    let root = documents(of: container)
    guard let status = try FileStatus.of(root) else { return [] }
    guard status.kind == .folder else {
      throw FileError(
        .unsupportedKind, path: root,
        message: "“\(root.printable)” is not a folder; the stores of all documents should be in it."
      )
    }
    return try storedDocuments(in: root, prefix: [], visiting: visit)
  }

  /// Returns the names in a folder of the container that are, or contain, documents with versions.
  static func documentNames(in folder: String, of container: FilePath) throws -> [String] {
    let resting = try RestingDocuments.readable(in: container).names(in: folder)
      .map { String(decoding: $0, as: UTF8.self) }
    let stored = try storedNames(in: folder, of: container)
    let known = Set(stored.map { Array($0.utf8) })
    return stored + resting.filter { !known.contains(Array($0.utf8)) }
  }

  private static func storedNames(in folder: String, of container: FilePath) throws -> [String] {
    let path = folder.pathNames().reduce(documents(of: container)) {
      $0.appending(bytes: Array(storedFolder($1).utf8))
    }
    guard try FileStatus.of(path)?.kind == .folder else { return [] }
    return try Folder.names(in: path).compactMap { String(validating: $0, as: UTF8.self) }
      .map {
        isStore($0.utf8)
          ? String(Substring($0.utf8.dropLast(storeSuffix.utf8.count))) : originalFolder($0)
      }
  }

  private static func storedDocuments(
    in folder: FilePath, prefix: [UInt8], visiting visit: ([UInt8]) throws -> Void
  ) throws -> [StoredDocument] {
    try visit(prefix)
    // Opening a store reports any other item in its place.
    let members = try Folder.members(of: folder).filter { $0.kind == .folder || isStore($0.name) }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    var found: [StoredDocument] = []
    found.reserveCapacity(members.count)
    for member in members {
      // docversions didn't create any other names.
      guard let name = String(validating: member.name, as: UTF8.self) else { continue }
      if isStore(member.name) {
        found.append(StoredDocument(store: prefix + member.name))
      } else if !isTemporary(name) {
        found += try storedDocuments(
          in: folder.appending(bytes: member.name),
          prefix: prefix + member.name + [UInt8(ascii: "/")], visiting: visit)
      }
    }
    return found
  }

  private static let storeSuffix = ".git"

  /// Returns a name for a store that is not complete yet.
  package static func temporaryName() -> String {
    ".new-" + DocumentIdentifier.random().description
  }

  /// Returns whether a name belongs to a store that was never completed.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".new-") && DocumentIdentifier(String(name.dropFirst(5))) != nil
  }

  /// Returns the stored name of a folder of documents: a name that resembles a store's gets a tilde.
  private static func storedFolder(_ name: String) -> String {
    looksLikeStore(name.utf8) ? name + "~" : name
  }

  private static func originalFolder(_ stored: String) -> String {
    let isMarked = stored.utf8.last == tilde && looksLikeStore(stored.utf8)
    return isMarked ? String(Substring(stored.utf8.dropLast())) : stored
  }

  private static func looksLikeStore(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    var name = name[...]
    while name.last == tilde { name.removeLast() }
    return isStore(name)
  }

  /// Compares bytes, because a character, even a dot, may combine with the characters after it.
  private static func isStore(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.suffix(storeSuffix.utf8.count).elementsEqual(storeSuffix.utf8)
  }

  private static let tilde = UInt8(ascii: "~")
  private static let slash = UInt8(ascii: "/")
}

extension [Layout.StoredDocument] {
  /// Returns the documents below a folder of their container.
  func below(_ folder: FilePath, in container: FilePath) -> [Layout.StoredDocument] {
    guard folder != container else { return self }
    return filter { $0.location(in: container).document.starts(with: folder) }
  }
}
