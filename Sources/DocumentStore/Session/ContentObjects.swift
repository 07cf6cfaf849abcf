internal import DocumentFiles
package import DocumentGit

/// The trees and files of contents that another repository lacks.
package struct ContentObjects {
  /// The missing objects that were found.
  package private(set) var lacking: Set<ObjectID> = []
  /// The size of the missing files, in bytes.
  package private(set) var lackingBytes = 0
  private var seen: Set<ObjectID> = []
  /// The greatest number of objects to check.
  private var most = 0

  package init() {}

  /// Adds the objects of a version that the other repository lacks.
  ///
  /// - Parameters:
  ///   - content: the content according to the version's record; a larger one doesn't match it.
  ///   - source: the repository that must have all objects.
  ///   - isThere: whether the other repository has an object; if it has a tree, it has everything below
  ///     it.
  package mutating func add(
    _ content: DocumentContent, of source: borrowing Repository,
    unless isThere: (ObjectID) throws -> Bool
  ) throws {
    most = seen.count + 2 * DocumentLimits().members
    try add(content.tree, of: source, upTo: content.bytes, depth: 0, unless: isThere)
  }

  private mutating func add(
    _ tree: ObjectID, of source: borrowing Repository, upTo bytes: Int, depth: Int,
    unless isThere: (ObjectID) throws -> Bool
  ) throws {
    guard seen.insert(tree).inserted else { return }
    let isTreeThere = try isThere(tree)
    guard !isTreeThere else { return }
    guard depth < DocumentLimits().depth, seen.count < most else {
      throw GitError.malformed("content \(tree) is larger or deeper than a document may be")
    }
    for entry in try source.tree(tree).entries {
      if entry.mode == .folder {
        try add(entry.id, of: source, upTo: bytes, depth: depth + 1, unless: isThere)
      } else if try seen.insert(entry.id).inserted && !isThere(entry.id) {
        // The record doesn't count links, and lists of chunks.
        let size = try source.size(of: entry.id)
        guard size <= bytes + 1 << 16 else {
          throw GitError.malformed("object \(entry.id) is larger than its version")
        }
        lacking.insert(entry.id)
        lackingBytes += size
      }
    }
    lacking.insert(tree)
  }
}

extension Repository {
  /// Throws an error unless a version's contents are complete, whether or not they are reachable.
  package func checkWhole(_ content: DocumentContent) throws {
    var objects = ContentObjects()
    try objects.add(content, of: self) { _ in false }
  }
}
