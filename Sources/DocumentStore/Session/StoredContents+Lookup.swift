internal import DocumentFiles
internal import DocumentGit

/// Finding single members of a version.
extension StoredContents {
  /// The result of a search for a member.
  enum FoundMember {
    /// The entry in its folder's tree, and its path with stored names.
    case found(Tree.Entry, path: [UInt8])
    /// The path ends in a folder with these names; empty if the item there isn't a folder.
    case missing(among: [[UInt8]], in: [UInt8])
  }

  /// Searches a version for a member; only the folders in its path are read.
  ///
  /// - Parameter path: the path in the package, with "/" between folders; literally, or as listings show it.
  func lookUp(_ path: String, in record: Record) throws -> FoundMember {
    guard let content = record.content, content.isPackage else {
      return .missing(among: [], in: [])
    }
    var entry = Tree.Entry(mode: .folder, name: [], id: content.tree)
    var names: [[UInt8]] = []
    let slash = [UInt8(ascii: "/")]
    for typed in path.pathNames() {
      let isFolder = try ComparedMember.isFolder(entry) || names.isEmpty
      let members =
        isFolder ? try objects.repository.tree(entry.id).entries.map(ComparedMember.init) : []
      let found = MemberLookup.name(typed, among: members.map(\.name))
      guard let member = members.first(where: { $0.name == found }) else {
        return .missing(among: members.map(\.name), in: Array(names.joined(separator: slash)))
      }
      names.append(member.name)
      entry = member.entry
    }
    guard !names.isEmpty else { return .missing(among: [], in: []) }
    return .found(entry, path: Array(names.joined(separator: slash)))
  }

  /// Returns the member at a path from a caller or a person.
  ///
  /// - Throws: ``VersionError`` with code `noSuchMember` and similar names.
  func member(_ path: String, of record: Record) throws -> (entry: Tree.Entry, path: [UInt8]) {
    switch try lookUp(path, in: record) {
    case .found(let entry, let path): return (entry, path)
    case .missing(let names, let folder):
      throw noSuchMember(path, of: record, among: names, in: folder)
    }
  }

  /// Returns one member of a version that is a package, or the document itself.
  ///
  /// - Parameter path: the member's path in the package, with "/" between folders; `nil` for the document.
  func item(of record: Record, member path: String?) throws -> DocumentItem {
    var item = try item(of: record)
    guard let path else { return item }
    for name in try member(path, of: record).path.split(separator: UInt8(ascii: "/")) {
      guard case .folder(let members) = item,
        let found = try members().first(where: { $0.name == Array(name) })
      else { throw GitError.malformed("a folder of \(record.shortName) has changed") }
      item = found.item
    }
    return item
  }

  /// Returns the error for a member that a version doesn't have.
  func noSuchMember(
    _ path: String, of record: Record, among names: [[UInt8]], in folder: [UInt8]
  ) -> VersionError {
    let document = objects.location.printable
    guard record.content?.isPackage == true else {
      return VersionError(
        .noSuchMember, document: document,
        message: "The \(record.shortName) of “\(document)” is a file; it has no members.")
    }
    let message =
      "The \(record.shortName) of “\(document)” has no member “\(Printable.text(path))”."
    guard let hint = MemberLookup.hint(missing: path, among: names, in: folder) else {
      return VersionError(
        .noSuchMember, document: document, message: message,
        recovery: .listMembers(version: FileVersion.PersistentIdentifier(record.id).description))
    }
    return VersionError(.noSuchMember, document: document, message: message, hint: hint)
  }
}

extension ComparedMember {
  /// The member's entry in its folder's tree.
  fileprivate var entry: Tree.Entry {
    Tree.Entry(mode: mode, name: MemberName.encoded(name, isChunked: isChunked), id: id)
  }

  fileprivate static func isFolder(_ entry: Tree.Entry) throws -> Bool {
    try !entry.name.isEmpty && ComparedMember(entry).isFolder
  }
}
