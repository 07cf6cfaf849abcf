package import DocumentFiles
package import DocumentGit
package import SystemPackage

/// The contents in this device's copy of a remote or in a folder for exchange, from which resting documents are written.
package final class RestingContents {
  private let contents: StoredContents
  /// The items that killed processes left beside the documents.
  private let leftovers = TemporaryItems.Listings()
  /// The folders that exist.
  private var folders: Set<FilePath> = []

  /// - Parameter mirror: the name of the copy.
  package init(in mirror: String, of container: FilePath) throws {
    contents = StoredContents(
      objects: try VersionObjects(
        in: RestingDocument.openMirror(mirror, in: container), of: container, called: mirror))
  }

  /// - Parameter folder: the folder through which devices exchange documents.
  package init(from folder: FilePath, of container: FilePath) throws {
    contents = StoredContents(
      objects: try VersionObjects(
        in: Repository(sharedAt: folder), of: container, called: folder.printable))
  }

  /// Writes the document of a version beside its place.
  ///
  /// - Parameter old: the file to replace; `nil` if there is none.
  package func stage(
    _ record: Record, of identity: DocumentIdentity, at place: FilePath,
    displacing old: ItemListing? = nil
  ) throws -> DocumentWriter.StagedItem {
    let item = try contents.item(of: record).recorded(record.facts.permissions)
    return try DocumentWriter.stage(
      place, item, displacing: old, mark: mark(of: identity, at: place),
      modified: record.facts.modifiedInNanoseconds)
  }

  /// Returns the document of a version that is new here; `nil` for a large one, which is staged separately.
  package func newFile(
    _ record: Record, of identity: DocumentIdentity, at place: FilePath
  ) throws -> NewDocumentFile? {
    let item = try contents.item(of: record).recorded(record.facts.permissions)
    return try NewDocumentFile(
      item, at: place, mark: mark(of: identity, at: place),
      modified: record.facts.modifiedInNanoseconds)
  }

  /// Returns the mark for writing a document, after making sure that no unfinished item in its folder has it.
  private func mark(of identity: DocumentIdentity, at place: FilePath) throws -> String {
    let (folder, mark) = (place.parentFolder, identity.identifier.description)
    if !folders.contains(folder) {
      try Folder.create(folder)
      folders.insert(folder)
    }
    // No other process writes a document without a store; displaced items stay.
    _ = try TemporaryItems.removeUnfinished(mark: mark, in: folder, knowing: leftovers)
    return mark
  }

  /// Returns whether the document on disk matches a version.
  package func isDocument(
    _ location: DocumentLocation, of record: Record, by clock: FileClock
  ) throws -> Bool {
    try WorkingCopy.read(location, clock: clock).map { $0.content.isSame(as: record.content) }
      ?? false
  }

  /// Throws an error for a version that couldn't be written, or isn't complete.
  package func check(_ record: Record) throws {
    guard let content = record.content else { return }
    try contents.objects.repository.checkWhole(content)
    try contents.checkArrival(of: record, besides: [], takingRepositories: false)
  }

  /// Returns whether a container may have resting documents: only if no other user can write to it, because
  /// no other user can read the versions that they rest on.
  package static func canRest(in container: FilePath) throws -> Bool {
    guard let status = try FileStatus.of(Layout.documents(of: container).parentFolder) else {
      return false
    }
    // Many systems give each user a separate group with the same number, and let it write.
    let isOwnGroup = status.group == status.owner
    return status.permissions & (isOwnGroup ? 0o002 : 0o022) == 0
  }

  /// Returns whether a file may rest, because any change of it is visible in its status.
  ///
  /// - Parameter file: the file as written, with the time of its version.
  package static func canRest(_ file: FilePath) throws -> Bool {
    guard let status = try FileStatus.of(file), status.kind == .file,
      try !LiveDatabase.isDatabase(file)
    else { return false }
    return status.showsEdits
  }
}

extension NewDocumentFile {
  /// Returns whether the document may rest, because any change of its file is visible in the status.
  ///
  /// - Parameter status: the file's status as written.
  package func canRest(_ status: FileStatus) -> Bool { !isDatabase && status.showsEdits }
}

extension FileStatus {
  /// True if an edit of a file that was written with the time of its version gets another time.
  ///
  /// The file system's clock advances in steps, and an edit gets a time no earlier than that of this status.
  fileprivate var showsEdits: Bool { modified < changed }
}

extension RestingDocument {
  /// - Parameters:
  ///   - former: the entry of the document until now; `nil` for a new document.
  ///   - staged: the file's status before it got its name, when nothing can have changed it.
  ///   - place: the file.
  package init?(
    path: String, identity: DocumentIdentity, mirror: String, head: ObjectID,
    contents: [ObjectID], versions: Int, after former: RestingDocument? = nil,
    staged: FileStatus, at place: FilePath
  ) throws {
    guard let now = try FileStatus.of(place) else { return nil }
    let mark = WorkingFileEntry.mark(of: place, now)
    self.path = path
    self.identity = identity
    self.mirror = mirror
    isPublished = true
    self.head = head
    self.contents = contents
    self.versions = versions
    var heads = former.map { $0.formerHeads + [$0.head] } ?? []
    // No program stays open for that many arrivals; it would then show the first one.
    if heads.count > Self.mostFormerHeads { heads.remove(at: 1) }
    formerHeads = heads
    self.mark = mark
    device = staged.device
    // A name changes only the last of its times.
    let isSame =
      now.isSameItem(as: staged) && now.size == staged.size && now.modified == staged.modified
    stamp = FileStamp(isSame ? now : staged)
  }

  private static let mostFormerHeads = 16
}
