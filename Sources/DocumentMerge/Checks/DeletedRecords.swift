/// Asks about records that one side marked as deleted, as drawings do, while the other side changed them or newly
/// refers to them.
struct DeletedRecords: MergeCheck {
  private struct Entry {
    let isDeleted: Bool
    /// The text, without counters of a program.
    let text: String
  }

  /// The fields that a program changes with each change.
  private static let counters: Set<String> = [
    "version", "versionNonce", "updated", "seed", "isDeleted", "index",
  ]

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    guard let sides = merge.documents.compactMap(Self.records), let base = sides.base else {
      return []
    }
    var names: Set<String> = []
    for (side, other) in [(sides.ours, sides.theirs), (sides.theirs, sides.ours)] {
      let deleted = base.filter { name, record in
        !record.isDeleted && side[name]?.isDeleted ?? false && !(other[name]?.isDeleted ?? true)
      }
      for (name, record) in deleted {
        let isUsed = other.contains { key, user in
          key != name && user.text.has("\"\(name)\"")
            && !(base[key]?.text.has("\"\(name)\"") ?? false)
        }
        if isUsed || other[name]?.text != record.text { names.insert(name) }
      }
    }
    return names.sorted().map {
      .doubt("“\($0)” was deleted on one side, and changed or used on the other.")
    }
  }

  private static func records(_ document: [UInt8]) -> [String: Entry]? {
    guard let texts = JSONTexts(document) else { return nil }
    let list = texts.members(of: StructureTree.root).first { $0.name == "elements" }?.member
    guard let list else { return nil }
    var records: [String: Entry] = [:]
    for element in texts.items(of: list) {
      let members = texts.members(of: element)
      func text(_ name: String) -> String? {
        members.first { $0.name == name }.map { texts.text(of: $0.member) }
      }
      guard let name = text("id") else { continue }
      let said = members.filter { !counters.contains($0.name) }
        .map { "\($0.name):\(texts.text(of: $0.member))" }
      records[name.filter { $0 != "\"" }] = Entry(
        isDeleted: text("isDeleted") == "true", text: said.sorted().joined(separator: "\n"))
    }
    return records
  }
}
