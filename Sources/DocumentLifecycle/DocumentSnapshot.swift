/// A document's contents at one moment, and the form to write them in.
struct DocumentSnapshot: Sendable {
  let contents: DocumentContents
  let form: DiskForm
  /// The moment in the sequence of changes.
  let moment: ChangeCount.Token
  /// The document's new extension, if it is saved as another type.
  let newExtension: String?

  /// Takes a snapshot of a document.
  ///
  /// - Throws: the errors of ``Document/contents(forType:)`` and ``Document/fileAttributes(for:)``.
  @MainActor
  init(of document: Document, for operation: SaveOperation) throws {
    let type = operation == .creating ? document.fileType : document.savingFileType
    moment = document.changes.token
    contents = try document.contents(forType: type)
    form = DiskForm(
      format: document.fileFormat, type: type,
      attributes: try document.fileAttributes(for: operation))
    newExtension = type == document.fileType ? nil : document.fileNameExtension(forType: type)
  }
}
