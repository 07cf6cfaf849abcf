/// JSON, also with comments and trailing commas.
struct JSONFormat: StructuredFormat {
  var hasLockedPackages = false

  var name: String { "json" }

  var hasPlainValues: Bool { true }

  func separator(in kind: StructureTree.Kind) -> [UInt8] { [UInt8(ascii: ",")] }

  /// Ids, then the slots of asset catalogs, then names.
  ///
  /// A slot is identified by its purpose, because its file may change.
  var identities: [MemberIdentity] {
    [
      MemberIdentity("id"), MemberIdentity("uuid"), MemberIdentity("identifier"),
      MemberIdentity("identity"),
      MemberIdentity(
        "idiom",
        optional: [
          "scale", "size", "subtype", "role", "platform", "appearances", "display-gamut",
          "language-direction", "screen-width", "graphics-feature-set", "memory", "width-class",
          "height-class", "extent", "orientation", "minimum-system-version", "locale",
        ]),
      MemberIdentity("key"), MemberIdentity("name"), MemberIdentity("filename"),
      MemberIdentity("path"), MemberIdentity("url"),
      MemberIdentity("src", optional: ["sizes", "type"]),
    ]
  }

  /// The features of maps, which are independent.
  func isCombined(_ member: Int, in tree: StructureTree) -> Bool {
    guard tree[member].kind == .mapping else { return false }
    return tree.members(of: member).contains { field in
      tree.name(of: field, self).elementsEqual("type".utf8)
        && text(ofLeaf: tree.bytes[tree[field].value])?.elementsEqual("Feature".utf8) ?? false
    }
  }

  /// The mappings in package manifests, string catalogs and settings that are sets of keys.
  private static let maps: Set<String> = [
    "localizations", "scripts", "dependencies", "devDependencies", "peerDependencies",
    "optionalDependencies", "peerDependenciesMeta", "resolutions", "overrides", "engines",
    "require", "require-dev", "paths", "strings",
  ]

  /// The names of editor settings contain a dot.
  func isMap(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self)
    let isSetting = text.contains(".") && !text.contains("/") && !text.contains(" ")
    return Self.maps.contains(text) || isSetting && text.first?.isLetter ?? false
  }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) -> MergeRulings { RevisionRulings(trees, self, options.revisedFields).rulings }

  func parse(_ text: [UInt8]) throws -> StructureTree { try JSONParser(text).parse() }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    guard let end = key.lastIndex(of: JSONString.quote) else { return Array(key) }
    let literal = key[...end]
    return JSONString.text(of: literal) ?? Array(literal)
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    leaf.first == JSONString.quote ? JSONString.text(of: leaf) : nil
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    JSONString.literal(for: text)
  }

  /// Merges prose by words, and other strings with line breaks by lines.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    try mergedByWords(leaves, by: rules) ?? mergedByLines(leaves, by: rules)
  }

  /// JSON strings have no line breaks, so all space at the start of lines is layout.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.applied(to: bytes)
  }
}
