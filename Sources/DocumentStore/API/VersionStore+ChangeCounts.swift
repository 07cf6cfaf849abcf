internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// How much a document's versions changed, as far as it was counted before.
package struct KnownChangeCounts {
  private var cache: CountedChanges

  fileprivate init(_ cache: CountedChanges) {
    self.cache = cache
  }

  /// What a version changed against the first that it was made from, or against nothing; nil where that was not
  /// counted.
  package func counts(of version: FileVersion) -> ChangeCounts? {
    cache[CountedChanges.Key(version.listed)]
  }

  /// Adds what a version changed against the first that it was made from, or against nothing.
  package mutating func add(_ counts: ChangeCounts, of version: FileVersion) {
    cache.add(counts, for: CountedChanges.Key(version.listed))
  }

  /// Writes them for the next time, where there are new ones.
  package func write() {
    cache.write()
  }
}

extension VersionStore {
  /// How much a document's versions changed, as far as it was counted before.
  package func knownChangeCounts(of document: URL) -> KnownChangeCounts {
    do {
      let location = try DocumentLocation(of: document).followingRename()
      return KnownChangeCounts(CountedChanges(in: location.store))
    } catch {
      // It was moved away just now.
      return KnownChangeCounts(CountedChanges(in: nil))
    }
  }
}
