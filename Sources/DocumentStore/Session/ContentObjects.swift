internal import DocumentFiles
package import DocumentGit

/// The trees and files of contents that another repository lacks.
package struct ContentObjects {
  /// Those that were found.
  package private(set) var lacking: Set<ObjectID> = []
  /// Bytes of the files among them.
  package private(set) var lackingBytes = 0
  private var seen: Set<ObjectID> = []
  /// The limit of objects that are checked.
  private var most = 0

  package init() {}

  /// Adds what is lacking of a version.
  ///
  /// - Parameters:
  ///   - content: by the version's record; a larger one is not its content.
  ///   - source: where all of it must be.
  ///   - isThere: whether the other repository has an object. If it has a tree, it has what is below.
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
        // Links, and lists of pieces, are not counted by the record.
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
