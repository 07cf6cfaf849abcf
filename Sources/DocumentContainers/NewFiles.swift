internal import DocumentFiles
package import DocumentStore
internal import DocumentTypes
package import Foundation
internal import SystemPackage

/// The files and packages of a folder that have no versions yet, and the other items beside its documents.
///
/// This leaves out items that ``IgnoreRules`` exclude, conflicted copies, members of packages, subfolders
/// that keep their own versions or belong to git, and folders that programs mark as filled by themselves.
package struct NewFiles {
  private let store: SynchronousStore
  /// The documents with versions.
  private let listed: ListedDocuments?
  /// The locations of documents that were renamed in their folder outside docversions.
  private let renamed: Set<FilePath>
  /// The locations of documents that were moved to another folder outside docversions; they are saved like new ones.
  private let moved: Set<FilePath>
  /// The former locations of all these documents, where there may be new files.
  private let left: Set<FilePath>
  private let listsIgnored: Bool
  /// The paths of the files and packages, in the order of their names, folder by folder; there may be very many.
  package private(set) var paths: [String] = []
  /// The conflicted copies that sync tools have left beside their documents.
  package private(set) var copies: [URL] = []
  /// The subfolders that keep their own versions.
  package private(set) var containers: [URL] = []
  /// The files and folders that can't be documents because of their names, with these as shown to the user, and
  /// the reasons.
  package private(set) var unnameable: [(item: URL, flaw: String)] = []
  /// The folders that can’t be read.
  package private(set) var unreadable: [URL] = []
  /// The items that were left out, if requested.
  package private(set) var ignored: [IgnoredItem] = []

  /// Searches a folder and its subfolders.
  ///
  /// - Parameters:
  ///   - known: the documents with versions below the folder, if they were already read.
  ///   - listsIgnored: whether items that are left out are listed, too.
  /// - Throws: ``FileError`` if the folder, or a list of patterns, can't be read.
  package init(
    below folder: URL, in store: SynchronousStore, beside known: UnchangedDocuments? = nil,
    listingIgnored listsIgnored: Bool = false
  ) throws {
    let path = try folder.filePath.resolvingLinks()
    // Documents are identified by their paths, which may differ through a link.
    let documents =
      if let known, try path == folder.filePath { known } else {
        try store.unchangedDocuments(below: URL(filePath: path.string))
      }
    let unclear = documents?.unclear ?? []
    let renamed = try store.renamedDocuments(among: unclear)
    let moved = try store.movedDocuments(among: unclear.filter { renamed[$0] == nil })
    self.moved = Set(try moved.values.map { try $0.filePath })
    left = Set(try [renamed, moved].flatMap(\.keys).map { try $0.filePath })
    self.store = store
    self.listsIgnored = listsIgnored
    listed = documents?.listed
    self.renamed = Set(try renamed.values.map { try $0.filePath })
    try search(path, isTop: true, rules: Self.rules(for: path, in: store))
  }

  /// The files and packages.
  package var found: [URL] { paths.map { URL(filePath: $0) } }

  /// Returns the rules for the contents of a folder: those of its container, or of the folder if there is
  /// none.
  static func rules(
    for folder: FilePath, in store: SynchronousStore
  ) throws -> IgnoreRules {
    let container = try store.container(around: URL(filePath: folder.string))?.filePath
      .resolvingLinks()
    var names: [[UInt8]] = []
    var top = folder
    while let container, top != container, top.lastComponent != nil {
      names.append(top.lastName)
      top = top.parentFolder
    }
    return try names.reversed().reduce(IgnoreRules(.documents, in: top)) { try $0.entering($1) }
  }

  private mutating func search(
    _ folder: FilePath, isTop: Bool, rules: @autoclosure () throws -> IgnoreRules
  ) throws {
    try store.progress?.checkCancellation()
    let members: [Folder.Member]
    let folderRules: IgnoreRules
    do {
      members = try Folder.members(of: folder)
      folderRules = try rules()
    } catch let error as FileError {
      guard !isTop, error.isAboutOneFolder else { throw error }
      if error.code != .notFound {
        unreadable.append(URL(filePath: folder.string, directoryHint: .isDirectory))
        ignore(folder, reason: .unreadable)
      }
      return
    }
    let names = Set(members.map(\.name))
    if !isTop, let reason = IgnoredItem.Reason(ofFolderWith: names) {
      if names.contains(Array(StoresFolder.name.utf8)) {
        containers.append(URL(filePath: folder.string, directoryHint: .isDirectory))
      }
      return ignore(folder, reason: reason)
    }
    let documents = listed?.documents(in: folder)
    for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      guard member.name != Array(StoresFolder.name.utf8),
        case let path = folder.appending(bytes: member.name), !renamed.contains(path),
        documents?.contains(member.name) != true || left.contains(path)
      else { continue }
      if let rule = folderRules.rule(for: [member.name], isFolder: member.kind == .folder) {
        ignore(path, by: rule)
        continue
      }
      let flaw = ContainerPath.flaw(ofName: member.name)
      guard let name = String(validating: member.name, as: UTF8.self) else {
        if let flaw, [.file, .folder].contains(member.kind) {
          let shown = folder.appending(Printable.text(member.name))
          unnameable.append((URL(filePath: shown.string), flaw))
          ignore(shown, reason: .invalidName)
        }
        continue
      }
      if let copy = ConflictedCopyName(name) {
        if names.contains(Array(copy.documentName.utf8)) {
          copies.append(URL(filePath: path.string))
        }
        ignore(path, reason: .conflictedCopy)
        continue
      }
      switch member.kind {
      case .file where try LiveDatabase.database(withPart: path) != nil: break
      case .folder where try !moved.contains(path) && !store.isNewPackage(path, name):
        try search(path, isTop: false, rules: folderRules.entering(member.name))
      case .file, .folder:
        if let flaw {
          unnameable.append((URL(filePath: path.string), flaw))
        } else {
          paths.append(path.string)
        }
      case .symbolicLink, .other: break
      }
    }
  }

  private mutating func ignore(
    _ path: FilePath, by rule: IgnoreRules.Rule? = nil, reason: IgnoredItem.Reason? = nil
  ) {
    guard listsIgnored else { return }
    ignored.append(IgnoredItem(url: URL(filePath: path.string), rule: rule, reason: reason))
  }
}

extension SynchronousStore {
  /// Returns whether a folder without versions counts as one document.
  ///
  /// A folder that wasn't named needs a declared type, and contains no documents with versions of their own.
  func isNewPackage(_ folder: FilePath, _ name: String) throws -> Bool {
    let url = URL(filePath: folder.string)
    // The name may be too long for a document.
    let sibling = URL(filePath: folder.parentFolder.appending("a").string)
    guard name.utf8.contains(UInt8(ascii: ".")), try types(for: sibling).isPackage(url) else {
      return false
    }
    do { try refuseFolder(url) } catch let error as VersionError
      where error.code == .invalidArgument
    {
      return false
    } catch let error as FileError where error.code == .invalidName {}
    return true
  }
}
