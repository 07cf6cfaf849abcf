/// Finds members that both sides added and that differ only in their identifiers.
struct TwinMembers<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  /// The fields that identify the members; `nil` if the parser named them.
  let fields: MemberIdentity?
  /// True if the members are in a list, not in a mapping whose keys may be identifiers.
  let isList: Bool

  /// The fields that are only identifiers.
  private static var identifiers: Set<String> {
    ["id", "uuid", "identifier", "guid", "uid", "xml:id"]
  }

  /// The minimum size of significant contents.
  private static var contentSize: Int { 12 }

  /// Returns the matching member of the other side for each member, by number.
  func twins(in sides: [MemberSides]) -> [Int: Int] {
    if let fields {
      guard fields.required.count == 1, Self.identifiers.contains(fields.required[0]) else {
        return [:]
      }
    }
    func added(by side: Side) -> [Int] {
      sides.indices.filter { number in
        sides[number].base == nil && sides[number][side] != nil && sides[number][side.other] == nil
      }
    }
    let (ours, theirs) = (added(by: .ours), added(by: .theirs))
    guard !ours.isEmpty, !theirs.isEmpty else { return [:] }
    // Parts that other members also have don't identify a member.
    var common: Set<MemberPart> = []
    for known in sides {
      if let base = known.base { common.formUnion(rest(of: base, .base) ?? []) }
    }
    var known: [Set<MemberPart>: Int] = [:]
    for number in theirs {
      if let node = sides[number].theirs, let rest = rest(of: node, .theirs) {
        known[rest] = number
      }
    }
    var twins: [Int: Int] = [:]
    for number in ours {
      guard let node = sides[number].ours, let rest = rest(of: node, .ours),
        !rest.isSubset(of: common), let twin = known.removeValue(forKey: rest)
      else { continue }
      twins[number] = twin
      twins[twin] = number
    }
    return twins
  }

  /// Returns the parts of a member without its identifier; `nil` if it has no identifier, or too few
  /// contents.
  private func rest(of member: Int, _ side: Side) -> Set<MemberPart>? {
    let tree = tree(side)
    let identifier: [UInt8]
    if let fields {
      identifier = Array(fields.required[0].utf8)
    } else if !isList {
      guard tree[member].kind.isMapping, isIdentifier(tree.name(of: member, format)) else {
        return nil
      }
      identifier = []
    } else {
      guard let name = tree.givenName(of: member), let end = name.firstIndex(of: UInt8(ascii: "="))
      else { return nil }
      guard Self.identifiers.contains(String(decoding: name[..<end], as: UTF8.self)) else {
        return nil
      }
      identifier = [UInt8(ascii: "@")] + name[..<end]
    }
    let parts = MemberComparison(documents: documents).sizedParts(of: tree, member)
      .filter { $0.part.name != identifier }
    // A tag alone is no content, nor is an empty element.
    let said = parts.count { part in
      let isPlain = part.part.name.isEmpty || part.part.name == [UInt8(ascii: "<")]
      return !isPlain || part.size > Self.contentSize
    }
    let size = parts.reduce(0) { $0 + $1.size }
    return said > 1 || size > Self.contentSize ? Set(parts.map(\.part)) : nil
  }

  /// Returns whether a program generated a key, such as `5f0c9a52-08f1`; identifiers that the format knows
  /// are compared by their meaning instead.
  private func isIdentifier(_ key: [UInt8]) -> Bool {
    let digits = key.count(where: \.isDigit)
    return key.count >= 8 && digits >= 3 && !key.contains { " ./:".utf8.contains($0) }
      && !format.isIdentifier(key)
  }
}
