internal import DocumentVersions
internal import Foundation

/// Writes differences: unified hunks, with the changed words marked on a terminal.
struct DiffPrinter {
  /// The document, as the user typed it.
  let document: DocumentArgument
  /// The names of the two sides, as "version 7f3a2c1" or "on disk".
  let old: String
  let new: String

  /// Names the differing members, and shows the lines of texts.
  ///
  /// Only one member of a large package is in memory at a time, so each is read for its line, and again to be
  /// shown.
  func print(_ differences: [MemberDifference]) throws {
    var texts: [MemberDifference] = []
    for difference in differences {
      let change = difference.change
      switch try MemberDiff(difference) {
      case .text:
        texts.append(difference)
        if !change.path.isEmpty { print(change, change.modeRemark) }
      case .remark(let remark) where change.path.isEmpty:
        Console.print("\(document.shown) \(remark).")
      case .remark(let remark):
        print(change, remark)
      }
    }
    for difference in texts {
      if difference.change.path.isEmpty, let remark = difference.change.modeRemark {
        Console.print("\(document.shown) \(remark).")
      }
      if let text = try MemberDiff(difference).text { try print(text, of: difference.change) }
    }
  }

  private func print(_ change: MemberChange, _ remark: String?) {
    let line = change.styled("\(change.sign) \(change.name(of: document.shown))")
    Console.print(line + (remark.map { $0.isEmpty ? "" : "  \($0)".asMuted } ?? ""))
  }

  private func print(_ text: TextDiff, of change: MemberChange) throws {
    func name(_ path: String) -> String { document.shown + (path.isEmpty ? "" : "/\(path)") }
    Console.print("--- \(name(change.formerPath ?? change.path))\t\(old)".asHeading)
    Console.print("+++ \(name(change.path))\t\(new)".asHeading)
    for hunk in text.hunks {
      Console.print(hunk.heading.asPlace)
      if Console.isTerminal {
        for line in marked(text, hunk) { Console.print(line) }
      } else {
        for line in text.lines(of: hunk) { try Console.write(raw(line)[...]) }
      }
    }
  }

  /// Returns the unchanged line, so that the output can be used as a patch.
  private func raw(_ line: TextDiff.Line) -> [UInt8] {
    let bytes = [UInt8(ascii: line.sign)] + line.text
    if bytes.last == UInt8(ascii: "\n") { return bytes }
    return bytes + Array("\n\\ No newline at end of file\n".utf8)
  }

  /// Returns the hunk's lines, with the differing words of corresponding lines marked.
  private func marked(_ text: TextDiff, _ hunk: TextDiff.Hunk) -> [String] {
    var lines: [String] = []
    var position = hunk.old.lowerBound
    func context(upTo end: Int) {
      lines += text.old[position..<end].map { " " + TextContent.shown($0) }
      position = end
    }
    for change in hunk.changes {
      context(upTo: change.old.lowerBound)
      let old = text.old[change.old].map(TextContent.shown)
      let new = text.new[change.new].map(TextContent.shown)
      let pairs =
        old.count == new.count ? zip(old, new).compactMap { WordDiff(from: $0, to: $1) } : []
      let isPaired =
        !pairs.isEmpty && pairs.count == old.count && !pairs.contains { $0.isUnrelated }
      let removed = isPaired ? pairs.map(\.oldLine) : old.map(\.asRemoved)
      let added = isPaired ? pairs.map(\.newLine) : new.map(\.asAdded)
      lines += removed.map { "-".asRemoved + $0 } + added.map { "+".asAdded + $0 }
      position = change.old.upperBound
    }
    context(upTo: hunk.old.upperBound)
    return lines
  }
}
