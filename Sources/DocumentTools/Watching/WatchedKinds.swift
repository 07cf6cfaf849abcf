internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import SystemPackage

/// Which of the files without versions become documents by themselves: texts, and those of types that are known.
struct WatchedKinds: Sendable {
  /// Those that become documents.
  private(set) var new: [FilePath] = []
  private(set) var tooLarge: [URL] = []
  private(set) var unknown: [URL] = []

  init(of files: Set<FilePath>, _ policy: WatchPolicy, in store: SynchronousStore) throws {
    for file in files.sorted(by: { $0.string < $1.string }) {
      let url = URL(filePath: file.string)
      guard let status = try FileStatus.of(file) else { continue }
      switch status.kind {
      case .folder: new.append(file)
      // An empty one is just being made.
      case .file where status.size == 0: break
      case .file where status.size > policy.largestNewFile: tooLarge.append(url)
      case .file:
        if try Self.isKnown(url, in: store) || Self.isText(file) {
          new.append(file)
        } else {
          unknown.append(url)
        }
      case .symbolicLink, .other: break
      }
    }
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
