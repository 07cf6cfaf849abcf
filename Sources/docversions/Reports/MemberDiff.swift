internal import DocumentVersions

/// The facts about a differing member, in addition to its name.
enum MemberDiff {
  /// The lines that differ.
  case text(TextDiff)
  /// A remark; empty if the name says it all.
  case remark(String)

  /// The maximum size of files that are compared line by line.
  static let limit = 16 << 20

  /// Reads the necessary parts of the member: both contents of a changed text.
  ///
  /// Added and removed members of a package are only named; a document that is a file is shown.
  init(_ difference: MemberDifference) throws {
    let change = difference.change
    if change.isOtherKind || change.memberCount > 1 || change.isFolder {
      self = .remark(change.kindRemark)
      return
    }
    let isNamedOnly = !change.path.isEmpty && [.added, .removed].contains(change.kind)
    guard !isNamedOnly, change.isContentChanged else {
      self = .remark(change.modeRemark ?? "")
      return
    }
    if change.isLink {
      let target = try difference.bytesAfter(upTo: Self.limit) ?? []
      self = .remark("leads to \(Printable.text(target))")
      return
    }
    let before = change.before == nil ? [] : try difference.bytesBefore(upTo: Self.limit)
    let after = change.after == nil ? [] : try difference.bytesAfter(upTo: Self.limit)
    guard let before, let after else {
      self = .remark("is too large to compare: \(change.sizes(", "))")
      return
    }
    if before.isEmpty && after.isEmpty {
      self = .remark("is empty")
    } else if let before = try TextContent(comparing: before),
      let after = try TextContent(comparing: after)
    {
      self = .text(try TextDiff(from: before, to: after))
    } else {
      let words = ["is not text: \(change.sizes(", "))", change.modeRemark]
      self = .remark(words.compactMap { $0 }.joined(separator: ", "))
    }
  }

  var text: TextDiff? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension MemberChange {
  /// True if the member is a folder on both sides, or on the only one.
  var isFolder: Bool { [before, after].allSatisfy { $0 == nil || $0?.kind == "folder" } }

  /// True if the member is a link on both sides, or on the only one.
  var isLink: Bool { [before, after].allSatisfy { $0 == nil || $0?.kind == "link" } }

  /// The remark on the executable bit.
  var modeRemark: String? {
    becameExecutable
      ? "became executable" : ceasedToBeExecutable ? "is not executable any more" : nil
  }

  /// The remark on a folder, or on an item whose kind has changed.
  var kindRemark: String {
    guard let before, let after, isOtherKind else {
      return kind == .renamed ? Wording.count(memberCount, "member") : ""
    }
    let isDocument = path.isEmpty
    return "is \(after.kindInWords(isDocument)) now, and was \(before.kindInWords(isDocument))"
  }

  /// Returns both sizes, such as "812 bytes before, 1.2 kB now".
  func sizes(_ separator: String) -> String {
    let sizes = [
      before.map { "\(Wording.size($0.bytes)) before" },
      after.map { "\(Wording.size($0.bytes)) now" },
    ]
    return sizes.map { $0 ?? "nothing" }.joined(separator: separator)
  }
}

extension PackageMemberInfo {
  fileprivate func kindInWords(_ isDocument: Bool) -> String {
    switch kind {
    case "folder": isDocument ? "a package" : "a folder"
    case "link": "a link"
    default: "a file"
    }
  }
}
