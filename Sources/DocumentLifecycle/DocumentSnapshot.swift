/// What a document holds at one moment, and how that is written.
struct DocumentSnapshot: Sendable {
  let contents: DocumentContents
  let form: DiskForm
  /// The moment in the sequence of changes.
  let moment: ChangeCount.Token
  /// The extension that the document gets, where it is saved as another type.
  let newExtension: String?

  /// Asks the document.
  ///
  /// - Throws: what ``Document/contents(forType:)`` and ``Document/fileAttributes(for:)`` throw.
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
