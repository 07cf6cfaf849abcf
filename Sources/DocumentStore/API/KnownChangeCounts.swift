/// The change counts of a document's versions that earlier calls have computed.
package struct KnownChangeCounts {
  private var cache: CountedChanges

  init(_ cache: CountedChanges) {
    self.cache = cache
  }

  /// Returns the changes between a version and its first parent, or an empty document; `nil` if they weren't counted.
  package func counts(of version: FileVersion) -> ChangeCounts? {
    cache[CountedChanges.Key(version.listed)]
  }

  /// Adds the changes between a version and its first parent, or an empty document.
  package mutating func add(_ counts: ChangeCounts, of version: FileVersion) {
    cache.add(counts, for: CountedChanges.Key(version.listed))
  }

  /// Writes the counts for later calls, if there are new ones.
  package func write() {
    cache.write()
  }
}
