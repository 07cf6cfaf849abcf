package import Foundation
internal import Synchronization
internal import SystemPackage

/// A package's tree at one moment, for work on another thread, such as saving in the background.
///
/// A ``DocumentWrapper`` belongs to one thread, and an app keeps changing it while it is written. A snapshot copies the
/// tree without its bytes: files share their contents, and contents that are only on disk stay there.
public final class PackageSnapshot: Sendable {
  /// The tree.
  ///
  /// It is `nonisolated(unsafe)` because wrappers aren't Sendable. This is safe because the tree belongs to
  /// the snapshot, no other object refers to its nodes, and each access holds the lock. A tree of values
  /// instead of the wrapper's nodes would need neither.
  private nonisolated(unsafe) let tree: DocumentWrapper
  private let lock = Mutex(())

  /// Takes ownership of a tree that nothing else refers to.
  fileprivate init(ofOwn tree: DocumentWrapper) { self.tree = tree }

  /// Reads the item at a URL; blocks.
  ///
  /// - Parameters:
  ///   - url: a file URL.
  ///   - options: whether the bytes of files are read at once or on first use.
  /// - Throws: the errors of ``DocumentWrapper/init(url:options:)``.
  package convenience init(url: URL, options: DocumentWrapper.ReadingOptions = []) throws {
    self.init(ofOwn: try DocumentWrapper(url: url, options: options))
  }

  /// Returns a wrapper with the tree, to read and change.
  public func wrapper() -> DocumentWrapper { withTree(WrapperTrees.copy) }

  /// Writes the tree atomically, replacing the original; blocks.
  ///
  /// Files that are unchanged since the last read or write aren't written again. Afterward, the snapshot refers to the
  /// written files; its wrapper adopts these references with ``DocumentWrapper/adopt(_:)``.
  ///
  /// - Parameters:
  ///   - url: the destination, whose folder must exist.
  ///   - original: the package as it was last read or written; `nil` to write all files.
  /// - Throws: the errors of ``DocumentWrapper/write(to:options:originalContentsURL:)`` with both options.
  package func write(to url: URL, originalContentsURL original: URL?) throws {
    try withTree {
      try $0.write(to: url, options: [.atomic, .withNameUpdating], originalContentsURL: original)
    }
  }

  /// Returns whether the item at a URL is unchanged since the last read or write, by dates, sizes and inodes.
  ///
  /// - Throws: ``FileError`` if the item can't be compared.
  package func matchesContents(of url: URL) throws -> Bool {
    try withTree { try $0.matchesContents(of: url) }
  }

  /// Returns the paths of the files and links that differ from those of an earlier snapshot of the same
  /// wrapper, or are only in one of them; `nil` if a name on disk differs from its key.
  package func changedMembers(since former: PackageSnapshot) -> [String]? {
    guard let before = former.withTree(WrapperTrees.leaves),
      let after = withTree(WrapperTrees.leaves)
    else { return nil }
    let changed = after.filter { before[$0.key] !== $0.value }.keys
    return changed + before.keys.filter { after[$0] == nil }
  }

  fileprivate func withTree<Result>(_ body: (DocumentWrapper) throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body(tree) }
  }
}

extension DocumentWrapper {
  /// Returns a snapshot of the present tree.
  ///
  /// - Throws: ``FileError`` with code `too-large` for a tree that couldn't be read again.
  public func snapshot() throws -> PackageSnapshot {
    try WrapperTree(self).checkLimits(at: .at(FilePath(shownName)))
    return PackageSnapshot(ofOwn: WrapperTrees.copy(self))
  }

  /// Adopts the written files of a snapshot of this tree, so that the next write omits unchanged files.
  ///
  /// Members that were changed or added in the meantime stay unchanged.
  package func adopt(_ written: PackageSnapshot) {
    written.withTree { WrapperTrees.adopt($0, by: self) }
  }
}

/// Copies of trees of wrappers.
private enum WrapperTrees {
  /// Returns a separate tree of nodes, each with the identity of the node that it copies.
  static func copy(_ original: DocumentWrapper) -> DocumentWrapper {
    let node: DocumentWrapper
    switch original.content {
    case .file, .symbolicLink: node = DocumentWrapper(original.content)
    case .folder(let members):
      node = DocumentWrapper(.folder(WrapperMembers()))
      var copies = WrapperMembers()
      for (key, member) in members.byKey {
        let copy = copy(member)
        copies.insert(copy, forKey: key, nameOnDisk: members.namesOnDisk[key])
        copy.parents.add(node)
      }
      node.content = .folder(copies)
    }
    node.identity = original.identity
    node.stored = original.stored
    node.storedName = original.storedName
    node.revisions = original.revisions
    node.preferredFilename = original.preferredFilename
    node.attributes = original.attributes
    return node
  }

  /// Adopts the places at which a copy was written, node by node as far as they are still the same.
  static func adopt(_ copy: DocumentWrapper, by node: DocumentWrapper) {
    guard copy.identity === node.identity else { return }
    node.stored = copy.stored
    node.storedName = copy.storedName
    node.revisions = copy.revisions
    guard case .folder(let members) = node.content, case .folder(let copies) = copy.content else {
      return
    }
    for (key, member) in members.byKey {
      if let copy = copies[key] { adopt(copy, by: member) }
    }
  }

  /// Returns the identities of files and links by their paths; `nil` if a name on disk differs from its key.
  static func leaves(of top: DocumentWrapper) -> [String: NodeIdentity]? {
    var leaves: [String: NodeIdentity] = [:]
    var pending = [(node: top, path: "")]
    while let (node, path) = pending.popLast() {
      guard case .folder(let members) = node.content else {
        leaves[path] = node.identity
        continue
      }
      guard members.namesOnDisk.isEmpty else { return nil }
      for (key, member) in members.byKey {
        pending.append((member, path.isEmpty ? key : "\(path)/\(key)"))
      }
    }
    return leaves
  }
}

/// The identity of a node, which its copies share.
final class NodeIdentity: Sendable {}
