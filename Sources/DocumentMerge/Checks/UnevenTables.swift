/// Asks about tables in text or markup whose rows have equally many cells on each side, but not in the result, because
/// one side added a column, and the other side a row without it.
struct UnevenTables: MergeCheck {
  enum Form { case markup, markdown, latex }

  private let form: Form

  init(_ form: Form) { self.form = form }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let made = count(in: merge.result)
    guard made > 0, merge.texts.all.allSatisfy({ count(in: $0) < made }) else { return [] }
    return [.doubt("One side added a column, the other one a row without it.")]
  }

  /// Returns the number of tables whose rows differ.
  private func count(in text: TextLines) -> Int {
    form == .markup ? countInMarkup(text) : countInText(text)
  }

  private func countInText(_ text: TextLines) -> Int {
    let (mark, escape) = (UInt8(ascii: form == .markdown ? "|" : "&"), UInt8(ascii: "\\"))
    var (count, cells): (Int, Set<Int>) = (0, [])
    for number in 0...text.count {
      let line = number < text.count ? text[number].drop { $0 == 0x20 } : []
      let isRow =
        form == .markdown
        ? line.first == mark : line.contains(mark) && line.range(of: [escape, escape]) != nil
      guard isRow else {
        count += cells.count > 1 ? 1 : 0
        cells = []
        continue
      }
      let isMerged = line.range(of: Array("\\multi".utf8)) != nil
      // A mark in code, or after a backslash, isn't a separator.
      let isUnclear = line.contains(UInt8(ascii: "`")) || line.range(of: [escape, mark]) != nil
      guard !isMerged, !isUnclear else { continue }
      let end = line.last { $0 > 0x20 }
      cells.insert(line.count { $0 == mark } + (form == .markdown && end != mark ? 1 : 0))
    }
    return count
  }

  private func countInMarkup(_ text: TextLines) -> Int {
    guard text.has("<tr") else { return 0 }
    var (count, cells, row, isUnclear): (Int, Set<Int>, Int?, Bool) = (0, [], nil, false)
    var rest = text.bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let tag = rest[start...].dropFirst()
      let end = tag.firstIndex(of: UInt8(ascii: ">")) ?? tag.endIndex
      let content = tag[..<end]
      let name = content.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") || $0 == content.first }
        .map(\.inSmallLetters)
      rest = rest[end...].dropFirst()
      switch String(decoding: name, as: UTF8.self) {
      case "tr", "/tr", "/table", "/tbody", "/thead":
        if let known = row { cells.insert(known) }
        row = name == Array("tr".utf8) ? 0 : nil
        guard name == Array("/table".utf8) else { break }
        count += cells.count > 1 && !isUnclear ? 1 : 0
        (cells, isUnclear) = ([], false)
      case "td", "th":
        row = row.map { $0 + 1 }
        isUnclear = isUnclear || content.range(of: Array("span".utf8)) != nil
      default: break
      }
    }
    return count
  }
}
