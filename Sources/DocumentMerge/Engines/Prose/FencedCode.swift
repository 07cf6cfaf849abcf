/// The blocks of code at the margin of a Markdown text whose language an engine knows.
struct FencedCode {
  private(set) var blocks: [(kind: MergeEngines.Kind, lines: Range<Int>)] = []

  init(in text: TextLines) {
    var open: (fence: ArraySlice<UInt8>, kind: MergeEngines.Kind?, start: Int)?
    for number in 0..<text.count {
      let line = text[number..<number + 1].dropLast()
      let fence = line.prefix { $0 == line.first }
      if let block = open {
        let isEnd =
          fence.first == block.fence.first && fence.count >= block.fence.count
          && line.dropFirst(fence.count).allSatisfy(\.isSpace)
        guard isEnd else { continue }
        if let kind = block.kind { blocks.append((kind, block.start..<number)) }
        open = nil
      } else if let first = fence.first, "`~".utf8.contains(first), fence.count >= 3 {
        let rest = line.dropFirst(fence.count)
        // Code in a line may begin with as many.
        guard first != UInt8(ascii: "`") || !rest.contains(first) else { continue }
        open = (fence, Self.kind(of: rest), number + 1)
      }
    }
  }

  /// The parts of the text.
  func parts(of text: TextLines) -> [TextPart] {
    blocks.map { block in
      TextPart(
        block.kind.rawValue, block.lines, opening: block.lines.lowerBound - 1, in: text)
    }
  }

  /// The type that the words behind a fence say; `nil` for text, and for what no engine knows.
  private static func kind(of words: ArraySlice<UInt8>) -> MergeEngines.Kind? {
    let word = words.drop(while: \.isSpace).prefix { !$0.isSpace && !"{,:".utf8.contains($0) }
    guard !word.isEmpty else { return nil }
    let kind = MergeEngines.Kind(fileName: "code." + String(decoding: word, as: UTF8.self))
    let known: Set<MergeEngines.Kind> = [.json, .yaml, .toml, .xml, .html, .settings, .table, .sql]
    return kind.flatMap { known.contains($0) ? $0 : nil }
  }
}
