internal import DocumentVersions

/// A compacted store: `{"after", "before", "document", "forgotten", "objects"}`.
///
/// The bytes of the store afterward and before, the path, the number of removals that can no longer be
/// undone, and the number of stored objects.
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
