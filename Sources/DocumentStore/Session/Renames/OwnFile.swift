internal import DocumentFiles
internal import SystemPackage

/// The file as which a document was last saved or written; it may be elsewhere by now, with another file in the
/// document's place.
///
/// Programs also replace a file to save it, so only the own file at another path shows that the document was moved.
package struct OwnFile {
  private let document: DocumentLocation

  package init(of document: DocumentLocation) {
    self.document = document
  }

  /// The file's mark, if the file is no longer in its place.
  var markWhereAway: String? {
    get throws {
      // Most documents are in place, so this check comes first and avoids the others.
      guard let status = try FileStatus.of(document.document) else {
        return try document.hasStore ? document.workingFile?.mark : nil
      }
      return try mark(ifReplacedBy: status)
    }
  }

  /// True if the file is no longer in its place; an unreadable entry proves nothing.
  package var isAway: Bool {
    get throws {
      guard let status = try FileStatus.of(document.document) else { return true }
      do { return try mark(ifReplacedBy: status) != nil } catch  where !error.isFromSystem {
        return false
      }
    }
  }

  /// True if the file in its place is older than the record of it, and so isn't a new one, but probably that of another
  /// document, which may be in any folder.
  var isReplacedByOlder: Bool {
    get throws {
      guard let status = try FileStatus.of(document.document),
        try mark(ifReplacedBy: status) != nil
      else { return false }
      let present = WorkingFileEntry.mark(of: document.document, status)
      guard let entry = try FileStatus.of(StoreFile.workingFile.path(in: document.store)) else {
        return try !RestingDocuments.readable(in: document.container)
          .paths(ofFilesMarked: [present]).isEmpty
      }
      return WorkingFileEntry.birthTime(inMark: present).map { $0 < entry.modified } ?? false
    }
  }

  /// Returns the file's mark, if the file in its place is another one.
  private func mark(ifReplacedBy status: FileStatus) throws -> String? {
    guard let mark = try document.workingFile?.mark,
      WorkingFileEntry.birthTime(inMark: mark) != nil,
      !mark.utf8.starts(with: "\(status.device) \(status.inode) ".utf8)
    else { return nil }
    return mark
  }

  /// Returns whether the file is at another location, and another file is in its place.
  func isMoved(to place: DocumentLocation) throws -> Bool {
    guard let status = try FileStatus.of(document.document),
      let mark = try mark(ifReplacedBy: status),
      try mark == WorkingFileEntry.mark(of: place.document)
    else { return false }
    return try !isPutAside(at: place)
  }

  /// Returns whether the name of a location shows that a file there isn't the renamed document, but was put aside,
  /// or is a copy.
  func isPutAside(at place: DocumentLocation) throws -> Bool {
    let (name, former) = (ContainerPath.name(of: place.path), ContainerPath.name(of: document.path))
    if PutAsideName.isPutAside(name, from: former) { return true }
    // Beside a new file of the former name, it may be a backup that a program made while saving.
    return try FileStatus.of(document.document) != nil
      && (PutAsideName.isBackup(name, of: former) || Self.isIgnored(place))
  }

  /// Returns whether the rules of the container leave out an item.
  private static func isIgnored(_ place: DocumentLocation) throws -> Bool {
    var rules = try IgnoreRules(.documents, in: place.container)
    let names = place.path.pathNames().map { Array($0.utf8) }
    for name in names.dropLast() {
      if rules.rule(for: [name], isFolder: true) != nil { return true }
      rules = try rules.entering(name)
    }
    let isFolder = try FileStatus.of(place.document)?.kind == .folder
    return names.last.map { rules.rule(for: [$0], isFolder: isFolder) != nil } ?? false
  }
}
