/// The layout of a container's members.
struct MemberLayout {
  /// The indentation of the line in which the container starts.
  var outer: [UInt8] = []
  /// The additional indentation of the members; `nil` if they don't start lines.
  var unit: [UInt8]?
  /// The space before the first and before each other member, if members don't start lines; `nil` if no
  /// member shows it.
  var leads: (first: [UInt8]?, other: [UInt8]?) = (nil, nil)
  /// True if members show the layout.
  var isKnown = false
  /// True if the last member also has a separator; `nil` without members.
  var endsWithSeparator: Bool?
  /// True if the members are recognized by their column.
  var isBlock = false

  /// The indentation of the members, or of their line.
  var indent: [UInt8] { outer + (unit ?? []) }
}

extension MemberLayout {
  /// The layout of members that are whole lines with their own layout.
  static let lines = MemberLayout(unit: [], isKnown: true)

  /// Determines the layout of the members of a container whose line has the given indentation.
  init(of members: [Int], in tree: StructureTree, outer: [UInt8]) {
    self.outer = outer
    // A member that is a comment doesn't show the layout of the others.
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

  /// Merges the layouts of three sides, taking each property from the side that changed it.
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

/// A change of depth from one layout to another.
struct IndentShift {
  let old: MemberLayout
  let new: MemberLayout

  /// Creates the shift from one layout to another.
  init(from old: MemberLayout, to new: MemberLayout) {
    self.old = old
    self.new = new
  }

  /// True if nothing changes.
  var isNothing: Bool {
    old.outer == new.outer && (old.unit == new.unit || old.unit == nil || new.unit == nil)
  }

  /// Returns an indentation in the new layout, with the same number of levels and the same remainder.
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

  /// Returns the bytes with changed indentation; blank lines stay unchanged.
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

  /// Returns the bytes with changed indentation, except in literals, whose line breaks are content.
  /// - Parameters:
  ///   - starts: The bytes that may start a literal.
  ///   - end: Returns the end of a literal; `nil` if none starts there.
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
  /// The space after the last line break, if only space follows it; `nil` without a line break.
  var lastLineIndent: [UInt8]? {
    guard let feed = lastIndex(of: .lineFeed) else { return nil }
    let indent = self[(feed + 1)...]
    return indent.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? Array(indent) : nil
  }
}
