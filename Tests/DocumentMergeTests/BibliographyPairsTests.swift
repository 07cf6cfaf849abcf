import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a bibliography")
struct BibliographyPairsTests {
  private static let base = """
    % Books of the harbour
    @string{mit = "MIT Press"}

    @book{Sea99,
      title = {The {Sea}},
      author = {Ida Holm and Tom Berg},
      year = 1999,
      publisher = mit
    }

    @article{boat,
      title = "Boats",
      journal = {Water},
    }

    A word between them.

    @misc{oar, title = {Oars}, year = {2001}}

    """

  private static let new = "@misc{oar"

  private static let edits = [
    Edit("change a title", ("The {Sea}", "The {Ocean}")),
    Edit("change it otherwise", ("The {Sea}", "The Waves")),
    Edit("change the next field", ("Ida Holm and", "Ida Holm and Mira Lund and")),
    Edit("change the year", ("1999", "2000")),
    Edit("change the last field", ("publisher = mit", "publisher = {Springer}")),
    Edit("add a field at the end", ("publisher = mit", "publisher = mit,\n  isbn = {1}")),
    Edit("add another field at the end", ("publisher = mit", "publisher = mit,\n  pages = {9}")),
    Edit("remove a field", ("  year = 1999,\n", "")),
    Edit("rename a field", ("journal =", "booktitle =")),
    Edit("write a field in capitals", ("journal =", "JOURNAL =")),
    Edit("change the journal", ("{Water}", "{Winds}")),
    Edit("set in otherwise", ("\n  ", "\n    ")),
    Edit("change the type", ("@article{boat", "@inproceedings{boat")),
    Edit("change the type otherwise", ("@article{boat", "@misc{boat")),
    Edit("change the key", ("@article{boat", "@article{boats")),
    Edit(
      "remove the entry", ("@article{boat,\n  title = \"Boats\",\n  journal = {Water},\n}\n\n", "")),
    Edit("change on one line", ("{Oars}", "{The Oars}")),
    Edit("change beside it", ("{2001}", "{2002}")),
    Edit("change a string", ("MIT Press", "The MIT Press")),
    Edit("change the first comment", ("% Books of the harbour", "% Books")),
    Edit("change another comment", ("A word between", "Words between")),
    Edit("add an entry", (new, "@book{sail,\n  title = {Sails}\n}\n\n@misc{oar")),
    Edit("add another entry", (new, "@book{mast,\n  title = {Masts}\n}\n\n@misc{oar")),
    Edit("add it otherwise", (new, "@book{sail,\n  title = {Sailing}\n}\n\n@misc{oar")),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(forFileName: "harbour.bib")
    try EditPairs(name: "bibliography", engine: engine, base: Self.base, edits: Self.edits) {
      let lines = $0.replacingOccurrences(of: "\r\n", with: "\n")
      return try BibliographyFormat().valueHash(of: lines)
    }.check()
  }
}
