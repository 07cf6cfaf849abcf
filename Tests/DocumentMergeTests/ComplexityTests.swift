import DocumentMerge
import DocumentTestSupport
import Foundation
import Testing

/// Documents in which both sides changed nearly everything: merging four times as much may not take much more
/// than four times as long.
@Suite("Merging documents that changed nearly everywhere")
struct ComplexityTests {
  /// A kind of documents.
  struct Form: Sendable, CustomTestStringConvertible {
    let fileName: String
    let note: String
    let head: String
    let tail: String
    var separator = ""
    let record: @Sendable (Int, String) -> String

    var testDescription: String { fileName + ": " + note }

    func document(_ records: [(number: Int, text: String)]) -> [UInt8] {
      Array(
        (head + records.map { record($0.number, $0.text) }.joined(separator: separator) + tail).utf8
      )
    }
  }

  private static let forms: [Form] = [
    Form(fileName: "a.strings", note: "comments", head: "", tail: "") {
      "/* \($0 % 100) */\n\"k\($0)\" = \"\($1)\";\n"
    },
    Form(fileName: "a.json", note: "texts", head: "[\n", tail: "\n]\n", separator: ",\n") {
      "  \"\($1) \($0)\""
    },
    Form(fileName: "a.json", note: "records", head: "[\n", tail: "\n]\n", separator: ",\n") {
      "  {\"id\": \"r\($0)\", \"name\": \"\($1)\"}"
    },
    Form(fileName: "a.xml", note: "elements", head: "<r>\n", tail: "</r>\n") {
      "  <i id=\"\($0)\"><n>\($1)</n></i>\n"
    },
    Form(fileName: "a.yaml", note: "texts", head: "", tail: "") { "- \($1) \($0)\n" },
    Form(fileName: "a.csv", note: "rows", head: "id,name\n", tail: "") { "\($0),\($1)\n" },
    Form(fileName: "a.toml", note: "tables", head: "", tail: "") {
      "[[i]]\nid = \"\($0)\"\nname = \"\($1)\"\n\n"
    },
    Form(fileName: "a.po", note: "entries", head: "", tail: "") {
      "#: a.c:\($0)\nmsgid \"m\($0)\"\nmsgstr \"\($1)\"\n\n"
    },
    Form(fileName: "a.ini", note: "sections", head: "", tail: "") { "[s \($0)]\nname = \($1)\n\n" },
    Form(
      fileName: "a.ics", note: "appointments", head: "BEGIN:VCALENDAR\n", tail: "END:VCALENDAR\n"
    ) { "BEGIN:VEVENT\nUID:\($0)\nSUMMARY:\($1)\nEND:VEVENT\n" },
    Form(fileName: "a.bib", note: "works", head: "", tail: "") {
      "@misc{k\($0),\n  title = {\($1)}\n}\n\n"
    },
    Form(fileName: "requirements.txt", note: "packages", head: "", tail: "") {
      "p\($0)==\($1.filter(\.isNumber))\n"
    },
  ]

  /// A change of nearly all records.
  enum Change: String, CaseIterable {
    case shuffle, insert, edit, renumber
  }

  private func changed(
    _ records: [(number: Int, text: String)], _ change: Change
  ) -> [(number: Int, text: String)] {
    var random = SeededGenerator(seed: 7)
    switch change {
    case .shuffle: return records.shuffled(using: &random)
    case .insert:
      return records.flatMap { $0.number % 3 == 0 ? [$0, (1_000_000 + $0.number, "new")] : [$0] }
    case .edit: return records.map { ($0.number, $0.number % 2 == 0 ? $0.text + " more" : $0.text) }
    case .renumber: return records.enumerated().map { ($0.offset + 1, $0.element.text) }
    }
  }

  /// Returns the processor time of this thread for a merge, in nanoseconds.
  private func time(_ form: Form, _ ours: Change, _ theirs: Change, count: Int) throws -> UInt64 {
    var random = SeededGenerator(seed: 3)
    let base = (0..<count).map {
      (number: $0, text: "text \(Int.random(in: 0..<9999, using: &random))")
    }
    let sides = MergeSides(
      base: form.document(base), ours: form.document(changed(base, ours)),
      theirs: form.document(changed(base, theirs)))
    let engine = MergeEngines().engine(forFileName: form.fileName)
    let start = processorTime()
    _ = try engine.merge(sides, options: MergeOptions())
    return processorTime() - start
  }

  @Test(
    "Four times as many records take at most eight times as long", arguments: forms,
    [[Change.edit, .edit], [.insert, .shuffle], [.insert, .renumber], [.shuffle, .shuffle]])
  func growth(form: Form, changes: [Change]) throws {
    func time(_ count: Int) throws -> UInt64 {
      try self.time(form, changes[0], changes[1], count: count)
    }
    let limit = try 8 * min(time(1000), time(1000)) + 20_000_000
    var large = try time(4000)
    // A slow merge is measured again, because other work on the machine disturbs a measurement.
    if large >= limit { large = try min(large, time(4000)) }
    #expect(large < limit, "\(large / 1000) µs, and at most \(limit / 1000) µs")
  }
}

/// The processor time of this thread, in nanoseconds.
private func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
