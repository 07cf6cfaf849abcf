internal import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

/// How much versions changed, as it was counted before: a file `change-counts` in the store.
///
/// A cache, so that a list of a hundred versions reads none of the three hundred objects that tell what each one
/// changed. A version and the one that it is compared with are named by their hashes, so what was counted once stays
/// true. It is nothing that was verified: a version whose contents were damaged since is listed with what it changed.
///
/// Whoever lists versions reads it, and writes it where nobody else changes the store just then.
package struct KnownChangeCounts {
  /// Nil where the document has no store any more.
  private let store: FilePath?
  private let file: CacheFile?
  /// The entries as they stand in the file, and where the one of a version is.
  private let known: [UInt8]
  private let places: [ObjectID: Int]
  /// Those of versions that were not known, in the same form.
  private var new: [UInt8] = []
  private var newVersions: Set<ObjectID> = []

  /// What a version changed against the first that it was made from, or against nothing; nil where that was not
  /// counted.
  package func counts(of version: FileVersion) -> ChangeCounts? {
    guard let place = places[version.listed.id] else { return nil }
    return known.withUnsafeBytes { known in
      guard known.identifier(at: place + 20) == version.former else { return nil }
      return ChangeCounts(at: place + 40, in: known)
    }
  }

  /// Notes what a version changed against the first that it was made from, or against nothing.
  package mutating func note(_ counts: ChangeCounts, of version: FileVersion) {
    guard self.counts(of: version) == nil, newVersions.insert(version.listed.id).inserted else {
      return
    }
    new.append(version.listed.id)
    new.append(version.former)
    counts.append(to: &new)
  }

  // MARK: On disk

  // For each version its id, the one of the version that it was compared with (20 bytes each), and the counts.
  private static let entrySize = 40 + ChangeCounts.encodedSize
  /// How many are kept: those that were noted last, twice as many as are listed at one time.
  static let most = 2_000

  /// Those that a store knows of.
  fileprivate init(in store: FilePath?) {
    self.store = store
    file = store.map {
      CacheFile($0.appending("change-counts"), title: "docversions change counts 1")
    }
    let bytes = file?.read(limit: Self.most * Self.entrySize) ?? []
    let isSound = bytes.count.isMultiple(of: Self.entrySize)
    known = isSound ? bytes : []
    places = known.withUnsafeBytes { known in
      let places = stride(from: 0, to: known.count, by: Self.entrySize)
      return Dictionary(
        places.map { (known.identifier(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Writes them for the next time, where there are new ones.
  ///
  /// Even of one, as after each save: to count it again takes longer, because the packs have to be opened for it.
  package func write() {
    guard !new.isEmpty, let store, let file else { return }
    do {
      let lock = try FileLock(store.appending("lock"), waitingAtMost: 0)
      try file.write(reserving: new.count + known.count) { bytes in
        let end = bytes.count + Self.most * Self.entrySize
        bytes += new.prefix(end - bytes.count)
        for place in stride(from: 0, to: known.count, by: Self.entrySize) where bytes.count < end {
          let entry = known[place..<place + Self.entrySize]
          let id = entry.withUnsafeBytes { $0.identifier(at: 0) }
          if !newVersions.contains(id) { bytes += entry }
        }
      }
      lock.releaseAsFound()
    } catch {
      // Where nothing can be written, the next list takes as long.
    }
  }
}

extension FileVersion {
  /// What it is compared with; of a version that was made from none its own id.
  fileprivate var former: ObjectID { listed.parents.first ?? listed.id }
}

extension VersionStore {
  /// How much a document's versions changed, as far as it was counted before.
  package func knownChangeCounts(of document: URL) -> KnownChangeCounts {
    do {
      return KnownChangeCounts(in: try DocumentLocation(of: document).followingRename().store)
    } catch {
      // It was moved away just now.
      return KnownChangeCounts(in: nil)
    }
  }
}
