internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import SystemPackage

/// The files without versions that become documents automatically: texts, and files of known types.
struct WatchedKinds: Sendable {
  /// The files that become documents; only some if there are very many.
  private(set) var new: [FilePath] = []
  /// The number of all files that become documents.
  private(set) var newCount = 0
  /// The files that don't become documents, except those already reported.
  private(set) var leftOut: Set<FilePath> = []
  private(set) var tooLarge = WatchedFiles.Some()
  private(set) var unknown = WatchedFiles.Some()

  /// - Parameters:
  ///   - limit: the number of files in `new` to keep.
  ///   - reported: the files already reported as not becoming documents.
  init(
    of files: Set<FilePath>, _ policy: WatchPolicy, in store: SynchronousStore,
    keeping limit: Int = .max, reported: Set<FilePath> = []
  ) throws {
    var store = store
    // With many files, all find missing documents in one listing.
    let listings = ContainerListings()
    store.environment.listings = listings
    // The folder of the last file, and the package that it is in.
    var last: (folder: FilePath, package: FilePath?)?
    for (path, file) in files.map({ ($0.string, $0) }).sorted(by: { $0.0 < $1.0 }) {
      let url = URL(filePath: path)
      guard let status = try FileStatus.of(file) else { continue }
      let folder = file.parentFolder
      if last?.folder != folder {
        let package = try DocumentLocation(of: url).enclosingPackage(knowing: listings)?.document
        if let package, new.last != package { add(package, limit) }
        last = (folder, package)
      }
      // It was moved, so its place isn't known yet.
      if last?.package != nil { continue }
      switch status.kind {
      case .folder: add(file, limit)
      // An empty file is just being created, unless it is a document that was moved.
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
      // The file has disappeared in the meantime, or this user can't read it.
      guard [.notFound, .notPermitted].contains(error.code) else { throw error }
      return false
    }
    // A character may be cut off at the end.
    let isValid = (0...3).contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
    return isValid && !start.contains(0)
  }
}
