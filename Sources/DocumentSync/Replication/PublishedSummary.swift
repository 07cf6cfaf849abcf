internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// A summary of a document from the records of its published heads, without its contents.
struct PublishedSummary: Sendable {
  /// The path of the current version.
  let path: String
  let bytes: Int
  let isPackage: Bool
  /// The modification time of the current version, in milliseconds since 1970.
  let modified: Int64
  /// The device that saved the current version.
  let device: String
  /// The number of versions in conflict with the current one.
  let conflicts: Int
}

extension PeerObjects {
  /// Reads the records of published heads.
  ///
  /// - Returns: nil if the document is deleted, or no record has arrived.
  func summary(of heads: Set<ObjectID>) throws -> PublishedSummary? {
    let records = try latest(of: heads)
    guard let current = records.first, let content = current.content else { return nil }
    return PublishedSummary(
      path: current.facts.path, bytes: current.facts.bytes, isPackage: content.isPackage,
      modified: current.facts.modified, device: current.facts.device, conflicts: records.count - 1)
  }

  /// Returns the current one of published heads; nil if no record has arrived.
  func current(of heads: Set<ObjectID>) throws -> ObjectID? { try latest(of: heads).first?.id }

  /// Returns the records of published heads that no other one follows, the current one first.
  private func latest(of heads: Set<ObjectID>) throws -> [Record] {
    var records: [ObjectID: Record] = [:]
    for head in heads where try repository.contains(head) {
      records[head] = try Record(id: head, decoding: repository.commit(head))
    }
    if records.count > 1 {
      var seen: Set<ObjectID> = []
      var pending = records.values.flatMap(\.parents)
      while let next = pending.popLast() {
        guard seen.insert(next).inserted, try repository.contains(next) else { continue }
        records[next] = nil
        pending += try repository.commit(next).parents
      }
    }
    return records.values.sorted(by: Record.isPreferred)
  }

  /// Returns the commit under which devices publish the contents of a version; nil for a deletion, or if its
  /// record has not arrived.
  func publishedContent(of version: ObjectID) throws -> ObjectID? {
    guard try repository.contains(version) else { return nil }
    let record = try Record(id: version, decoding: repository.commit(version))
    guard record.content != nil else { return nil }
    return try ContentCommit.make(for: record, predecessors: []).content.id
  }
}
