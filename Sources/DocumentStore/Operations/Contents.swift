internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

/// Reading versions, and contents that come from or go to elsewhere.
extension VersionStore {
  /// The bytes of a version that is a file, or of one member of a package.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; nil for the document.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func contents(of version: FileVersion, member: String?) throws -> Data {
    var data = Data()
    try read(version, member: member) { data += $0 }
    return data
  }

  /// Hands out the bytes of a version that is a file, or of one member of a package, piece by piece: for
  /// documents larger than memory.
  ///
  /// The whole version is checked before the first piece.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - member: the member's path in the package, with "/" between folders; nil for the document.
  ///   - body: called for one piece after the other; what it throws ends the reading.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func read(
    _ version: FileVersion, member: String? = nil, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try reading(version.documentURL) { store in
      switch try store.item(of: store.localRecord(version), member: member) {
      case .file(_, let contents):
        store.meter.expect(contents.size)
        try contents.forEachPiece { piece in
          try store.meter.advance(piece.count)
          try body(piece)
        }
      case .symbolicLink(let target): try body(target[...])
      default:
        throw VersionError(
          .noSuchMember, document: store.location.printable,
          message: """
            “\(Printable.text(member ?? store.location.printable))” is a folder; name one of its members.
            """)
      }
    }
  }

  /// The members of a version that is a package, folder by folder; empty for a file.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - folder: lists only what is in this folder of the package; empty for another member.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func members(
    of version: FileVersion, in folder: String? = nil
  ) throws -> [PackageMemberInfo] {
    try reading(version.documentURL) { store in
      let record = try store.localRecord(version)
      let found = try folder.map { try store.member($0, of: record) }
      guard record.content?.isPackage == true, let tree = record.content?.tree else { return [] }
      _ = try store.item(of: record)
      guard let found else { return try store.members(of: tree, prefix: "") }
      guard try ComparedMember(found.entry).isFolder else { return [] }
      return try store.members(
        of: found.entry.id, prefix: Printable.text(found.path) + "/")
    }
  }

  /// What a version has at a path, as listings show it.
  ///
  /// - Parameters:
  ///   - path: the member's path in the package, with "/" between folders; as it is, or as listings show it.
  ///   - version: the version.
  /// - Throws: ``VersionError`` with code `noSuchMember` or `contentsNotLocal`.
  public func member(_ path: String, of version: FileVersion) throws -> PackageMemberInfo {
    try reading(version.documentURL) { store in
      let found = try store.member(path, of: store.localRecord(version))
      return try ComparedSide(store).info(of: ComparedMember(found.entry), at: found.path)
    }
  }

  func add(to document: URL, contentsOf contents: URL, moving: Bool) throws -> FileVersion {
    let location = try DocumentLocation(of: document)
    let source = try contents.filePath
    guard try source.resolvingLinks() != location.document else {
      return try save(document, asPackage: true).version
    }
    if moving { try checkRemovable(source, besides: location) }
    if try !location.followingRename().hasStore { _ = try save(document, asPackage: true) }
    let added = try changing(document) { store in
      let copy = try WorkingCopy.read(
        source, named: ContainerPath.name(of: location.path), meter: store.meter)
      if isDryRun { return try store.currentVersion(for: self) }
      return try store.version(store.attach(copy).id, for: self)
    }
    if moving && !isDryRun { try Folder.removeTree(source) }
    return added
  }

  /// Refuses to take contents away that something else than the new version needs: the document itself, a member of it,
  /// what holds it, stores.
  private func checkRemovable(_ source: FilePath, besides document: DocumentLocation) throws {
    let place = try DocumentLocation.normalized(source)
    let temporary = document.container.appending(Layout.folderName).appending("temporary")
    if place.starts(with: temporary), place != temporary { return }
    try checkPlace(place, for: document)
    if place.starts(with: document.document) {
      throw VersionError(
        .invalidArgument, document: document.printable,
        message: "“\(place.printable)” is a part of the document, which would lose it.",
        hint: "Add it without moving it.")
    }
  }

  func temporaryDirectory(for document: URL) throws -> URL {
    let location = try DocumentLocation(of: document)
    _ = try existing(location)
    // On the document's own file system, so that moving from it is cheap.
    let folder = location.container.appending(Layout.folderName).appending("temporary")
      .appending(StoreCreation.randomIdentifier())
    try Folder.create(folder, permissions: 0o700)
    return URL(filePath: folder.string, directoryHint: .isDirectory)
  }

  /// Writes a version's contents to a place of their own.
  ///
  /// Where another document is replaced, edits of it that were not saved become a version of it first.
  ///
  /// - Parameters:
  ///   - version: a version whose contents are on this device.
  ///   - url: where to.
  ///   - member: only this member of a package.
  ///   - replacing: whether an item that is there may be replaced, by one of its kind: a folder only by a folder with the
  ///     same name, or the same extension.
  /// - Throws: ``FileError`` with code `exists` where something is there that may not be replaced, and with `wrongKind`
  ///   where it is of another kind.
  public func export(
    _ version: FileVersion, to url: URL, member: String? = nil, replacing: Bool = false
  ) throws {
    let path = try url.filePath
    try reading(version.documentURL) { store in
      try checkPlace(path, for: store.location)
      let item = try store.item(of: store.localRecord(version), member: member)
      let present = try FileStatus.of(path)
      if let present {
        guard replacing else {
          throw FileError(.exists, path: path, message: "There is a “\(path.printable)” already.")
        }
        let isFolder = if case .folder = item { true } else { false }
        try checkKind(of: present, at: path, replacedByFolder: isFolder)
        if isFolder { try checkFolder(path, replacedBy: member ?? version.localizedName) }
        if !isDryRun { try keepEdits(ofDocumentAt: path) }
      }
      if isDryRun { return }
      if member == nil { store.meter.expect(version.size) }
      try DocumentWriter.replaceElsewhere(
        path, with: item, displacing: present == nil ? nil : ItemListing(path, limits: nil),
        progress: store.meter.advance)
    }
  }

  /// Refuses to replace a folder that is probably not meant: whoever copies into a folder names it.
  private func checkFolder(_ path: FilePath, replacedBy name: String) throws {
    let new = FilePath(name)
    let isSame = path.lastComponent == new.lastComponent
    guard !isSame, path.extension == nil || path.extension != new.extension else { return }
    throw FileError(
      .wrongKind, path: path,
      message: "“\(path.printable)” is a folder of another kind, and stays as it is.")
  }

  /// Refuses to replace a file by a folder, or the reverse.
  func checkKind(
    of present: FileStatus, at path: FilePath, replacedByFolder isFolder: Bool
  ) throws {
    guard (present.kind == .folder) != isFolder else { return }
    throw FileError(
      .wrongKind, path: path,
      message: """
        “\(path.printable)” is \(isFolder ? "a file" : "a folder"), which the version is not.
        """)
  }

  /// Saves what was not saved of the document at a path, or of the package that it is in.
  private func keepEdits(ofDocumentAt path: FilePath) throws {
    guard try FileStatus.of(path)?.kind != .symbolicLink else { return }
    let location = try DocumentLocation(of: path)
    let document = try location.hasVersions ? location : location.enclosingPackage
    guard let document else { return }
    _ = try changing(document) { try $0.keepEdits($0.workingCopy()) }
  }

  /// Refuses places in which something else than a file or folder of the person’s own would be replaced: a store, what
  /// has stores in it, the document itself, a device.
  func checkPlace(_ path: FilePath, for document: DocumentLocation) throws {
    let place = try DocumentLocation.normalized(path)
    if place.components.contains(where: { ContainerPath.isStoresFolder($0.string) }) {
      throw FileError(
        .invalidName, path: place,
        message: "“\(place.printable)” belongs to stores; choose a place of your own.")
    }
    if document.document.starts(with: place) {
      throw VersionError(
        .invalidArgument, document: document.printable,
        message: "“\(place.printable)” is the document itself, or holds it.",
        hint: "To put the version in the document’s place, leave out the other place.")
    }
    let status = try FileStatus.of(place)
    if case .other(let special)? = status?.kind {
      throw FileError(
        .unsupportedKind, path: place, message: "“\(place.printable)” is \(special.rawValue).")
    }
    try StoresFolder.refuseReplacing(place)
  }

  func makeDiscardable(_ version: FileVersion) throws {
    try changing(version.documentURL) { store in
      let id = try store.knownRecord(version).id
      guard try store.divergentHeads().first?.record.id != id else {
        throw VersionError(
          .currentVersion, document: store.location.printable,
          message: "The current version of “\(store.location.printable)” can’t be discardable.")
      }
      var plan = try store.railPlan()
      guard plan.kept.contains(id), !isDryRun else { return }
      plan.marks[id, default: ContentCommit.Marks()].isDiscardable = true
      try store.rewriteRail(plan, keepingTrash: false)
    }
  }

  func cannotUnset(_ flag: String, of version: FileVersion) -> VersionError {
    VersionError(
      .cannotUnset, document: version.localizedName,
      message: """
        Version \(version.persistentIdentifier.short) of “\(Printable.text(version.localizedName))” \
        can become \(flag), but not cease to be.
        """)
  }

  func checkout(_ version: FileVersion) throws -> URL? {
    try reading(version.documentURL) { store in
      let record = try store.knownRecord(version)
      guard record.content != nil, try store.content(of: record.id) != nil else { return nil }
      let folder = store.copies.appending(record.id.description)
      let path = folder.appending(bytes: Array(version.localizedName.utf8))
      if try FileStatus.of(path) == nil {
        try Folder.create(folder)
        do {
          try DocumentWriter.replace(path, with: store.item(of: record), displacing: nil)
        } catch let error as FileError where error.code == .exists {
          // Another process was quicker; the contents are the same.
        }
        try DocumentWriter.makeReadOnly(path)
      }
      return URL(filePath: path.string)
    }
  }
}

/// A member of a package, as listings show it.
public struct PackageMemberInfo: Sendable, Hashable, Codable {
  /// The path in the package, printable, with "/" between folders.
  public let path: String
  /// "file", "executable", "link" or "folder".
  public let kind: String
  /// Bytes; 0 for a folder.
  public let bytes: Int
  /// The same for members with the same bytes.
  public let identity: String
}
