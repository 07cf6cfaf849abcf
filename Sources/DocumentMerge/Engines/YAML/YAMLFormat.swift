/// YAML 1.1: mappings by key, lists by the fields that distinguish their members, cluster documents by name.
struct YAMLFormat: StructuredFormat {
  var hasLockedPackages = false

  var name: String { "yaml" }

  var hasPlainValues: Bool { true }

  /// Only collections in brackets and braces have separators.
  func separator(in kind: StructureTree.Kind) -> [UInt8] {
    kind.isBlock ? [] : [UInt8(ascii: ",")]
  }

  /// Names, and then the fields that distinguish steps, hooks, ports, mounts and sources.
  var identities: [MemberIdentity] {
    [
      MemberIdentity("id"), MemberIdentity("name"), MemberIdentity("key"), MemberIdentity("uid"),
      MemberIdentity("repo"), MemberIdentity("job_name"), MemberIdentity("alert"),
      MemberIdentity("package-ecosystem", optional: ["directory"]),
      MemberIdentity("path"), MemberIdentity("mountPath"), MemberIdentity("containerPort"),
      MemberIdentity("url"), MemberIdentity("host"), MemberIdentity("uses"),
      MemberIdentity("role"), MemberIdentity("hosts"),
    ]
  }

  /// Returns an identity for the steps of a job, which have different fields or are single words, without the
  /// version of what a step uses.
  func looseIdentity(of member: Int, in tree: StructureTree) -> [UInt8]? {
    if tree[member].kind == .leaf { return text(ofLeaf: tree.bytes[tree[member].value]) }
    guard tree[member].kind.isMapping else { return nil }
    let members = tree.members(of: member)
    let fields = members.filter { tree[$0].kind == .leaf }
    for field in ["id", "name", "key", "uses", "run"] {
      let found = fields.first { tree.name(of: $0, self).elementsEqual(field.utf8) }
      guard let found else { continue }
      let value = tree.bytes[tree[found].value]
      return Array("\(field)=".utf8)
        + (field == "uses" ? value.prefix { $0 != UInt8(ascii: "@") } : value)
    }
    // A member with a single field is identified by it, such as the packages of another tool.
    return members.count == 1 ? tree.name(of: members[0], self) + [UInt8(ascii: ":")] : nil
  }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    var tree = try YAMLParser(text).parse()
    tree.names.merge(YAMLDocumentNames(in: tree).byDocument) { $1 }
    return tree
  }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    if let key = YAMLKey(key) { return key.name }
    // In braces, a key in quotes needs no space after it.
    if let quoted = YAMLQuoted(at: key.startIndex, in: key) { return quoted.text }
    return Array(key)
  }

  /// Returns whether the name is part of a place, unlike the empty name of the first document.
  func isPlace(_ name: [UInt8]) -> Bool { !name.isEmpty }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    switch leaf.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return YAMLQuoted(at: leaf.startIndex, in: leaf)?.text
    case UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "*"), UInt8(ascii: "&"),
      UInt8(ascii: "!"):
      return nil
    default: return YAMLScalar.isText(leaf) ? Array(leaf) : nil
    }
  }

  /// Blocks move as wholes, so their contents stay unchanged.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.moved(bytes)
  }

  func needsSpace(between last: UInt8, and next: UInt8) -> Bool {
    (last == UInt8(ascii: ":") || last == UInt8(ascii: "-")) && !next.isSpace
  }
}
