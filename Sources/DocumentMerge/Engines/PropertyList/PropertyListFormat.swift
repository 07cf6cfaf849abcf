/// Property lists in XML: dictionaries by key, arrays by the fields that distinguish their members.
struct PropertyListFormat: StructuredFormat {
  /// True if there are elements for values that only binary property lists have.
  var isExtended = false

  var name: String { "plist" }

  var hasPlainValues: Bool { true }

  /// Returns the text of an element without its tags; `true` for `<true/>`.
  func plainValue(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    if let text = PropertyListParser.text(ofElement: leaf) { return text }
    let isEmpty = leaf.first == UInt8(ascii: "<") && leaf.suffix(2).elementsEqual("/>".utf8)
    return Array(isEmpty ? leaf.dropFirst().dropLast(2) : leaf)
  }

  /// The fields that distinguish the members of declarations in applications.
  var identities: [MemberIdentity] {
    [
      MemberIdentity("identifier"), MemberIdentity("id"), MemberIdentity("uuid"),
      MemberIdentity("UTTypeIdentifier"), MemberIdentity("CFBundleURLName"),
      MemberIdentity("CFBundleTypeName"), MemberIdentity("NSUserActivityType"),
      MemberIdentity("UIApplicationShortcutItemType"), MemberIdentity("Key"),
      MemberIdentity("key"), MemberIdentity("Name"), MemberIdentity("name"),
    ]
  }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    try PropertyListParser(text, isExtended: isExtended).parse()
  }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    PropertyListParser.text(ofElement: key) ?? Array(key)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    leaf.starts(with: "<string>".utf8) ? PropertyListParser.text(ofElement: leaf) : nil
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    Array("<string>".utf8) + XMLText.escaped(text) + "</string>".utf8
  }

  /// Overrules lines, which a binary document doesn't show, and refuses archives, whose objects refer to each
  /// other by position.
  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings {
    let isArchive = trees.all.contains { tree in
      let root = StructureTree.root
      guard tree[root].kind == .mapping else { return false }
      let names = tree.members(of: root).map { tree.name(of: $0, self) }
      return ["$archiver", "$objects"].allSatisfy { names.contains(Array($0.utf8)) }
    }
    return MergeRulings(
      refusal: isArchive
        ? "Both sides changed an archive of objects, which refer to one another by number." : nil,
      overrulesLines: isExtended)
  }

  /// Space inside strings and keys is content; all other space at the start of lines is layout.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.applied(to: bytes, outside: "<") { tag in
      let name = ["string", "key"].first { bytes[tag...].starts(with: "<\($0)>".utf8) }
      return name.map { name in
        bytes[tag...].range(of: Array("</\(name)>".utf8))?.lowerBound ?? bytes.endIndex
      }
    }
  }
}
