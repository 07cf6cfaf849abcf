internal import DocumentVersions

/// A store that was made small: `{"after", "before", "document", "forgotten", "objects"}`.
///
/// Bytes of the store afterward and before, the path, how many removals can't be undone any more, and how many objects
/// are stored.
struct CollectReport: Encodable {
  let after, before: Int
  let document: String
  let forgotten, objects: Int

  init(_ path: String, _ outcome: CollectOutcome) {
    after = outcome.bytesAfter
    before = outcome.bytesBefore
    document = path
    forgotten = outcome.forgottenRemovals
    objects = outcome.objects
  }
}
