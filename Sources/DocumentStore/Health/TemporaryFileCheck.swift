internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Finds temporary files of interrupted processes: locks, files that were being replaced, and incomplete
/// stores and documents.
struct TemporaryFileCheck {
  let location: DocumentLocation
  /// The locks among the references.
  let locks: [String]
  let objects: StoredObjects
  let findings: FindingList

  func run() throws {
    for name in locks { report(name, in: "The store") }
    for name in try names(in: location.store)
    where name.hasSuffix(StoreFile.lockSuffix) || name.hasSuffix(StoreFile.newSuffix) {
      report(name, in: "The store")
    }
    for name in try names(in: StoreFile.packs.path(in: location.store))
    where objects.repository.isTemporary(pack: name) {
      report(StoreFile.packs.prefix + name, in: "The store")
    }
    for name in try names(in: location.store.parentFolder) where Layout.isTemporary(name) {
      report(name, in: "The folder of stores")
    }
    for name in try names(in: location.document.parentFolder)
    where Self.isTemporary(Array(name.utf8)) {
      report(name, in: "The document’s folder")
    }
  }

  private func report(_ name: String, in place: String) {
    findings.notice(
      .leftover, "\(place) has a “\(Printable.text(name))”: a process is at work, or left it.",
      file: name)
  }

  /// Returns whether a name belongs to a document that was being put in place.
  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.starts(with: ".docversions-".utf8) && name.suffix(4) == Array(".tmp".utf8)[...]
  }

  private func names(in folder: FilePath) throws -> [String] {
    guard try FileStatus.of(folder)?.kind == .folder else { return [] }
    return try Folder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Checks the facts that identify the document's file.
struct WorkingFileCheck {
  let store: FilePath
  let findings: FindingList

  func run() throws {
    let file = StoreFile.workingFile
    guard try FileStatus.of(file.path(in: store)) != nil else { return }
    do {
      guard try WorkingFileEntry(in: store) == nil else { return }
      findings.notice(
        .workingFile, "The entry for the document’s file can’t be read; it is made again.",
        file: file.name)
    } catch let error as FileError where error.code == .tooLarge {
      findings.damage(
        .workingFile, "The entry for the document’s file is too large.", file: file.name)
    } catch let error as FileError where error.code == .unsupportedKind {
      // This is reported as a misplaced item.
    }
  }
}

/// Checks that every copy that was returned of a version equals the version.
struct CheckoutCheck {
  let store: FilePath
  let records: [ObjectID: Record]
  /// The clock to compare file times with.
  let clock: FileClock
  let meter: ByteMeter
  let findings: FindingList

  func run() throws {
    let folder = StoreFile.checkouts.path(in: store)
    guard try FileStatus.of(folder)?.kind == .folder else { return }
    for name in try Folder.names(in: folder) {
      let file = StoreFile.checkouts.prefix + String(decoding: name, as: UTF8.self)
      let path = folder.appending(bytes: name)
      guard let id = ObjectID(hexadecimal: name), let record = records[id],
        try FileStatus.of(path)?.kind == .folder
      else {
        findings.notice(.checkout, "A copy of a version is kept that is not known.", file: file)
        continue
      }
      for copy in try Folder.names(in: path) where !TemporaryFileCheck.isTemporary(copy) {
        try check(path.appending(bytes: copy), against: record, file: file)
      }
    }
  }

  private func check(_ copy: FilePath, against record: Record, file: String) throws {
    try meter.check()
    var isSame = false
    do {
      isSame = try WorkingCopy.read(copy, named: "copy", clock: clock).content.isSame(
        as: record.content)
    } catch let error as FileError where error.code != .notPermitted && error.code != .system {}
    if !isSame {
      findings.damage(
        .checkout,
        "The exported copy of \(record.shortName) differs from the version.",
        file: file, versions: [record.id])
    }
  }
}
