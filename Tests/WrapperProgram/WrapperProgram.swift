import DocumentVersions
import Foundation

/// A program for tests that reads a package as an app does, edits it, and saves it in place.
///
/// `WrapperProgram PACKAGE`: the text is replaced, a page added, the old one removed; the picture stays as it is.
@main
struct WrapperProgram {
  static func main() {
    do {
      try edit(URL(filePath: CommandLine.arguments.dropFirst().joined(separator: " ")))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func edit(_ package: URL) throws {
    let document = try DocumentWrapper(url: package)
    let members = try document.fileWrappers
    if let text = members["Text.txt"] {
      try document.replaceChild(
        forKey: "Text.txt",
        with: DocumentWrapper(
          regularFileWithContents: text.regularFileContents + Data("more\n".utf8)))
    }
    if let old = members["Old.txt"] { try document.removeFileWrapper(old) }
    if let pages = members["Pages"], try pages.fileWrappers["2.txt"] == nil {
      try pages.addRegularFile(withContents: Data("two\n".utf8), preferredFilename: "2.txt")
    }
    try document.write(
      to: package, options: [.atomic, .withNameUpdating], originalContentsURL: package)
  }
}
