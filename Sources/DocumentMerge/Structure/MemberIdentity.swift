/// Fields that together distinguish the members of a list.
///
/// Every member must have all `required` fields, and no two members may agree in all fields.
final class MemberIdentity: Sendable {
  /// The fields that every member must have, with leaves as values.
  let required: [String]
  /// Further fields, which a member may lack.
  let optional: [String]
  /// True if a member may be replaced by one with other fields, like a package by its next version.
  ///
  /// A member that both sides removed may then be the one that each replaced differently.
  let isReplaceable: Bool

  convenience init(_ required: String..., optional: [String] = [], isReplaceable: Bool = false) {
    self.init(required: required, optional: optional, isReplaceable: isReplaceable)
  }

  private init(required: [String], optional: [String] = [], isReplaceable: Bool = false) {
    self.required = required
    self.optional = optional
    self.isReplaceable = isReplaceable
  }

  /// The first field alone.
  var leading: MemberIdentity { MemberIdentity(required: Array(required.prefix(1))) }

  /// All fields, the required ones first.
  fileprivate var fields: [String] { required + optional }
}

extension StructureTree {
  /// Returns the identity of a list's member by these fields; `nil` if it lacks a required one.
  func identity(
    of member: Int, by fields: MemberIdentity, _ format: some StructuredFormat
  ) -> Int? {
    guard self[member].kind.isMapping else { return nil }
    var hashes = [Int?](repeating: nil, count: fields.required.count + fields.optional.count)
    for (place, field) in self.fields(of: member, in: fields, format) {
      if place < fields.required.count, self[field].kind != .leaf { return nil }
      hashes[place] = self[field].valueHash
    }
    guard !hashes.prefix(fields.required.count).contains(nil) else { return nil }
    return hashes.reduce(0) { mixed($0, $1 ?? 0) }
  }

  /// Returns the name of a list's member by these fields, such as `id=2`.
  func name(
    of member: Int, by fields: MemberIdentity, _ format: some StructuredFormat
  ) -> [UInt8] {
    let names = fields.fields
    let words = self.fields(of: member, in: fields, format).sorted { $0.place < $1.place }
      .compactMap { place, field -> [UInt8]? in
        guard self[field].kind == .leaf else { return nil }
        let leaf = bytes[self[field].value]
        return Array("\(names[place])=".utf8) + (format.text(ofLeaf: leaf) ?? Array(leaf))
      }
    return Array(words.joined(separator: [UInt8(ascii: ",")]))
  }

  /// Returns the members of a mapping that are these fields, with their positions among the fields.
  private func fields(
    of member: Int, in identity: MemberIdentity, _ format: some StructuredFormat
  ) -> [(place: Int, field: Int)] {
    members(of: member).compactMap { field in
      let name = name(of: field, format)
      func isName(_ other: String) -> Bool { other.utf8.elementsEqual(name) }
      let place =
        identity.required.firstIndex(where: isName)
        ?? identity.optional.firstIndex(where: isName).map { $0 + identity.required.count }
      return place.map { ($0, field) }
    }
  }
}
