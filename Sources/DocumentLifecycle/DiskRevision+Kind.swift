internal import DocumentFiles
internal import Foundation

extension DiskRevision {
  /// Throws an error if a file would replace this folder, or the reverse: members that versions leave out would be lost.
  ///
  /// An app's format determines what it writes.
  func refuseReplacement(by contents: DocumentContents, as form: DiskForm, at url: URL) throws {
    let becomesPackage = if case .package = contents { true } else { false }
    guard form.format == nil, isPackage != becomesPackage else { return }
    let kinds = isPackage ? ("folder", "file") : ("file", "folder")
    throw FileError(
      .unsupportedKind, path: try url.filePath,
      message:
        "“\(Printable.text(url.lastPathComponent))” is a \(kinds.0), and isn’t replaced by a \(kinds.1)."
    )
  }
}
