internal import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

extension Saving {
  /// Records the file of a document that was written without making a version, so that the document is
  /// recognized when that file is moved; does nothing if the store is in use.
  ///
  /// - Parameter isOwn: returns whether the file still is that of a caller that made it from what the document showed,
  ///   with all that was written over it.
  package func recordFile(of document: URL, isOwn: () throws -> Bool) {
    tidyUp {
      var environment = environment
      environment.lockTimeout = .zero
      let location = try DocumentLocation(of: document)
      try environment.withWriter(of: location) {
        try $0.reader.document.recordFile($0.location.document)
        try Arrivals.recordEdit(in: $0.reader, isOwn)
      }
    }
  }

  /// Makes a version of a document's contents from before another program wrote or removed its file.
  ///
  /// If the document shows the version that these contents are based on, it shows the new version from then
  /// on, and the present file is an edit of it.
  ///
  /// - Parameters:
  ///   - document: the document, which need not be on disk.
  ///   - base: the version that the contents are based on; `nil` if there is none.
  ///   - isLoaded: whether another program had written the contents, which may ignore what was written over the
  ///     document before.
  ///   - isRead: whether the program that replaced them certainly read these contents before it wrote; otherwise, a
  ///     text that shows nothing of them counts as based on `base`.
  ///   - write: writes the contents to a path without an item.
  /// - Returns: the version; an existing one if it has the same contents.
  func saveFormer(
    of document: URL, base: FileVersion?, isLoaded: Bool = false, isRead: Bool,
    write: (URL) throws -> Void
  ) throws -> SaveOutcome {
    try saving(document, base: base, write: write) { copy, base, reader in
      let base =
        isLoaded ? try ArrivalCheck.origin(of: copy, on: base, in: reader).base : base
      let shown = try reader.heads.base()
      // Another program may have made a version of them in the meantime. An older version with the same
      // contents doesn't count.
      let same = try
        ([base, shown].compactMap { $0 }
        + reader.chain.contents().keys.map { try reader.record($0) })
        .first { record in
          guard copy.content.isSame(as: record.content) else { return false }
          guard let base, record.id != base.id else { return true }
          return try !reader.objects.isAncestor(record.id, of: base.id)
        }
      if let same { return StorePlan(nothingBut: try outcome(same.id, in: reader)) }
      let facts = try facts(of: copy, on: base, in: reader)
      return StorePlan(preview: try outcome(nil, in: reader)) { writer in
        let isShown = base?.id == shown?.id
        let record = try writer.append(facts, to: base, of: copy)
        if isShown {
          if !isRead { try Arrivals.record(record, in: reader) }
          try writer.setBase(record)
        }
        return try outcome(record.id, isNew: true, in: reader)
      }
    }
  }

  /// Makes a version of contents that aren't in a document's file, and that an app may write over it next.
  ///
  /// The document still shows the same version. If a crash follows the app's write, the file is recognized as the new
  /// version.
  ///
  /// - Parameters:
  ///   - document: the document, which need not be on disk.
  ///   - base: the version that the contents are based on; `nil` if there is none.
  ///   - note: a note about the version.
  ///   - write: writes the contents to a path without an item.
  /// - Returns: the version; the base if it has the same contents.
  func saveBeside(
    _ document: URL, base: FileVersion?, note: String?, write: (URL) throws -> Void
  ) throws -> SaveOutcome {
    try saving(document, base: base, write: write) { copy, base, reader in
      if let base, copy.content.isSame(as: base.content) {
        return StorePlan(preview: try outcome(base.id, in: reader)) { _ in
          try Arrivals.expect(base, in: reader)
          return try outcome(base.id, in: reader)
        }
      }
      let facts = try facts(of: copy, on: base, note: note, in: reader)
      return StorePlan(preview: try outcome(nil, in: reader)) { writer in
        let record = try writer.append(facts, to: base, of: copy, isInCharge: true)
        try Arrivals.expect(record, in: reader)
        return try outcome(record.id, isNew: true, in: reader)
      }
    }
  }

  /// Plans a version of contents that aren't in a document's file.
  private func saving(
    _ document: URL, base: FileVersion?, write: (URL) throws -> Void,
    _ plan: (WorkingCopy, Record?, StoreReader) throws -> StorePlan<SaveOutcome>
  ) throws -> SaveOutcome {
    let location = try DocumentLocation(of: document)
    return try environment.reportingErrors(of: location) {
      let folder = ContainerFile.temporary.path(in: location.container)
        .appending(DocumentIdentifier.random().description)
      try Folder.create(folder, permissions: 0o700)
      defer { tidyUp { try Folder.removeTree(folder) } }
      let place = folder.appending("contents")
      try write(URL(filePath: place.string))
      let copy = try WorkingCopy.read(
        place, named: ContainerPath.name(of: location.path),
        leavingOut: IgnoreRules(forMembersOf: location), clock: environment.fileClock,
        meter: environment.meter)
      if try !location.hasVersions(by: environment.fileClock) {
        _ = try beginStore(of: location, base: base, identifier: .random(), holding: copy)
      }
      return try environment.changing(location) { reader in
        try plan(copy, base.map { try reader.knownRecord($0) }, reader)
      }
    }
  }

  private func facts(
    of copy: WorkingCopy, on base: Record?, note: String? = nil, in reader: StoreReader
  ) throws -> Record.Facts {
    var facts = try reader.facts(
      .save, following: base, content: copy.content, modified: copy.modified, note: note)
    if let permissions = copy.permissions { facts.permissions = permissions }
    return facts
  }

  private func outcome(
    _ id: ObjectID?, isNew: Bool = false, in reader: StoreReader
  ) throws -> SaveOutcome {
    SaveOutcome(
      version: try id.map { try reader.version($0) } ?? reader.currentVersion(), isNew: isNew,
      missedVersion: nil, isInConflict: try reader.heads.divergent().count > 1)
  }
}
