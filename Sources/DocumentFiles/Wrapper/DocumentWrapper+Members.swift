public import Foundation
internal import SystemPackage

/// The members of a folder, by keys that are unique in it.
extension DocumentWrapper {
  /// The members by their keys.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` if the wrapper isn't a folder.
  public var fileWrappers: [String: DocumentWrapper] {
    get throws(FileError) { try members.byKey }
  }

  /// Adds a member.
  ///
  /// - Returns: the key: the preferred filename if it is free, or otherwise a name derived from it, such as
  ///   `1__#$!@%!#__name`.
  /// - Throws: ``FileError``: `wrong-kind` if the wrapper isn't a folder, or would contain itself; `invalid-name` for a
  ///   member without a preferred filename.
  @discardableResult
  public func addFileWrapper(_ child: DocumentWrapper) throws(FileError) -> String {
    let members = try members
    guard let name = child.preferredFilename else {
      throw FileError(
        .invalidName, path: FilePath(filename ?? "?"),
        message: "A wrapper that is added to a folder needs a preferred filename.")
    }
    let key = members.freeKey(for: name)
    try insert(child, forKey: key)
    return key
  }

  /// Adds a file.
  ///
  /// - Returns: its key.
  /// - Throws: the errors of ``addFileWrapper(_:)``, and ``FileError`` with code `invalid-name` for an invalid name.
  @discardableResult
  public func addRegularFile(
    withContents contents: Data, preferredFilename name: String
  ) throws(FileError) -> String {
    let file = DocumentWrapper(regularFileWithContents: contents)
    try file.setPreferredFilename(name)
    return try addFileWrapper(file)
  }

  /// Removes a member; other folders keep it.
  ///
  /// A wrapper that isn't a member has no effect.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` if the wrapper isn't a folder.
  public func removeFileWrapper(_ child: DocumentWrapper) throws(FileError) {
    try changeMembers { $0.remove(child) }
    leave(child)
  }

  /// Replaces a member with another node under the same key, and so under the same written name.
  ///
  /// Removing the old member and adding a new one may result in a different key, as long as the old name is taken.
  ///
  /// - Returns: the replaced node; `nil` if there was none.
  /// - Throws: ``FileError``: `wrong-kind` if the wrapper isn't a folder; `invalid-name` for an invalid name.
  @discardableResult
  public func replaceChild(
    forKey key: String, with child: DocumentWrapper
  ) throws(FileError) -> DocumentWrapper? {
    let members = try members
    // An equal key may have other bytes than the present one.
    let spelling = members.spelling(of: key)
    if spelling == nil { try Self.check(key) }
    let key = spelling ?? key
    let former = members[key]
    guard former !== child else { return former }
    try checkMember(child, forKey: key)
    if child.preferredFilename == nil { child.preferredFilename = former?.preferredFilename ?? key }
    _ = try changeMembers { $0.replace(key, with: child) }
    child.parents.add(self)
    if let former { leave(former) }
    return former
  }

  /// Returns the key of a member in this folder; `nil` if the wrapper isn't a member.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` if the wrapper isn't a folder.
  public func keyForChildFileWrapper(_ child: DocumentWrapper) throws(FileError) -> String? {
    try members.key(of: child)
  }

  // MARK: Changing

  /// Adds a member under a free key.
  func insert(
    _ child: DocumentWrapper, forKey key: String, nameOnDisk: [UInt8]? = nil
  ) throws(FileError) {
    try checkMember(child, forKey: key)
    try changeMembers { $0.insert(child, forKey: key, nameOnDisk: nameOnDisk) }
    child.parents.add(self)
  }

  /// Changes the members of a folder in place, without copying them if there is one reference.
  private func changeMembers<Result>(
    _ change: (inout WrapperMembers) -> Result
  ) throws(FileError) -> Result {
    guard case .folder(var members) = content else { throw wrongKind("folder") }
    content = .folder(WrapperMembers())
    defer { content = .folder(members) }
    return change(&members)
  }

  /// Throws an error for a member that contains this folder, at any depth.
  private func checkMember(_ child: DocumentWrapper, forKey key: String) throws(FileError) {
    guard child !== self, !parents.reach(child) else {
      throw FileError(
        .wrongKind, path: FilePath(key),
        message: "The folder “\(Printable.text(key))” can’t contain itself.")
    }
  }

  /// Records that a node is no longer a member, unless it still has another key here.
  private func leave(_ child: DocumentWrapper) {
    guard case .folder(let members) = content, members.key(of: child) == nil else { return }
    child.parents.remove(self)
  }
}
