internal import DocumentFiles
internal import Foundation

/// Deletes documents on every device.
struct Deleting {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Deletes a document; see ``VersionStore/delete(_:)``.
  ///
  /// - Parameter isGone: whether its file is expected to be gone, so that a file that exists again isn't
  ///   deleted.
  func delete(_ document: URL, isGone: Bool = false) throws -> FileVersion {
    try environment.changing(document, links: .refused) { reader in
      let present = try reader.document.copy()
      guard !isGone || present == nil else {
        throw FileError(
          .changing, path: reader.location.document,
          message: "“\(reader.location.printable)” is there again.")
      }
      if isGone, try LeavingMark.isThere(of: reader) {
        throw FileError(
          .changing, path: reader.location.document,
          message: "“\(reader.location.printable)” was leaving this device, and is not deleted.")
      }
      if present == nil, let whole = try OtherPlace.joinedDocument(of: reader.location) {
        throw VersionError(
          .invalidArgument, document: reader.location.printable,
          message: """
            “\(reader.location.printable)” is part of “\(whole.printable)”, with which it was joined, and is not deleted.
            """,
          hint: "Join them again, which ends what was interrupted.")
      }
      return StorePlan(preview: try reader.currentVersion()) { writer in
        if present != nil {
          try LiveDatabase.refuseWriting(reader.location.document)
          // Checked before the deletion is recorded: one that can't be carried out must not be found later.
          try DocumentWriter.checkNames(
            around: reader.location.document, mark: reader.documentIdentifier.description)
        }
        try writer.keepEdits(present, isWrittenOver: true)
        let base = try reader.heads.base() ?? reader.heads.current()
        let former = try writer.referenceState()
        let record =
          try base.content == nil
          ? base
          : writer.append(
            reader.facts(.delete, following: base, content: nil), to: base, isInCharge: true)
        try writer.show(record, replacing: present, orElse: former)
        return try reader.version(record.id)
      }
    }
  }
}
