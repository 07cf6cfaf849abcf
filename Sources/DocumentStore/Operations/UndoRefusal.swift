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
        hint: "Move it back to undo that.")
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
    let isReopened = try reader.merging.undoneSide(of: last) != nil
    return VersionError(
      .nothingToUndo, document: name,
      message: "The last operation on “\(name)” was undone already, by \(who).",
      recovery: isReopened ? .resolveAsking : back)
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
