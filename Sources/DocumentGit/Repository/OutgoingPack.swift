#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A pack to send to a server, as an open file.
@safe
package final class OutgoingPack {
  package let descriptor: Int32
  /// The size in bytes.
  package let size: Int
  /// The number of objects.
  package let count: Int
  /// Keeps the temporary file in existence.
  private let file: FinishedPack?

  /// Opens a single pack of a repository, or combines all objects of several packs into one without a name.
  ///
  /// - Parameter likenesses: for objects, similar objects that the receiver has, so that deltas are sent if they are
  ///   smaller.
  package init(
    of packs: [PublishedPack], in repository: borrowing Repository,
    with likenesses: [ObjectID: ObjectID] = [:], advance: (Int) throws -> Void
  ) throws {
    let folder = PackFolder(in: repository.folder)
    let names = Set(packs.map(\.name))
    let objects = repository.objects
    let ids = try repository.objects(inPacks: names)
    let name: String
    if likenesses.isEmpty, names.count == 1, let only = names.first {
      file = nil
      name = "\(only).pack"
    } else {
      let copying = ObjectCopying(source: objects, destination: objects)
      let written = try copying.write(
        Array(ids), and: [], likenesses.filter { ids.contains($0.key) && !ids.contains($0.value) },
        advance: advance)
      file = written
      name = written.fileName
    }
    guard let opened = try folder.files.openIfThere(name) else {
      throw GitError.changedMeanwhile("the pack “\(name)” went away")
    }
    (descriptor, size, count) = (opened.descriptor, opened.size, ids.count)
  }

  deinit { close(descriptor) }
}
