/// Merges leaves that both sides changed, if the format has rules for them.
struct LeafMerge<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let rules: LeafRules

  /// Returns the merged leaf; `nil` if the format has no rule that decides.
  @inline(never)
  func merged(_ nodes: MergeSides<Int>) throws -> [UInt8]? {
    guard nodes.base != nil else { return nil }
    let leaves = map(nodes) { $0.bytes[$0[$1].value] }
    return try format.merged(leaves, by: rules)
  }
}
