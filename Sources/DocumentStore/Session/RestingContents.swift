package import DocumentFiles
package import DocumentGit
package import SystemPackage

/// The contents in this device's copy of a remote, of which documents are written that rest.
package final class RestingContents {
  private let contents: StoredContents
  /// What killed processes have left beside the documents.
  private let leftovers = TemporaryItems.Listings()
  /// The folders that are there.
  private var folders: Set<FilePath> = []

  /// - Parameter mirror: the name of the copy.
  package init(in mirror: String, of container: FilePath) throws {
    contents = StoredContents(objects: try VersionObjects(ofMirror: mirror, in: container))
  }

  /// Writes the document of a version beside its place.
  ///
  /// - Parameter old: the file that it shall replace; `nil` if nothing is there.
  package func stage(
    _ record: Record, of identity: DocumentIdentity, at place: FilePath,
    displacing old: ItemListing? = nil
  ) throws -> DocumentWriter.StagedItem {
    let item = try contents.item(of: record).recorded(record.facts.permissions)
    return try DocumentWriter.stage(
      place, item, displacing: old, mark: mark(of: identity, at: place),
      modified: record.facts.modifiedInNanoseconds)
  }

  /// The document of a version that is new here; `nil` for a large one, which is staged by itself.
  package func newFile(
    _ record: Record, of identity: DocumentIdentity, at place: FilePath
  ) throws -> NewDocumentFile? {
    let item = try contents.item(of: record).recorded(record.facts.permissions)
    return try NewDocumentFile(
      item, at: place, mark: mark(of: identity, at: place),
      modified: record.facts.modifiedInNanoseconds)
  }

  /// The mark of a document that is to be written, in whose folder nothing unfinished has it.
  private func mark(of identity: DocumentIdentity, at place: FilePath) throws -> String {
    let (folder, mark) = (place.parentFolder, identity.identifier.description)
    if !folders.contains(folder) {
      try Folder.create(folder)
      folders.insert(folder)
    }
    // No one else writes a document that has no store; what was displaced stays.
    _ = try TemporaryItems.removeUnfinished(mark: mark, in: folder, knowing: leftovers)
    return mark
  }

  /// Returns whether the document on disk is as a version has it.
  package func isDocument(
    _ location: DocumentLocation, of record: Record, by clock: FileClock
  ) throws -> Bool {
    try WorkingCopy.read(location, clock: clock).map { $0.content.isSame(as: record.content) }
      ?? false
  }

  /// Refuses a version that couldn't be written, or isn't whole.
  package func check(_ record: Record) throws {
    guard let content = record.content else { return }
    try contents.objects.repository.checkWhole(content)
    try contents.checkArrival(of: record, besides: [], takingRepositories: false)
  }

  /// Returns whether a container may have documents that rest: only its owner can write in it, since no one else can
  /// read where they rest.
  package static func canRest(in container: FilePath) throws -> Bool {
    guard let status = try FileStatus.of(Layout.documents(of: container).parentFolder) else {
      return false
    }
    // Many systems give each user a group of their own, with the same number, and let it write.
    let isOwnGroup = status.group == status.owner
    return status.permissions & (isOwnGroup ? 0o002 : 0o022) == 0
  }

  /// Returns whether a file may rest: any change of it shows in its status.
  ///
  /// - Parameter file: as it was written, with the time of its version.
  package static func canRest(_ file: FilePath) throws -> Bool {
    guard let status = try FileStatus.of(file), status.kind == .file,
      try !LiveDatabase.isDatabase(file)
    else { return false }
    return status.showsEdits
  }
}

extension NewDocumentFile {
  /// Returns whether it may rest: any change of it shows in its status.
  ///
  /// - Parameter status: its status as it was written.
  package func canRest(_ status: FileStatus) -> Bool { !isDatabase && status.showsEdits }
}

extension FileStatus {
  /// Whether an edit of a file, which was written with the time of its version, gets another time.
  ///
  /// By the clock of the file system, which may stand still for a while: an edit gets a time no earlier than that of this
  /// status.
  fileprivate var showsEdits: Bool { modified < changed }
}

extension RestingDocument {
  /// - Parameters:
  ///   - former: the document as it rested until now; `nil` for one that is new.
  ///   - staged: the file's status before it got its name: no one can have changed it by then.
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
    // No program is open for that many arrivals; the first one is what it shows then.
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
