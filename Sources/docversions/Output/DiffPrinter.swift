internal import DocumentVersions
internal import Foundation

/// Writes differences: unified hunks, with the changed words marked on a terminal.
struct DiffPrinter {
  /// The document, as the person typed it.
  let document: DocumentArgument
  /// What the two sides are, as "version 7f3a2c1" or "on disk".
  let old: String
  let new: String

  func print(_ diff: DocumentDiff) throws {
    for member in diff.members where member.path != nil {
      let line = "\(member.kind.sign) \(member.path ?? "")"
      let remark = member.remark.map { "  \($0)".asQuiet } ?? ""
      Console.print(member.kind.styled(line) + remark)
    }
    for member in diff.members {
      if member.path == nil, let remark = member.remark {
        Console.print("\(document.shown) \(remark).")
      }
      if let text = member.text { try print(text, of: member) }
    }
  }

  private func print(_ text: TextDiff, of member: DocumentDiff.Member) throws {
    let name = document.shown + (member.path.map { "/\($0)" } ?? "")
    Console.print("--- \(name)\t\(old)".asHeading)
    Console.print("+++ \(name)\t\(new)".asHeading)
    for hunk in text.hunks {
      Console.print(hunk.heading.asPlace)
      if Console.isTerminal {
        for line in marked(text, hunk) { Console.print(line) }
      } else {
        for line in text.lines(of: hunk) { try Console.write(raw(line)[...]) }
      }
    }
  }

  /// The line as it is, so that a patch can be made of it.
  private func raw(_ line: TextDiff.Line) -> [UInt8] {
    let bytes = [UInt8(ascii: line.sign)] + line.text
    if bytes.last == UInt8(ascii: "\n") { return bytes }
    return bytes + Array("\n\\ No newline at end of file\n".utf8)
  }

  /// The hunk's lines, with the words marked that differ between lines that belong together.
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
      let pairs = old.count == new.count ? zip(old, new).map { WordDiff(from: $0, to: $1) } : []
      let isPaired = !pairs.isEmpty && !pairs.contains { $0.isUnrelated }
      let removed = isPaired ? pairs.map(\.oldLine) : old.map(\.asRemoved)
      let added = isPaired ? pairs.map(\.newLine) : new.map(\.asAdded)
      lines += removed.map { "-".asRemoved + $0 } + added.map { "+".asAdded + $0 }
      position = change.old.upperBound
    }
    context(upTo: hunk.old.upperBound)
    return lines
  }
}

extension TextDiff.Line {
  /// The line's first character in a unified diff.
  var sign: Unicode.Scalar {
    switch self {
    case .context: " "
    case .removed: "-"
    case .added: "+"
    }
  }

  /// The line itself.
  var text: ArraySlice<UInt8> {
    switch self {
    case .context(let text), .removed(let text), .added(let text): text
    }
  }
}

extension DocumentDiff.Kind {
  fileprivate var sign: String {
    switch self {
    case .added: "+"
    case .removed: "−"
    case .changed: "~"
    }
  }

  fileprivate func styled(_ line: String) -> String {
    switch self {
    case .added: line.asAdded
    case .removed: line.asRemoved
    case .changed: line.asPlace
    }
  }
}
