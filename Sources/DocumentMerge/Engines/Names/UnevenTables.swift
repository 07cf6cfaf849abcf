/// Tables in text or markup whose rows have one number of cells on each side, and several in a result: one side added a
/// column, the other one a row without it.
struct UnevenTables {
  enum Form { case markup, markdown, latex }

  /// The number of tables whose rows differ.
  let count: Int

  init(_ text: TextLines, _ form: Form) {
    switch form {
    case .markup: count = Self.countInMarkup(text)
    case .markdown, .latex: count = Self.countInText(text, form)
    }
  }

  /// Returns whether a result has more such tables than each of its sides.
  static func areMade(by result: TextLines, of texts: MergeSides<TextLines>, _ form: Form) -> Bool {
    let made = UnevenTables(result, form).count
    return made > 0 && texts.all.allSatisfy { UnevenTables($0, form).count < made }
  }

  private static func countInText(_ text: TextLines, _ form: Form) -> Int {
    let (mark, escape) = (UInt8(ascii: form == .markdown ? "|" : "&"), UInt8(ascii: "\\"))
    var (count, cells): (Int, Set<Int>) = (0, [])
    for number in 0...text.count {
      let line = number < text.count ? text[number..<number + 1].drop { $0 == 0x20 } : []
      let isRow =
        form == .markdown
        ? line.first == mark : line.contains(mark) && line.range(of: [escape, escape]) != nil
      guard isRow else {
        count += cells.count > 1 ? 1 : 0
        cells = []
        continue
      }
      let isMerged = line.range(of: Array("\\multi".utf8)) != nil
      // A mark in code, or behind a backslash, separates nothing.
      let isUnclear = line.contains(UInt8(ascii: "`")) || line.range(of: [escape, mark]) != nil
      guard !isMerged, !isUnclear else { continue }
      let end = line.last { $0 > 0x20 }
      cells.insert(line.count { $0 == mark } + (form == .markdown && end != mark ? 1 : 0))
    }
    return count
  }

  private static func countInMarkup(_ text: TextLines) -> Int {
    guard text.has("<tr") else { return 0 }
    var (count, cells, row, isUnclear): (Int, Set<Int>, Int?, Bool) = (0, [], nil, false)
    var rest = text.bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let tag = rest[start...].dropFirst()
      let end = tag.firstIndex(of: UInt8(ascii: ">")) ?? tag.endIndex
      let content = tag[..<end]
      let name = content.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") || $0 == content.first }
        .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
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

extension UnevenTables.Form {
  /// The form of files of a name and a type; `nil` if they have no tables, or others know them.
  init?(fileName: String, kind: MergeEngines.Kind?) {
    switch (kind, fileName.split(separator: ".").last?.lowercased()) {
    case (.html, _): self = .markup
    case (.markdown, _): self = .markdown
    case (_, "tex"), (_, "latex"), (_, "ltx"): self = .latex
    default: return nil
    }
  }
}
