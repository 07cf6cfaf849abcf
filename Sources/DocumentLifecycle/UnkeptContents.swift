internal import Foundation

/// The contents of a document's file that may not be a version yet.
struct UnkeptContents: Sendable {
  let contents: DocumentContents
  let form: DiskForm
  /// True if the document wrote the contents, rather than reading them.
  let isWrittenHere: Bool

  /// - Parameters:
  ///   - contents: the app's contents.
  ///   - bytes: the file on disk; `nil` if it isn't known and must be made from the contents.
  init(_ contents: DocumentContents, _ bytes: Data?, _ form: DiskForm, isWrittenHere: Bool) {
    self.contents = bytes.map { .data($0) } ?? contents
    self.form =
      bytes == nil
      ? DiskForm(format: form.format, type: form.type, attributes: form.attributes) : DiskForm()
    self.isWrittenHere = isWrittenHere
  }
}
