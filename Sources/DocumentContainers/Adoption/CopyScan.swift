internal import DocumentFiles
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import SystemPackage

/// Finds conflicted copies by their names, and pairs them with their documents.
struct CopyScan {
  /// A file with the name of a copy.
  struct Found {
    let path: FilePath
    let name: ConflictedCopyName
    let kind: FileStatus.Kind
    /// The document, which may not exist.
    let document: FilePath
    /// The path of the member that it is a copy of, as names; `nil` if it is a copy of the document.
    let member: [[UInt8]]?
    /// True if the caller named this file, not a folder around it.
    let isNamed: Bool
    /// True if it is certainly a copy: by its name, or because a document with versions has the name that its
    /// name derives from.
    let isCertain: Bool
  }

  /// The package that a folder is or belongs to.
  private struct Package {
    let path: FilePath
    let prefix: [[UInt8]]
  }

  private let store: SynchronousStore
  private(set) var found: [Found] = []
  /// Folders of other tools, and hidden folders without documents.
  private static let skipped: Set<String> = [
    StoresFolder.name, ".git", ".hg", ".svn", ".jj", ".stversions", ".stfolder", ".dropbox.cache",
    ".sync", ".SynologyWorkingDirectory", ".Trash", ".trash",
  ]

  init(_ store: SynchronousStore) {
    self.store = store
  }

  /// Searches folders and below them; a file counts as named.
  ///
  /// - Throws: ``FileError`` with code `notFound` for a missing place.
  mutating func search(_ places: [URL]) throws {
    for place in places {
      let given = try place.filePath
      // A copy that is a link is no copy of a document, wherever it leads to.
      let isCopy = ConflictedCopyName(place.lastPathComponent) != nil
      let path =
        try isCopy
        ? given.parentFolder.resolvingLinks().appending(bytes: given.lastName)
        : given.resolvingLinks()
      guard let status = try FileStatus.of(path) else { continue }
      let package = try enclosingPackage(of: path)
      if status.kind == .folder, !isCopy {
        try search(path, in: package)
      } else {
        try add(named: path, status.kind, in: package)
      }
    }
    var seen: Set<FilePath> = []
    found = found.filter { seen.insert($0.path).inserted }
  }

  private mutating func search(_ folder: FilePath, in outer: Package?) throws {
    try checkCancellation()
    let package: Package?
    let members: [Folder.Member]
    do {
      package = try outer ?? (isPackage(folder) ? Package(path: folder, prefix: []) : nil)
      members = try Folder.members(of: folder)
    } catch let error as FileError {
      // A folder that can't be read contains no documents.
      guard error.isAboutOneFolder else { throw error }
      return
    }
    let all = FolderNames(members.map(\.name))
    for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      if try add(member, in: folder, among: all, of: package, isNamed: false) { continue }
      // No document has a name that is no text.
      guard member.kind == .folder, let name = String(validating: member.name, as: UTF8.self),
        !Self.skipped.contains(name)
      else { continue }
      let path = folder.appending(bytes: member.name)
      try search(
        path, in: package.map { Package(path: $0.path, prefix: $0.prefix + [member.name]) })
    }
  }

  private mutating func add(
    named path: FilePath, _ kind: FileStatus.Kind, in package: Package?
  ) throws {
    let members = try Folder.members(of: path.parentFolder)
    let all = FolderNames(members.map(\.name))
    let name = path.lastName
    _ = try add(
      Folder.Member(name: name, kind: kind), in: path.parentFolder, among: all, of: package,
      isNamed: true)
  }

  /// Adds a file if it is a copy.
  private mutating func add(
    _ member: Folder.Member, in folder: FilePath, among all: FolderNames, of package: Package?,
    isNamed: Bool
  ) throws -> Bool {
    // Documents have names that are text.
    guard let text = String(validating: member.name, as: UTF8.self) else { return false }
    let path = folder.appending(bytes: member.name)
    let side = try package == nil ? Self.side(text, at: path, in: store) : nil
    guard
      let (name, document) = side.map({ ($0, Array($0.documentName.utf8)) })
        ?? all.reading(of: text)
    else { return false }
    found.append(
      Found(
        path: path, name: name, kind: member.kind,
        document: package?.path ?? folder.appending(bytes: document),
        member: package.map { $0.prefix + [document] }, isNamed: isNamed,
        isCertain: name.isCertain || side != nil))
    return true
  }

  /// Reads the name of a file that is one side of a conflict in which a tool leaves no document; `nil` if no
  /// document with versions has the original name, or if the file itself has versions.
  static func side(
    _ name: String, at path: FilePath, in store: SynchronousStore
  ) throws -> ConflictedCopyName? {
    guard let side = ConflictedCopyName.ofAllSides(name) else { return nil }
    let document = path.parentFolder.appending(side.documentName)
    do {
      return try store.hasStore(URL(filePath: document.string))
        && !store.hasStore(URL(filePath: path.string)) ? side : nil
    } catch let error as FileError where error.code == .invalidName {
      return nil
    }
  }

  // MARK: Packages

  private func isPackage(_ folder: FilePath) throws -> Bool {
    let url = URL(filePath: folder.string)
    if try store.isSavedPackage(url) { return true }
    guard folder.extension != nil else { return false }
    return try store.types(for: url).isPackage(url)
  }

  private func enclosingPackage(of path: FilePath) throws -> Package? {
    var folder = path.parentFolder
    var names: [[UInt8]] = []
    while folder.lastComponent != nil {
      if try isPackage(folder) { return Package(path: folder, prefix: names.reversed()) }
      names.append(folder.lastName)
      folder = folder.parentFolder
    }
    return nil
  }

  private func checkCancellation() throws {
    if store.progress?.isCancelled == true { throw CancellationError() }
  }
}

/// The names in one folder.
private struct FolderNames {
  private let all: Set<[UInt8]>

  init(_ names: [[UInt8]]) {
    all = Set(names)
  }

  /// Parses the name of a copy, and returns the document’s name; `nil` for any other name.
  ///
  /// A name that may belong to another document counts only if the document that it names exists.
  func reading(of name: String) -> (ConflictedCopyName, document: [UInt8])? {
    let certain = ConflictedCopyName(name)
    if let certain, let document = present(certain.documentName) { return (certain, document) }
    for possible in ConflictedCopyName.possible(name) {
      if let document = present(possible.documentName) { return (possible, document) }
    }
    return certain.map { ($0, Array($0.documentName.utf8)) }
  }

  /// Returns the name as bytes; `nil` if the folder doesn't contain it.
  private func present(_ name: String) -> [UInt8]? {
    let bytes = Array(name.utf8)
    return all.contains(bytes) ? bytes : nil
  }
}
