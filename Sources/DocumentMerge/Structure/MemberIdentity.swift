/// Fields of a list's members which together tell them apart.
///
/// They do if every member has all the `required` ones, and no two members agree in all fields.
struct MemberIdentity: Sendable, Equatable {
  /// The fields every member must have, with values that are leaves.
  let required: [String]
  /// Further fields; a member may lack them.
  let optional: [String]

  init(_ required: String..., optional: [String] = []) {
    self.required = required
    self.optional = optional
  }

  /// What the fields of one member say.
  struct Value: Hashable {
    fileprivate let hashes: [Int?]
    /// The member's name in a path, such as `id=2`.
    let name: [UInt8]

    static func == (one: Self, other: Self) -> Bool { one.hashes == other.hashes }

    func hash(into hasher: inout Hasher) { hasher.combine(hashes) }
  }
}

extension StructureTree {
  /// What some fields say about a member of a list; `nil` if it has not all that it must have.
  func identity(
    of member: Int, by fields: MemberIdentity, _ format: some StructuredFormat
  ) -> MemberIdentity.Value? {
    guard self[member].kind == .mapping else { return nil }
    let names = fields.required + fields.optional
    var hashes = [Int?](repeating: nil, count: names.count)
    var words: [[UInt8]] = Array(repeating: [], count: names.count)
    for field in members(of: member) {
      let name = format.name(ofKey: bytes[self[field].key])
      guard let place = names.firstIndex(where: { $0.utf8.elementsEqual(name) }) else { continue }
      let isLeaf = self[field].kind == .leaf
      guard isLeaf || place >= fields.required.count else { return nil }
      hashes[place] = self[field].valueHash
      let leaf = bytes[self[field].value]
      if isLeaf {
        words[place] = name + [UInt8(ascii: "=")] + (format.text(ofLeaf: leaf) ?? Array(leaf))
      }
    }
    guard !hashes.prefix(fields.required.count).contains(nil) else { return nil }
    let name = words.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: ",")])
    return MemberIdentity.Value(hashes: hashes, name: Array(name))
  }
}
