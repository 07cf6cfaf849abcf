import Foundation
import Testing

@Suite("Typed errors")
struct TypedErrorTests {
  /// Programs, and modules for tests and demonstrations.
  private static let exempt: Set<String> = ["DocumentScenarios", "DocumentPage"]

  /// Foundation's errors don't have our codes; a full disk would be its error 640.
  @Test(
    "The library writes, copies, moves and removes files through DocumentFiles, or translates Foundation’s errors"
  )
  func foundation() throws {
    let calls =
      #/
      anager(\.default)?\.(copyItem|moveItem|replaceItem|removeItem|createDirectory|createFile|setAttributes)\(
      | FileHandle\( | [dD]ata(\([^()]*\))?\.write\(to:\ [^&]
      /#
    for (file, target) in try Project.swiftFiles()
    where !target.hasPrefix("docversions") && !Self.exempt.contains(target) {
      let lines = SourceText(try String(contentsOf: file, encoding: .utf8)).lines
      for (index, line) in lines.enumerated() where line.contains(calls) {
        let isTranslated = index > 0 && lines[index - 1].contains("FileError.typed(")
        #expect(isTranslated, "\(file.lastPathComponent):\(index + 1): \(line)")
      }
    }
  }
}
