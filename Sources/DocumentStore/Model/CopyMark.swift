internal import Foundation

/// One mark of a tool in the name of a conflicted copy.
struct CopyMark {
  let tool: ConflictedCopyName.Tool
  /// The name without the mark.
  let rest: [UInt8]
  var author: String?
  var device: String?
  var date: Date?
  var isCertain = true

  // MARK: Certain names

  /// Returns the outermost mark that only copies have, which is the one that ends last.
  static func certain(in name: [UInt8]) -> CopyMark? {
    guard mayHaveMark(name) else { return nil }
    if let mark = rclonePath(name) { return mark }
    let found = [bracketed(name), syncthing(name), synology(name), ownCloud(name), variant(name)]
    // Of two marks, the one nearer to the end was added later.
    return found.compactMap { $0 }.max { $0.start < $1.start }?.mark
  }

  private typealias Found = (mark: CopyMark, start: Int)

  /// Rules out nearly all names at once, because a folder may have many.
  private static func mayHaveMark(_ name: [UInt8]) -> Bool {
    // A mark is in brackets, or follows one of these.
    name.contains {
      $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "_")
    } || name.contains(subsequence: "-") && name.contains(subsequence: ".")
      || name.contains(subsequence: "..path")
  }

  private static func syncthing(_ name: [UInt8]) -> Found? {
    let mark = ".sync-conflict-"
    guard let start = name.lastRange(of: mark)?.lowerBound, start > 0 else { return nil }
    var scanner = NameScanner(name[(start + mark.utf8.count)...])
    guard let date = scanner.compactDate(), scanner.skip("-"), let time = scanner.compactTime()
    else { return nil }
    let device = scanner.skip("-") ? scanner.take { $0.isUppercaseOrDigit } : nil
    guard scanner.isAtExtension else { return nil }
    return (
      CopyMark(
        tool: .syncthing, rest: Array(name[..<start]) + scanner.rest, device: device,
        date: NameDate(date, time).moment), start
    )
  }

  private static func ownCloud(_ name: [UInt8]) -> Found? {
    let mark = "_conflict-"
    guard let start = name.lastRange(of: mark)?.lowerBound, start > 0 else { return nil }
    var scanner = NameScanner(name[(start + mark.utf8.count)...])
    // A person may precede the date.
    let user = scanner.text(before: { $0.compactDate() != nil })
    guard let date = scanner.compactDate(), scanner.skip("-"), let time = scanner.compactTime(),
      scanner.isAtExtension
    else { return nil }
    let author = user.flatMap { $0.hasSuffix("-") ? String($0.dropLast()) : nil }
    return (
      CopyMark(
        tool: .ownCloud, rest: Array(name[..<start]) + scanner.rest, author: author,
        date: NameDate(date, time).moment), start
    )
  }

  /// Finds `_Mira-PC_Nov-21-0254-2026_Conflict`, optionally with a number, or
  /// `_DiskStation_Nov-21-025448-2026_Conflict`.
  private static func synology(_ name: [UInt8]) -> Found? {
    guard let end = name.lastRange(of: "Conflict") else { return nil }
    let reason = name[..<end.lowerBound].lastIndex(of: UInt8(ascii: "_")) ?? end.lowerBound
    var scanner = NameScanner(name[end.upperBound...])
    if scanner.skip("_") { guard scanner.take(while: { $0.isDigit }) != nil else { return nil } }
    guard scanner.isAtExtension, reason < end.upperBound else { return nil }
    guard let timeStart = name[..<reason].lastIndex(of: UInt8(ascii: "_")),
      let deviceStart = name[..<timeStart].lastIndex(of: UInt8(ascii: "_")), deviceStart > 0,
      let date = NameDate(synology: name[(timeStart + 1)..<reason])
    else { return nil }
    return (
      CopyMark(
        tool: .synology, rest: Array(name[..<deviceStart]) + scanner.rest,
        device: String(decoding: name[(deviceStart + 1)..<timeStart], as: UTF8.self),
        date: date.moment), deviceStart
    )
  }

  /// Finds `.variant-2a3f`, or the whole key, which a second variant has.
  private static func variant(_ name: [UInt8]) -> Found? {
    let mark = ".variant-"
    guard let start = name.lastRange(of: mark)?.lowerBound, start > 0 else { return nil }
    var scanner = NameScanner(name[(start + mark.utf8.count)...])
    guard let key = scanner.take(while: { $0 != UInt8(ascii: ".") }) else { return nil }
    let isHash = key.utf8.count == 4 && key.utf8.allSatisfy(\.isLowercaseHexadecimal)
    guard
      isHash
        || Array(key.utf8).contains(subsequence: "-s")
          && Array(key.utf8).contains(subsequence: "--")
    else { return nil }
    return (CopyMark(tool: .gitAnnex, rest: Array(name[..<start]) + scanner.rest), start)
  }

  private static func rclonePath(_ name: [UInt8]) -> CopyMark? {
    guard let range = name.lastRange(of: "..path"), range.lowerBound > 0,
      name[range.upperBound...].elementsEqual("1".utf8)
        || name[range.upperBound...].elementsEqual("2".utf8)
    else { return nil }
    return CopyMark(tool: .rclone, rest: Array(name[..<range.lowerBound]))
  }

  /// Finds a mark in brackets before the extension.
  private static func bracketed(_ name: [UInt8]) -> Found? {
    for (open, close) in [("(", ")"), ("[", "]")] {
      guard let end = name.lastRange(of: close)?.lowerBound,
        let start = name[..<end].lastRange(of: open)?.lowerBound
      else { continue }
      let scanner = NameScanner(name[(end + 1)...])
      guard scanner.isAtExtension else { continue }
      let before = name[..<start].last == UInt8(ascii: " ") ? name[..<(start - 1)] : name[..<start]
      guard !before.isEmpty else { continue }
      let text = String(decoding: name[(start + 1)..<end], as: UTF8.self)
      let rest = Array(before) + scanner.rest
      guard
        let mark = open == "("
          ? CopyPhrase.mark(text, rest: rest) : CopyPhrase.square(text, rest: rest)
      else { continue }
      return (mark, start)
    }
    return nil
  }

  // MARK: Names that another document may have

  /// Returns the marks that another document's name may also have.
  static func possible(in name: [UInt8]) -> [CopyMark] {
    editors(name) + conflictExtension(name) + numbered(name) + oneDrive(name)
  }

  private static func editors(_ name: [UInt8]) -> [CopyMark] {
    [".orig", ".mine"].filter { name.count > $0.utf8.count && name.hasSuffix($0) }.map {
      CopyMark(tool: .editor, rest: name.dropLast($0.utf8.count), isCertain: false)
    }
  }

  /// Finds `.Conflict` and `.Conflict1` of Resilio, and `.conflict1` of rclone, before the extension or at
  /// the end.
  private static func conflictExtension(_ name: [UInt8]) -> [CopyMark] {
    for word in [".Conflict", ".conflict"] {
      guard let range = name.lastRange(of: word), range.lowerBound > 0 else { continue }
      var scanner = NameScanner(name[range.upperBound...])
      let number = scanner.take { $0.isDigit }
      let isRclone = word == ".conflict"
      guard scanner.isAtExtension, !isRclone || number != nil else { continue }
      return [
        CopyMark(
          tool: isRclone ? .rclone : .resilio,
          rest: Array(name[..<range.lowerBound]) + scanner.rest,
          isCertain: false)
      ]
    }
    return []
  }

  private static func numbered(_ name: [UInt8]) -> [CopyMark] {
    let (stem, ending) = name.splitAtExtension
    guard let blank = stem.lastIndex(of: UInt8(ascii: " ")), blank > stem.startIndex else {
      return []
    }
    let rest = Array(stem[..<blank]) + ending
    let number = stem[(blank + 1)...]
    if number.first == UInt8(ascii: "("), number.last == UInt8(ascii: ")"),
      (1...3).contains(number.count - 2), number.dropFirst().dropLast().allSatisfy(\.isDigit)
    {
      return [CopyMark(tool: .googleDrive, rest: rest, isCertain: false)]
    }
    guard (1...2).contains(number.count), number.allSatisfy(\.isDigit),
      number.first != UInt8(ascii: "0"), !number.elementsEqual("1".utf8)
    else { return [] }
    return [CopyMark(tool: .iCloudDrive, rest: rest, isCertain: false)]
  }

  /// Finds `trip-LAPTOP.md`; the device's name may contain hyphens, too.
  private static func oneDrive(_ name: [UInt8]) -> [CopyMark] {
    let (stem, ending) = name.splitAtExtension
    return stem.indices.filter { stem[$0] == UInt8(ascii: "-") && $0 > stem.startIndex }.compactMap
    {
      let device = stem[($0 + 1)...]
      guard device.count > 1, !device.contains(UInt8(ascii: " ")) else { return nil }
      return CopyMark(
        tool: .oneDrive, rest: Array(stem[..<$0]) + ending,
        device: String(decoding: device, as: UTF8.self), isCertain: false)
    }
  }
}
