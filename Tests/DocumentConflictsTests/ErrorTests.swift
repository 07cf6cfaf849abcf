import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

@Suite("Errors as Foundation shows them")
struct ErrorTests {
  @Test("Their sentences are what an alert shows, and their hints what it suggests")
  func localized() throws {
    let folder = try ScratchFolder()
    try folder.write("1", to: "a.md")
    let unsaved = #expect(throws: VersionError.self) {
      _ = try SynchronousStore().history(of: folder["a.md"])
    }
    #expect(unsaved?.localizedDescription == "“a.md” has no versions yet.")
    #expect(unsaved?.recovery == .saveFirst)
    #expect(unsaved?.recoverySuggestion == "Save the document first.")
    let missing = #expect(throws: FileError.self) { try SynchronousStore().save(folder["b.md"]) }
    #expect(missing?.localizedDescription == missing?.message)
    let tooDeep = MergeError(.tooDeep, "It is nested too deeply.")
    #expect((tooDeep as any Error).localizedDescription == "It is nested too deeply.")
  }
}
