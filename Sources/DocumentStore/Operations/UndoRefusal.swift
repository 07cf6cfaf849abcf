internal import DocumentFiles
internal import DocumentGit

/// The reasons why the last operation can’t be undone.
struct UndoRefusal {
  private let reader: StoreReader

  init(_ reader: StoreReader) {
    self.reader = reader
  }

  func afterRemoval() -> VersionError {
    VersionError(
      .nothingToUndo, document: reader.location.printable,
      message: """
        Versions of “\(reader.location.printable)” were removed, and others arrived since; that can’t be undone as one.
        """,
      recovery: .listRemovedVersions)
  }

  func afterImport(of copy: Record) -> VersionError {
    VersionError(
      .nothingToUndo, document: reader.location.printable,
      message: """
        The last operation on “\(reader.location.printable)” was the import of a copy, \(copy.shortName), which is in \
        conflict with it.
        """,
      recovery: .keepDocument(overCopy: FileVersion.PersistentIdentifier(copy.id).description))
  }

  /// - Parameter rename: the version that gave the document’s name to another document, which became part of it.
  func afterJoin(of rename: Record) throws -> VersionError {
    let name = reader.location.printable
    let former = try rename.parents.first.map { try reader.record($0).facts.path } ?? ""
    return VersionError(
      .nothingToUndo, document: name,
      message: """
        The last operation on “\(name)” was joining “\(Printable.text(former))” with it; that can’t be undone.
        """,
      hint: """
        To part them, write version \(FileVersion.PersistentIdentifier(rename.id).short) to a place of its own, and \
        resolve the conflict by keeping the other version.
        """)
  }

  func ofLast(_ last: Record?) throws -> VersionError {
    let name = reader.location.printable
    guard let last else { throw reader.location.noVersionsHere }
    let who = "\(Printable.text(last.facts.author)) on \(Printable.text(last.facts.device))"
    let back = last.parents.first.map {
      ErrorRecovery.restore(version: FileVersion.PersistentIdentifier($0).description)
    }
    if last.facts.kind == .move {
      return VersionError(
        .nothingToUndo, document: name,
        message: "The last operation on “\(name)” was \(last.facts.kind.inWords) by \(who).",
        hint: try wayBack(before: last))
    }
    guard last.facts.kind == .undo else {
      return VersionError(
        .nothingToUndo, document: name,
        message: """
          The last operation on “\(name)” was no resolution, restoring or removal that could be undone, but \
          \(last.facts.kind.inWords) by \(who).
          """,
        recovery: back)
    }
    // A side of a conflict that is open again has its author, and not the person who opened it.
    let isReopened = try reader.merging.undoneSide(of: last) != nil
    let agent = isReopened ? "" : ", by \(who)"
    return VersionError(
      .nothingToUndo, document: name,
      message: "The last operation on “\(name)” was undone already\(agent).",
      recovery: isReopened ? .resolveAsking : back)
  }

  /// Returns the next step after a move from another container that can't be undone.
  private func wayBack(before move: Record) throws -> String {
    guard let former = try OtherPlace.read(in: reader.location.store), former.record == move.id,
      try FileStatus.of(former.document) != nil
    else { return "Move it back to undo that." }
    return """
      There is a document again where it was, “\(former.document.printable)”. Move it back under another name.
      """
  }
}

extension VersionKind {
  /// The kind in words, as a past operation.
  fileprivate var inWords: String {
    switch self {
    case .move: "its move from another folder of documents"
    case .join: "a joining of versions that agree"
    case .importCopy: "the import of a copy"
    case .remove: "the removal of versions from every device"
    default: "a save"
    }
  }
}
