internal import Foundation

/// The contents of a document's file while they are not certainly a version.
struct UnkeptContents: Sendable {
  let contents: DocumentContents
  let form: DiskForm
  /// Whether the document wrote them, and did not read them.
  let isWrittenHere: Bool

  /// - Parameters:
  ///   - contents: what the app has.
  ///   - bytes: the file as it is on disk; nil where that is not known, so that it is what the form makes of the contents.
  init(_ contents: DocumentContents, _ bytes: Data?, _ form: DiskForm, isWrittenHere: Bool) {
    self.contents = bytes.map { .data($0) } ?? contents
    self.form =
      bytes == nil
      ? DiskForm(format: form.format, type: form.type, attributes: form.attributes) : DiskForm()
    self.isWrittenHere = isWrittenHere
  }
}
