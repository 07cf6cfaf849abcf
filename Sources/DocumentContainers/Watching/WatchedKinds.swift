internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import SystemPackage

/// Which of the files without versions become documents by themselves: texts, and those of types that are known.
struct WatchedKinds: Sendable {
  /// Those that become documents; of very many only some.
  private(set) var new: [FilePath] = []
  /// The number of all that become documents.
  private(set) var newCount = 0
  /// Those that become none, but for those of which that was reported.
  private(set) var leftOut: Set<FilePath> = []
  private(set) var tooLarge = WatchedFiles.Some()
  private(set) var unknown = WatchedFiles.Some()

  /// - Parameters:
  ///   - limit: how many that become documents are kept.
  ///   - reported: those of which it was reported that they become none.
  init(
    of files: Set<FilePath>, _ policy: WatchPolicy, in store: SynchronousStore,
    keeping limit: Int = .max, reported: Set<FilePath> = []
  ) throws {
    var store = store
    // Of many, all find the documents that are missing in one listing.
    store.environment.listings = ContainerListings()
    for (path, file) in files.map({ ($0.string, $0) }).sorted(by: { $0.0 < $1.0 }) {
      let url = URL(filePath: path)
      guard let status = try FileStatus.of(file) else { continue }
      switch status.kind {
      case .folder: add(file, limit)
      // An empty one is just being made, unless it is a document that was moved.
      case .file where status.size == 0: if try store.hasVersions(url) { add(file, limit) }
      case .file where status.size > policy.largestNewFile:
        if !reported.contains(file), leftOut.insert(file).inserted { tooLarge.append(url) }
      case .file:
        if try Self.isKnown(url, in: store) || Self.isText(file) {
          add(file, limit)
        } else if !reported.contains(file), leftOut.insert(file).inserted {
          unknown.append(url)
        }
      case .symbolicLink, .other: break
      }
    }
  }

  private mutating func add(_ file: FilePath, _ limit: Int) {
    newCount += 1
    if newCount <= limit { new.append(file) }
  }

  private static func isKnown(_ url: URL, in store: SynchronousStore) throws -> Bool {
    try MergeEngines.knows(fileName: url.lastPathComponent)
      || store.types(for: url).type(for: url) != nil
  }

  private static func isText(_ file: FilePath) throws -> Bool {
    let start: ArraySlice<UInt8>
    do {
      start = try FileStart.read(file, atMost: 8 << 10)[...]
    } catch {
      // It has gone meanwhile, or is not this user’s.
      guard [.notFound, .notPermitted].contains(error.code) else { throw error }
      return false
    }
    // A character may be cut at the end.
    let isValid = (0...3).contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
    return isValid && !start.contains(0)
  }
}
