/// Finds entries of a change log in markup or data that a merge put under a release, though the side that added them has
/// them under what is not released.
struct ReleasedEntries {
  /// The entries, as they are written.
  let entries: [String]

  init(in result: TextLines, of texts: MergeSides<TextLines>, _ form: ChangeLog.Form) {
    guard let base = texts.base, ChangeLog(base, form).hasUpcoming else {
      entries = []
      return
    }
    let log = ChangeLog(result, form)
    guard log.hasReleased else {
      entries = []
      return
    }
    var entries: [String] = []
    for text in [texts.ours, texts.theirs] {
      let own = ChangeLog(text, form)
      let added = text.lines(notIn: base).filter { number in
        own.isUpcoming(before: number) == true && !own.hasHeading(in: number..<number + 1)
          && text[number..<number + 1].contains { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
      }
      guard !added.isEmpty else { continue }
      let lines = Set(added.map { Self.said(text[$0..<$0 + 1]) })
      let known = Set((0..<base.count).map { Self.said(base[$0..<$0 + 1]) })
      for number in 0..<result.count {
        let line = Self.said(result[number..<number + 1])
        if lines.contains(line), !known.contains(line), log.isUpcoming(before: number) == false {
          entries.append(String(decoding: line, as: UTF8.self))
        }
      }
    }
    self.entries = entries
  }

  /// A line without the space around it, and a comma behind it.
  private static func said(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.drop { $0 <= 0x20 }
    while let last = text.last, last <= 0x20 || last == UInt8(ascii: ",") { text.removeLast() }
    return text
  }
}

extension ChangeLog.Form {
  /// The form of change logs in files of a name; `nil` if they are read as text, or the name is not that of a change log.
  init?(fileName: String, kind: MergeEngines.Kind?) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let isLog = [
      "change", "news", "history", "release", "metainfo", "appdata", "whatsnew", "whats-new",
    ]
    .contains { name.firstPlace(of: $0) != nil }
    switch kind {
    case .html: self = .markup
    case .xml where isLog: self = .markup
    case .yaml where isLog, .json where isLog: self = .data
    default: return nil
    }
  }
}
