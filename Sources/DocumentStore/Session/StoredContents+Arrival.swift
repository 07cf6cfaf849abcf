internal import DocumentFiles
internal import DocumentGit

/// The check of versions that other devices publish.
extension StoredContents {
  /// Throws an error for a version that couldn't be written, or that must not be written without permission;
  /// its contents are present.
  ///
  /// This check rejects everything that the writer rejects on any file system, because a received version
  /// that can't be written would block the document on every device.
  ///
  /// | refused | where the writer refuses it |
  /// | --- | --- |
  /// | an empty name, `.`, `..`, one with `/` or a zero, one of more than 255 bytes, one twice | ``DocumentItem/isWritable(name:linkTarget:)``, ``ItemBuilder`` |
  /// | a link without a target, with a zero in it, or of more than 4,095 bytes | ``DocumentItem/isWritable(name:linkTarget:)`` |
  /// | a submodule, a mode of no document, a document that is not one file or one folder | ``Tree``, ``item(of:replacing:)`` |
  /// | more members, folders inside one another or bytes than a document may have, files that are larger than the version | ``DocumentLimits``, ``item(of:replacing:)`` |
  /// | a package that keeps versions of documents inside it | ``DocumentLocation/refuseContainer()`` |
  /// | a repository of git, Mercurial, Jujutsu or Subversion where the document had none | this check |
  ///
  /// - Parameters:
  ///   - record: a version.
  ///   - known: contents that the document had on this device; a repository in one of them may also be in this version.
  ///   - takingRepositories: whether repositories that arrive are accepted.
  /// - Throws: ``GitError`` for a version that can't be written; ``VersionError`` with code `bringsRepository`.
  package func checkArrival(
    of record: Record, besides known: [DocumentContent], takingRepositories: Bool
  ) throws {
    guard let content = record.content else { return }
    _ = try item(of: record)
    guard content.isPackage else { return }
    if try holdsStores(content.tree) {
      throw GitError.malformed("\(record.shortName) keeps versions of other documents inside it")
    }
    guard !takingRepositories else { return }
    var former: Set<[[UInt8]]> = []
    for content in known where content.isPackage {
      guard try objects.repository.contains(content.tree) else { continue }
      former.formUnion(try repositories(in: content.tree))
    }
    guard let path = try repositories(in: content.tree).subtracting(former).min(by: precedes) else {
      return
    }
    let name = Printable.text(path.joined(separator: [UInt8(ascii: "/")]))
    let document = objects.location.printable
    throw VersionError(
      .bringsRepository, document: document,
      message: """
        \(record.shortName) of “\(document)”, by \(Printable.text(record.facts.author)) on \
        \(Printable.text(record.facts.device)), brings “\(name)”, a repository whose settings and hooks programs \
        here would obey; it was not taken in.
        """,
      recovery: .takeRepositories)
  }

  /// Returns whether a version can be written at all; one that was received before this check existed must
  /// not block the document.
  func canBeWritten(_ record: Record) throws -> Bool {
    guard record.content != nil else { return true }
    return try ifReadable { try item(of: record) } != nil
  }

  private func precedes(_ left: [[UInt8]], _ right: [[UInt8]]) -> Bool {
    left.lexicographicallyPrecedes(right) { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns whether a package has stores of documents: a folder `.docversions` with at least one.
  private func holdsStores(_ tree: ObjectID) throws -> Bool {
    func folder(_ name: String, in tree: ObjectID) throws -> ObjectID? {
      try objects.repository.tree(tree).entries.map(ComparedMember.init)
        .first { $0.name == Array(name.utf8) && $0.isFolder }?.id
    }
    guard let container = try folder(Layout.folderName, in: tree),
      let documents = try folder(ContainerFile.documents.name, in: container)
    else { return false }
    return try holdsStore(documents, depth: 0)
  }

  private func holdsStore(_ tree: ObjectID, depth: Int) throws -> Bool {
    let members = try objects.repository.tree(tree).entries.map(ComparedMember.init)
    if depth > 0, members.contains(where: { $0.name == Array(StoreFile.head.name.utf8) }) {
      return true
    }
    guard depth < DocumentLimits().depth else { return true }
    return try members.contains { try $0.isFolder && holdsStore($0.id, depth: depth + 1) }
  }

  /// Returns the paths of repositories of other programs in a package.
  private func repositories(in tree: ObjectID) throws -> Set<[[UInt8]]> {
    var found: Set<[[UInt8]]> = []
    try collectRepositories(in: tree, at: [], into: &found)
    return found
  }

  private func collectRepositories(
    in tree: ObjectID, at path: [[UInt8]], into found: inout Set<[[UInt8]]>
  ) throws {
    let members = try objects.repository.tree(tree).entries.map(ComparedMember.init)
    let names = Set(members.map(\.name))
    // A repository without a working copy; git treats a folder with these items as one.
    if Self.partsOfRepository.isSubset(of: names) { found.insert(path) }
    for member in members {
      let inner = path + [member.name]
      if MemberName.isRepository(member.name) {
        found.insert(inner)
      } else if member.isFolder {
        try collectRepositories(in: member.id, at: inner, into: &found)
      }
    }
  }

  private static let partsOfRepository = Set(
    [StoreFile.head, .objects, .references].map { Array($0.name.utf8) })
}
