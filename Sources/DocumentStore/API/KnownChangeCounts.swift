/// The change counts of a document's versions that earlier calls have computed.
package struct KnownChangeCounts {
  private var cache: CountedChanges

  init(_ cache: CountedChanges) {
    self.cache = cache
  }

  /// The changes of a version against the first that it was made from, or against nothing; nil where they were not
  /// counted.
  package func counts(of version: FileVersion) -> ChangeCounts? {
    cache[CountedChanges.Key(version.listed)]
  }

  /// Adds the changes of a version against the first that it was made from, or against nothing.
  package mutating func add(_ counts: ChangeCounts, of version: FileVersion) {
    cache.add(counts, for: CountedChanges.Key(version.listed))
  }

  /// Writes the counts for the next call, where there are new ones.
  package func write() {
    cache.write()
  }
}
