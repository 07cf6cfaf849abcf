package import DocumentFiles
package import DocumentGit
package import SystemPackage

/// The contents in this device's copy of a remote, of which documents are written that rest.
package struct RestingContents {
  private let contents: StoredContents

  /// - Parameter mirror: the name of the copy.
  package init(in mirror: String, of container: FilePath) throws {
    contents = StoredContents(objects: try VersionObjects(ofMirror: mirror, in: container))
  }

  /// Writes the document of a version beside its place.
  package func stage(
    _ record: Record, of identity: DocumentIdentity, at place: FilePath
  ) throws -> DocumentWriter.StagedItem {
    try Folder.create(place.parentFolder)
    return try DocumentWriter.stage(
      place, contents.item(of: record).recorded(record.facts.permissions), displacing: nil,
      mark: identity.identifier.description, modified: record.facts.modifiedInNanoseconds)
  }

  /// Refuses a version that couldn't be written, or isn't whole.
  package func check(_ record: Record) throws {
    guard let content = record.content else { return }
    try contents.objects.repository.checkWhole(content)
    try contents.checkArrival(of: record, besides: [], takingRepositories: false)
  }

  /// Returns whether a container may have documents that rest: nobody but its owner can write in it, since nobody else can
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
    // By the clock of the file system, which may stand still for a while: an edit gets a time no earlier than that of this
    // status, and so another one than the version's.
    return status.modified < status.changed
  }
}

extension RestingDocument {
  /// - Parameters:
  ///   - staged: the file's status before it got its name: nobody can have changed it by then.
  ///   - place: the file.
  package init?(
    path: String, identity: DocumentIdentity, mirror: String, head: ObjectID,
    contents: [ObjectID], versions: Int, staged: FileStatus, at place: FilePath
  ) throws {
    guard let mark = try WorkingFileEntry.mark(of: place), let now = try FileStatus.of(place)
    else { return nil }
    self.path = path
    self.identity = identity
    self.mirror = mirror
    self.head = head
    self.contents = contents
    self.versions = versions
    self.mark = mark
    device = staged.device
    // A name changes only the last of its times.
    let isSame =
      now.isSameItem(as: staged) && now.size == staged.size && now.modified == staged.modified
    stamp = FileStamp(isSame ? now : staged)
  }
}
