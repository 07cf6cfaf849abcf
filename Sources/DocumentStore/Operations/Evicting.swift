internal import DocumentFiles
package import DocumentGit
internal import Foundation
internal import SystemPackage

/// The state of a document that is about to leave this device, for the place that must have all of it.
package struct EvictedState: Sendable {
  /// The id of the document.
  package let identifier: String
  /// The records of its heads.
  package let heads: Set<ObjectID>
  /// The references of its heads.
  package let references: [(name: String, target: ObjectID)]
  /// The versions whose contents are here, with the commits under which these are published.
  package let contents: [ObjectID: ObjectID]
}

/// Takes documents off this device; their files and stores are removed here, and other devices keep both.
struct Evicting {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Takes a document off this device if nothing of it is only here.
  ///
  /// The file is removed first, and only if it is unchanged since it was read. A crash then leaves the store
  /// of a missing document with a mark that it was leaving, so the document doesn't count as deleted, and the
  /// next eviction continues. Finally, the store gets the name of an incomplete one, and is removed.
  ///
  /// - Parameter check: throws an error unless all of it is elsewhere; runs while the document is locked.
  func evict(_ location: DocumentLocation, _ check: (EvictedState) throws -> Void) throws {
    try environment.withWriter(of: location) { writer in
      let reader = writer.reader
      let place = reader.location
      let present = try readUnchanged(reader)
      try refuseWhatIsOnlyHere(reader)
      // A deletion has none.
      let records = try reader.chain.contents().keys.map(reader.record).filter { $0.content != nil }
      let contents = try records.map {
        ($0.id, try ContentCommit.make(for: $0, predecessors: []).content.id)
      }
      try check(
        EvictedState(
          identifier: reader.documentIdentifier.description,
          heads: Set(try reader.heads.all().map(\.record.id)),
          references: try reader.heads.all().map { ($0.name, $0.target) },
          contents: Dictionary(contents, uniquingKeysWith: { $1 })))
      if let present {
        try LiveDatabase.refuseWriting(place.document)
        try FileUse.check(place.document)
        try LeavingMark.write(of: reader)
        // The next exchange finds that it is gone, even if nothing else happens here.
        tidyUp { try ChangeJournal(of: place.container).record([place.path]) }
        try DocumentWriter.remove(
          place.document, displacing: present.listing, mark: reader.documentIdentifier.description)
      }
      try StoreCreation.remove(place.store)
    }
  }

  /// Removes the store of a document whose eviction was interrupted, if nothing has changed it since.
  func finish(_ location: DocumentLocation) throws {
    guard try LeavingMark.isLeft(at: location) else { return }
    try environment.withWriter(of: location) { writer in
      let reader = writer.reader
      guard try reader.document.copy() == nil, try LeavingMark.isThere(of: reader) else { return }
      try StoreCreation.remove(reader.location.store)
    }
  }

  /// Reads the document on disk, which must show its only head; nil if an eviction has already removed it.
  private func readUnchanged(_ reader: StoreReader) throws -> WorkingCopy? {
    let name = reader.location.printable
    let heads = try reader.heads.divergent()
    guard heads.count < 2 else {
      throw VersionError(
        .unresolvedConflict, document: name,
        message: "“\(name)” has an unresolved conflict, and stays on this device.")
    }
    guard let present = try reader.document.copy() else {
      if try LeavingMark.isThere(of: reader) { return nil }
      throw refusal(name, "“\(name)” is not on the disk.", "Restore or delete it.")
    }
    guard let shown = try reader.document.shownVersion(present), shown.id == heads.first?.record.id
    else {
      throw refusal(name, "“\(name)” has edits that are no version yet.", "Save it, and sync.")
    }
    let readership = try (shown.facts.permissions?.readership ?? .everyone)
      .intersection(.inside(reader.location.store.parentFolder))
    if present.permissions != nil, present.readership.isNarrower(than: readership) {
      throw refusal(
        name, "“\(name)” was made private since it was saved, and would come back as it was saved.",
        "Save an edit of it, and sync.")
    }
    return present
  }

  private func refuseWhatIsOnlyHere(_ reader: StoreReader) throws {
    let name = reader.location.printable
    let contents = try reader.chain.contents()
    if contents.values.contains(where: \.marks.isPinned) {
      throw VersionError(
        .pinnedVersion, document: name,
        message: "“\(name)” has pinned versions, which are kept on this device.",
        hint: "Unpin them first.")
    }
    let withdrawn = try reader.withdrawnVersions()
    let removed = try reader.trash.removedContents().keys.filter { !withdrawn.contains($0) }
    guard removed.isEmpty else {
      throw refusal(
        name, "“\(name)” has removed versions that can still be brought back on this device only.",
        "Bring them back, or wait until they are gone.")
    }
  }

  private func refusal(_ name: String, _ message: String, _ hint: String) -> VersionError {
    VersionError(.onlyHere, document: name, message: message, hint: hint)
  }
}

/// The mark in a store that its document is leaving this device with its present heads.
///
/// The file `leaving` lists the heads. On a full disk, which has no room for the list, the mark is an empty file
/// whose name includes the digest of the heads.
package enum LeavingMark {
  /// Returns whether an eviction of a document was interrupted after it had removed the file.
  package static func isLeft(at location: DocumentLocation) throws -> Bool {
    guard try FileStatus.of(location.document) == nil,
      try FileStatus.of(location.store)?.kind == .folder
    else { return false }
    let name = Array(StoreFile.leaving.name.utf8)
    return try !Folder.names(in: location.store, beginningWith: name).isEmpty
  }

  static func write(of reader: StoreReader) throws {
    let heads = try heads(of: reader)
    do {
      try SmallFile.replace(StoreFile.leaving.path(in: reader.location.store), heads)
    } catch let error as FileError where error.code == .noSpace {
      try SmallFile.replace(emptyFile(for: heads, in: reader), [])
    }
  }

  /// Returns whether the document was leaving in its present state.
  static func isThere(of reader: StoreReader) throws -> Bool {
    let heads = try heads(of: reader)
    return try SmallFile.read(StoreFile.leaving.path(in: reader.location.store)) == heads
      || FileStatus.of(emptyFile(for: heads, in: reader)) != nil
  }

  private static func emptyFile(for heads: [UInt8], in reader: StoreReader) -> FilePath {
    reader.location.store.appending("\(StoreFile.leaving.name)-\(ObjectID(of: .blob, heads))")
  }

  private static func heads(of reader: StoreReader) throws -> [UInt8] {
    let heads = try reader.heads.all().map { "\($0.name) \($0.target)\n" }
    return Array(heads.sorted().joined().utf8)
  }
}

extension StoreEnvironment {
  /// Completes an interrupted eviction; does nothing to any other document.
  package func finishEviction(of location: DocumentLocation) throws {
    try Evicting(self).finish(location)
  }
}
