import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a set of lines")
struct LineSetPairsTests {
  private static let base = """
    # What the harbour needs
    -r other.txt
    boat==1.0
    Sail_cloth>=2.0 ; python_version < "4"

    # for tests
    oar==3.0
    rope==4.0

    """

  private static let edits = [
    Edit("raise a version", ("boat==1.0", "boat==1.1")),
    Edit("raise it otherwise", ("boat==1.0", "boat==1.2")),
    Edit("raise the next one", (">=2.0", ">=2.1")),
    Edit("spell a name otherwise", ("Sail_cloth", "sail-cloth")),
    Edit("remove a package", ("boat==1.0\n", "")),
    Edit("rename a package", ("boat==", "ship==")),
    Edit("rename it otherwise", ("boat==", "yacht==")),
    Edit("change a comment", ("# for tests", "# to test")),
    Edit("change an option", ("other.txt", "more.txt")),
    Edit("append a package", ("rope==4.0\n", "rope==4.0\nmast==5.0\n")),
    Edit("append another package", ("rope==4.0\n", "rope==4.0\nflag==6.0\n")),
    Edit("append it in another version", ("rope==4.0\n", "rope==4.0\nmast==5.1\n")),
    Edit("add it at the start", ("-r other", "mast==5.0\n-r other")),
    Edit("sort", ("oar==3.0\nrope==4.0\n", "rope==4.0\noar==3.0\n")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(forFileName: "requirements.txt")
    try EditPairs(name: "set", engine: engine, base: Self.base, edits: Self.edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try LineSetFormat(form: .requirements).valueHash(of: lines)
    }.check()
  }
}
