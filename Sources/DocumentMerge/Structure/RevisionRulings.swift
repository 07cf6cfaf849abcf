/// Decides about the fields that programs write at every save of a record: its version, and marks of the version.
///
/// They are taken from the side with the higher version or the newer date.
struct RevisionRulings<Format: StructuredFormat> {
  private(set) var rulings = MergeRulings()

  /// The fields for comparing versions, each with the fields that go with it.
  private static var fields: [(order: String, others: [String])] {
    [("version", ["versionNonce"]), ("modified", ["etag"])]
  }

  /// Finds the records that both sides saved.
  init(_ trees: MergeSides<StructureTree>, _ format: Format, _ revised: RevisedFields) {
    guard let base = trees.base else { return }
    for (order, marks) in Self.fields where !revised.areAsked(order) {
      let others = marks.filter { !revised.areAsked($0) }
      // Few documents have such records.
      guard others.contains(where: { trees.ours.bytes[...].range(of: Array($0.utf8)) != nil })
      else {
        continue
      }
      let (old, ours, theirs) = (
        Self.records(in: base, format, order, others),
        Self.records(in: trees.ours, format, order, others),
        Self.records(in: trees.theirs, format, order, others)
      )
      for (identity, own) in ours {
        guard let other = theirs[identity], let known = old[identity],
          let first = own[order], let second = other[order]
        else { continue }
        let values = (
          trees.ours.bytes[trees.ours[first].value], trees.theirs.bytes[trees.theirs[second].value]
        )
        let isOurs: Bool
        if values.0 == values.1 {
          // For equal versions, either mark is right, but all devices must choose the same one.
          guard let mark = others.first, let one = own[mark], let two = other[mark] else {
            continue
          }
          isOurs = trees.ours.bytes[trees.ours[one].value]
            .lexicographicallyPrecedes(trees.theirs.bytes[trees.theirs[two].value])
        } else if let isAfter = RevisedValue.isAfter(Self.digits(values.0), Self.digits(values.1)) {
          isOurs = isAfter
        } else {
          continue
        }
        for name in [order] + others {
          guard let node = own[name], let theirNode = other[name], let baseNode = known[name]
          else { continue }
          let hashes = (
            base[baseNode].valueHash, trees.ours[node].valueHash, trees.theirs[theirNode].valueHash
          )
          guard hashes.0 != hashes.1, hashes.0 != hashes.2, hashes.1 != hashes.2 else { continue }
          let side: MergeSide = isOurs ? .ours : .theirs
          rulings.ours[node] = .taken(side, "The newer version's was taken.")
        }
      }
    }
  }

  /// Returns a value without the quotes around it.
  private static func digits(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    value.first == UInt8(ascii: "\"") ? value.dropFirst().dropLast() : value
  }

  /// Returns the fields of records, by the hash of the id of each; the document's own record has none.
  private static func records(
    in tree: StructureTree, _ format: Format, _ order: String, _ others: [String]
  ) -> [Int: [String: Int]] {
    var records: [Int: [String: Int]] = [:]
    for node in 0..<tree.count where tree[node].kind.isMapping {
      var fields: [String: Int] = [:]
      for member in tree.members(of: node) where tree[member].kind == .leaf {
        let name = String(decoding: tree.name(of: member, format), as: UTF8.self)
        let plain = name.first == "@" ? String(name.dropFirst()) : name
        if plain == order || plain == "id" || others.contains(plain) { fields[plain] = member }
      }
      guard fields[order] != nil, others.contains(where: { fields[$0] != nil }) else { continue }
      records[fields["id"].map { tree[$0].valueHash } ?? 0] = fields
    }
    return records
  }
}
