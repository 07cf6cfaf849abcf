/// The layout of a container's members.
struct MemberLayout {
  /// The indentation of the line that the container starts in.
  var outer: [UInt8] = []
  /// By how much its members are indented more; `nil` if they do not start lines.
  var unit: [UInt8]?
  /// The space before the first member, and before each other, where members do not start lines;
  /// `nil` if there is none to show it.
  var leads: (first: [UInt8]?, other: [UInt8]?) = (nil, nil)
  /// Whether there are members to show the layout.
  var isKnown = false
  /// Whether the last member has a separator, too; `nil` without members.
  var endsWithSeparator: Bool?
  /// Whether the members are known by the column that they start in.
  var isBlock = false

  /// The indentation of the members, or of the line that they are in.
  var indent: [UInt8] { outer + (unit ?? []) }
}

extension MemberLayout {
  /// The layout of members that are whole lines, and bring their own.
  static let lines = MemberLayout(unit: [], isKnown: true)

  /// The layout of the members of a container that starts in a line with some indentation.
  init(of members: [Int], in tree: StructureTree, outer: [UInt8]) {
    self.outer = outer
    // A comment that is a member says nothing about the layout of the others.
    let members = members.drop { member in
      let node = tree[member]
      return node.kind == .leaf && node.value.isEmpty && node.separator.isEmpty
    }
    guard let first = members.first, let last = members.last else { return }
    isKnown = true
    endsWithSeparator = !tree[last].separator.isEmpty
    func lead(_ member: Int) -> ArraySlice<UInt8> { tree.bytes[tree[member].lead] }
    if let indent = members.prefix(2).lazy.compactMap({ lead($0).lastLineIndent }).first {
      let isDeeper = indent.starts(with: outer)
      unit = isDeeper ? Array(indent.dropFirst(outer.count)) : indent
      if !isDeeper { self.outer = [] }
    }
    guard unit == nil else { return }
    leads.first = Array(lead(first).prefix { $0.isSpace })
    if let second = members.dropFirst().first {
      leads.other = Array(lead(second).prefix { $0.isSpace })
    }
  }

  /// The layout of a container that three sides lay out: as the side has it that changed it.
  init(merging sides: MergeSides<MemberLayout>, in parent: MemberLayout) {
    func merged<Value: Equatable>(_ value: (MemberLayout) -> Value?) -> Value? {
      MergedProperty(
        base: sides.base.flatMap(value), ours: value(sides.ours), theirs: value(sides.theirs)
      ).value
    }
    outer = parent.indent
    unit = merged { $0.isKnown ? [UInt8]??.some($0.unit) : nil } ?? nil
    leads.first = merged(\.leads.first)
    leads.other = merged(\.leads.other) ?? parent.leads.other
    endsWithSeparator = merged(\.endsWithSeparator)
    isKnown = sides.all.contains(where: \.isKnown)
  }
}

/// A change of depth, from one layout to another.
struct IndentShift {
  let old: MemberLayout
  let new: MemberLayout

  /// The shift that brings what stands in one layout into another.
  init(from old: MemberLayout, to new: MemberLayout) {
    self.old = old
    self.new = new
  }

  /// Whether there is nothing to change.
  var isNothing: Bool {
    old.outer == new.outer && (old.unit == new.unit || old.unit == nil || new.unit == nil)
  }

  /// The indentation that stands for another one: the same number of levels, and what is left.
  func applied(toIndent indent: [UInt8]) -> [UInt8] {
    guard !isNothing, indent.starts(with: old.outer) else { return indent }
    var rest = indent.dropFirst(old.outer.count)
    var result = new.outer
    if let unit = old.unit, let newUnit = new.unit ?? old.unit {
      while !unit.isEmpty, rest.starts(with: unit) {
        rest = rest.dropFirst(unit.count)
        result += newUnit
      }
    }
    return result + rest
  }

  /// The bytes with the space at the start of their lines changed; empty lines stay as they are.
  func applied(to bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard !isNothing, bytes.contains(.lineFeed) else { return Array(bytes) }
    var result: [UInt8] = []
    var rest = bytes
    while let feed = rest.firstIndex(of: .lineFeed) {
      result += rest[...feed]
      let line = rest[(feed + 1)...]
      let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }
      rest = line.dropFirst(indent.count)
      let isEmpty = rest.first.map { $0 == .lineFeed || $0 == .carriageReturn } ?? false
      result += isEmpty ? Array(indent) : applied(toIndent: Array(indent))
    }
    return result + rest
  }

  /// The same, but for literals, whose line breaks are content.
  /// - Parameters:
  ///   - starts: The bytes that a literal may start with.
  ///   - end: Returns where a literal ends; `nil` if none starts there.
  func applied(
    to bytes: ArraySlice<UInt8>, outside starts: String, _ end: (_ start: Int) -> Int?
  ) -> [UInt8] {
    guard !isNothing else { return Array(bytes) }
    var result: [UInt8] = []
    var (start, index) = (bytes.startIndex, bytes.startIndex)
    while let place = bytes[index...].firstIndex(where: starts.utf8.contains) {
      index = place + 1
      guard let end = end(place) else { continue }
      result += applied(to: bytes[start..<place]) + bytes[place..<end]
      (start, index) = (end, end)
    }
    return result + applied(to: bytes[start...])
  }
}

extension ArraySlice<UInt8> {
  /// The space after the last line break, if nothing else stands there; `nil` without a line break.
  var lastLineIndent: [UInt8]? {
    guard let feed = lastIndex(of: .lineFeed) else { return nil }
    let indent = self[(feed + 1)...]
    return indent.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? Array(indent) : nil
  }
}
