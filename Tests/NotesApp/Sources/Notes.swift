import DocumentVersions
import Foundation

final class Note: Document {
  var text = "" { didSet { if text != oldValue { updateChangeCount(.done) } } }

  override func contents(forType type: String) throws -> DocumentContents {
    .data(Data(text.utf8))
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
  }
}

/// Makes a note in a folder, writes it twice, and lists its versions: `notes FOLDER`.
@main
struct Notes {
  static func main() async throws {
    let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
    let note = Note(
      fileURL: try DocumentName.unused(in: folder, prefix: "Note", pathExtension: "md"))
    try await note.create()
    note.text = "Tent\n"
    try await note.save(note: "first list")
    note.text = "Tent\nStove\n"
    try await note.close()

    try await note.open()
    print(note.localizedName, note.text.count, note.state == [])
    for version in try await VersionStore().history(of: note.fileURL).versions {
      print(version.note ?? "-", version.size)
    }
    try await note.close()
  }
}
