/// The unindented code blocks of a Markdown text in languages that an engine knows.
struct FencedCode {
  private(set) var blocks: [(code: Code, lines: Range<Int>)] = []

  /// The name of a language, regardless of its spelling, and its engine.
  typealias Code = (name: String, engine: any MergeEngine)
  /// Returns the code for a language; `nil` for text, and for languages that no engine knows.
  typealias Languages = @Sendable (_ language: String) -> Code?

  init(in text: TextLines, _ languages: Languages) {
    var open: (fence: ArraySlice<UInt8>, code: Code?, start: Int)?
    for (number, line) in text.enumerated() {
      let line = line.dropLast()
      let fence = line.prefix { $0 == line.first }
      if let block = open {
        let isEnd =
          fence.first == block.fence.first && fence.count >= block.fence.count
          && line.dropFirst(fence.count).allSatisfy(\.isSpace)
        guard isEnd else { continue }
        if let code = block.code { blocks.append((code, block.start..<number)) }
        open = nil
      } else if let first = fence.first, "`~".utf8.contains(first), fence.count >= 3 {
        let rest = line.dropFirst(fence.count)
        // Inline code may begin with as many backticks.
        guard first != UInt8(ascii: "`") || !rest.contains(first) else { continue }
        open = (fence, Self.language(in: rest).flatMap(languages), number + 1)
      }
    }
  }

  /// Returns the code blocks of a text.
  func parts(of text: TextLines) -> [TextPart] {
    blocks.map { block in
      TextPart(
        block.code.name, block.lines, opening: block.lines.lowerBound - 1, in: text)
    }
  }

  /// Returns the language that follows a fence; `nil` if there is none.
  private static func language(in words: ArraySlice<UInt8>) -> String? {
    let word = words.drop(while: \.isSpace).prefix { !$0.isSpace && !"{,:".utf8.contains($0) }
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }
}
