public import Foundation
internal import SystemPackage

/// The members of a folder, by keys that are unique in it.
extension DocumentWrapper {
  /// The members by their keys (FW22).
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` for what is no folder.
  public var fileWrappers: [String: DocumentWrapper] {
    get throws(FileError) {
      guard case .folder(let members) = content else { throw wrongKind("folder") }
      return members
    }
  }

  /// Adds a member (FW19).
  ///
  /// - Returns: its key: the preferred filename if that is free, otherwise one made of it, as
  ///   `1__#$!@%!#__name`.
  /// - Throws: ``FileError``: `wrong-kind` for what is no folder, and where a folder would hold itself;
  ///   `invalid-name` for a member without a preferred filename.
  @discardableResult
  public func addFileWrapper(_ child: DocumentWrapper) throws(FileError) -> String {
    guard isDirectory else { throw wrongKind("folder") }
    guard let name = child.preferredFilename else {
      throw FileError(
        .invalidName, path: FilePath(filename ?? "?"),
        message: "What is added to a folder needs a preferred filename.")
    }
    let key = try freeKey(for: name)
    try insert(child, forKey: key)
    return key
  }

  /// Adds a file (FW20).
  ///
  /// - Returns: its key.
  /// - Throws: as ``addFileWrapper(_:)``, and ``FileError`` with code `invalid-name` for what cannot be a name.
  @discardableResult
  public func addRegularFile(
    withContents contents: Data, preferredFilename name: String
  ) throws(FileError) -> String {
    let file = DocumentWrapper(regularFileWithContents: contents)
    try file.setPreferredFilename(name)
    return try addFileWrapper(file)
  }

  /// Takes a member out; other folders keep it (FW21).
  ///
  /// What is no member has no effect.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` for what is no folder.
  public func removeFileWrapper(_ child: DocumentWrapper) throws(FileError) {
    guard isDirectory else { throw wrongKind("folder") }
    detach(child)
  }

  /// Puts another node in a member's place: under the same key, and so written under the same name.
  ///
  /// Taking the old one out and adding a new one may give it another key, as long as the old name is taken.
  ///
  /// - Returns: the node that was there; nil for none.
  /// - Throws: ``FileError``: `wrong-kind` for what is no folder; `invalid-name` for what cannot be a name.
  @discardableResult
  public func replaceChild(
    forKey key: String, with child: DocumentWrapper
  ) throws(FileError) -> DocumentWrapper? {
    let members = try fileWrappers
    var key = key
    if let index = members.index(forKey: key) {
      // An equal key may be spelled in other bytes than the one here.
      key = members[index].key
    } else {
      try Self.check(key)
    }
    let former = members[key]
    guard former !== child else { return former }
    let name = namesOnDisk[key]
    defer { namesOnDisk[key] = name }
    if let former {
      detach(former)
    } else {
      // Whose name that was on disk is written under its key.
      namesOnDisk = namesOnDisk.filter { $0.value != Array(key.utf8) }
    }
    if child.preferredFilename == nil { child.preferredFilename = former?.preferredFilename ?? key }
    do {
      try insert(child, forKey: key)
    } catch {
      if let former { try insert(former, forKey: key) }
      throw error
    }
    return former
  }

  /// The key that a member has in this folder (FW23); nil for what is no member.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` for what is no folder.
  public func keyForChildFileWrapper(_ child: DocumentWrapper) throws(FileError) -> String? {
    guard isDirectory else { throw wrongKind("folder") }
    return key(of: child)
  }

  // MARK: Keys

  func key(of child: DocumentWrapper) -> String? {
    guard case .folder(let members) = content else { return nil }
    return members.first { $0.value === child }?.key
  }

  /// The name itself, or one made of it that is free, and no longer than a name may be.
  func freeKey(for name: String) throws(FileError) -> String {
    let members = try fileWrappers
    func isFree(_ key: String) -> Bool {
      members[key] == nil && !namesOnDisk.values.contains(Array(key.utf8))
    }
    var key = name
    var number = 0
    while !isFree(key) {
      number += 1
      key = FileName.extending(name, before: "\(number)__#$!@%!#__")
    }
    return key
  }

  func insert(_ child: DocumentWrapper, forKey key: String) throws(FileError) {
    guard case .folder(var members) = content else { throw wrongKind("folder") }
    guard child !== self, !child.isAncestor(of: self) else {
      throw FileError(
        .wrongKind, path: FilePath(key),
        message: "The folder “\(Printable.text(key))” can’t hold itself.")
    }
    // Held once, the members are not copied.
    content = .folder([:])
    members[key] = child
    content = .folder(members)
    child.enter(self)
  }

  func detach(_ child: DocumentWrapper) {
    guard case .folder(var members) = content, let key = key(of: child) else { return }
    // As when one is inserted.
    content = .folder([:])
    members[key] = nil
    namesOnDisk[key] = nil
    content = .folder(members)
    // The same node may be in a folder twice.
    if self.key(of: child) == nil { child.leave(self) }
  }

  private func isAncestor(of node: DocumentWrapper) -> Bool {
    var pending = node.parents
    var seen: Set<ObjectIdentifier> = []
    while let next = pending.popLast() {
      if next === self { return true }
      if seen.insert(ObjectIdentifier(next)).inserted { pending += next.parents }
    }
    return false
  }
}
