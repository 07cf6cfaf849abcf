import DocumentMerge
import Foundation
import Testing

/// A merge of a document of a format, as a folder in `Fixtures/formats`.
///
/// | file | |
/// | --- | --- |
/// | `base`, `ours`, `theirs` | the sides, with the extension of their type |
/// | `NAME` | the document's name, unless it is `document` with that extension |
/// | `expected` | the merged document; without it, a person has to decide |
struct FormatCase: Sendable, CustomTestStringConvertible {
  let folder: URL
  let merge: FileMerge

  var format: String { folder.deletingLastPathComponent().lastPathComponent }
  var testDescription: String { "\(format)/\(folder.lastPathComponent)" }

  static let root = MergeFixture.root.appending(path: "../formats").standardizedFileURL

  static let all: [FormatCase] = MergeFixture.folders(in: root).flatMap { format in
    MergeFixture.folders(in: format).compactMap { FormatCase($0) }
  }

  private init?(_ folder: URL) {
    let fixture = MergeFixture(folder: folder)
    func text(_ name: String) -> String? {
      (try? fixture.contents(name)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
    }
    guard let base = text("base"), let ours = text("ours"), let theirs = text("theirs"),
      let file = try? fixture.file("ours")
    else { return nil }
    let suffix = file.pathExtension
    let name = text("NAME")?.trimmingCharacters(in: .whitespacesAndNewlines)
    self.folder = folder
    merge = FileMerge(
      name ?? "document.\(suffix)", base, ours, theirs, gives: text("expected"))
  }
}
