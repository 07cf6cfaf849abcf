/// Asks about entries that both sides added and that differ only in the names that programs or people gave them.
struct TwinEntries: MergeCheck {
  struct Entry {
    let name: String
    /// The lines of the entry, without its name and without lines that a program writes at every save.
    let text: [Substring]
  }

  /// Reads the entries whose names don't identify them, from a text and its lines without trailing space.
  typealias Reader = @Sendable (_ text: TextLines, _ lines: [Substring]) -> [Entry]

  private let read: Reader

  /// The minimum number of characters that identify an entry.
  private static let size = 12

  init(_ read: @escaping Reader) { self.read = read }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let base = entries(of: merge.base)
    let known = Set(base.map(\.name))
    let said = Set(base.map(\.text))
    func added(_ text: TextLines) -> [Entry] {
      entries(of: text).filter { entry in
        !known.contains(entry.name) && !said.contains(entry.text)
          && entry.text.reduce(0) { $0 + $1.count } >= Self.size
      }
    }
    let (ours, theirs) = (added(merge.ours), added(merge.theirs))
    let others = Dictionary(theirs.map { ($0.text, $0.name) }, uniquingKeysWith: { $1 })
    return ours.compactMap { entry in
      guard let other = others[entry.text], other != entry.name else { return nil }
      return .doubt(
        "Both sides added the same, as “\(entry.name)” and as “\(other)”.", ours: entry.name,
        theirs: other)
    }
  }

  private func entries(of text: TextLines) -> [Entry] {
    read(text, (0..<text.count).map { text.line($0).trimmingSuffix(while: \.isWhitespace) })
  }
}
