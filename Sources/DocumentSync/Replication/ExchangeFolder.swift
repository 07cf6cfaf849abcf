internal import DocumentFiles
internal import DocumentGit
package import DocumentStore
package import Foundation
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A folder through which devices exchange documents: a bare git repository in which each device has references of its own.
///
/// `HEAD` and `config` have fixed bytes, so that any device may write them again if a syncing tool has lost
/// them.
struct ExchangeFolder {
  let path: FilePath

  init(_ path: FilePath) {
    self.path = path
  }

  /// The name of the folder with the references of all devices.
  static let references = "docversions"

  /// Refuses a folder that isn't an exchange folder, or that has not arrived completely.
  func checkUsable() throws {
    guard try FileStatus.of(path) != nil else {
      throw FileError(
        .notFound, path: path, message: "There is no folder “\(path.printable)”.")
    }
    guard try missingParts().isEmpty, try format() == Self.format else {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "“\(path.printable)” isn’t an exchange folder.",
        recovery: .nameExchangeFolder)
    }
  }

  /// Creates the missing parts of the repository, and opens it.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` for a folder that serves something else or an
  ///   earlier program; ``FileError`` with code `notPermitted` for a folder that the user may not write in.
  ///   Nothing was written then.
  func open(clock: FileClock) throws -> PeerObjects {
    PeerObjects(try openRepository(clock: clock), in: path, called: path.printable)
  }

  /// Creates the missing parts of the repository, and opens it.
  func openRepository(clock: FileClock) throws -> Repository {
    do { try makeMissingParts(clock: clock) } catch let error as FileError
      where error.code == .noSpace || error.code == .notPermitted
    {
      throw error.naming(folder: path)
    }
    try checkFormat()
    try StoreSafety.check(path, isShared: true)
    try checkPermissions()
    return try Repository(sharedAt: path)
  }

  // MARK: Parts

  private static let format = "2"
  private static let section = "exchange = \(format)"
  private static let parts: [StoreFile] = [.head, .config, .objects, .references]

  /// True if any part of a repository exists.
  var isThere: Bool { get throws { try missingParts().count < Self.parts.count } }

  private func missingParts() throws -> [StoreFile] {
    try Self.parts.filter { try FileStatus.of($0.path(in: path)) == nil }
  }

  private func makeMissingParts(clock: FileClock) throws {
    guard let status = try FileStatus.of(path) else {
      guard try FileStatus.of(path.parentFolder) != nil else {
        throw FileError(
          .notFound, path: path.parentFolder,
          message:
            "There is no folder “\(path.parentFolder.printable)”: its disk may not be mounted.")
      }
      return try StoreCreation.create(path, section: Self.section, clock: clock)
    }
    try completeFixedFiles()
    guard try !missingParts().isEmpty else { return }
    if try FileStatus.of(StoreFile.config.path(in: path)) != nil {
      try checkFormat()
    } else {
      let others =
        try status.kind == .folder
        ? Folder.names(in: path).map { String(decoding: $0, as: UTF8.self) }.filter(isForeign)
        : [""]
      guard others.isEmpty, try hasOnlyReferencesOfDevices() else {
        throw VersionError(
          .invalidArgument, document: path.printable,
          message: "“\(path.printable)” contains other things and can’t be used for exchange.",
          hint: "Name an empty or a new folder, which may be in it.")
      }
    }
    try checkPermissions()
    // The folder itself isn't replaced, because a disk may be mounted there, or others may have access to it.
    try StoreCreation.complete(path, section: Self.section, clock: clock)
    try share()
  }

  /// Rewrites truncated files with fixed bytes, and turns one of git’s bare repositories that is empty, or
  /// that devices reach through its server, into an exchange folder; it keeps its settings.
  private func completeFixedFiles() throws {
    let config = Array(StoreCreation.configuration(Self.section).utf8)
    let present = try fixedFile(.config)
    let isCut =
      try Self.isCut(present, of: config)
      && FileStatus.of(StoreFile.references.path(in: path).appending(Self.references)) != nil
      && hasOnlyReferencesOfDevices()
    let git = try present.flatMap {
      try isOfNewRepository($0) && (isEmpty() || hasOnlyDevices()) ? $0 : nil
    }
    if isCut || git != nil {
      try checkPermissions()
      let whole = git.map { $0 + Array(StoreCreation.ownSettings(Self.section).utf8) }
      try SmallFile.replace(StoreFile.config.path(in: path), whole ?? config)
    }
    let head = Array("ref: \(HeadName.main)\n".utf8)
    guard Self.isCut(try fixedFile(.head), of: head), try format() == Self.format else { return }
    try SmallFile.replace(StoreFile.head.path(in: path), head)
  }

  private func fixedFile(_ file: StoreFile) throws -> [UInt8]? {
    let place = file.path(in: path)
    return try FileStatus.of(place)?.kind == .file ? SmallFile.read(place) : nil
  }

  private static func isCut(_ bytes: [UInt8]?, of whole: [UInt8]) -> Bool {
    bytes.map { $0.count < whole.count && whole.starts(with: $0) } ?? false
  }

  /// Returns whether the repository has neither a reference nor an object.
  private func isEmpty() throws -> Bool {
    try FileStatus.of(StoreFile.packedReferences.path(in: path)) == nil
      && [StoreFile.references, .objects].allSatisfy { try isEmpty($0.path(in: path)) }
  }

  /// Returns whether the repository contains only what devices have published.
  private func hasOnlyDevices() throws -> Bool {
    let repository = try Repository(sharedAt: path)
    let all = try repository.references.all(below: "refs/")
    return !all.isEmpty
      && all.allSatisfy { name, target in
        name.hasPrefix("refs/\(Self.references)/")
          || name.hasPrefix("refs/heads/\(Self.references)/")
          || FrontPage.branches.contains(name) && target == FrontPage.commit
      }
  }

  /// Returns whether a config is one that git writes for a new bare repository.
  private func isOfNewRepository(_ config: [UInt8]) -> Bool {
    do {
      let values = try StoreConfiguration.values(in: config)
      let isOfGit = { (key: String) in
        ["core.", "http.", "receive.", "uploadpack."].contains { key.hasPrefix($0) }
      }
      return values["core.bare"] == "true" && values.keys.allSatisfy(isOfGit)
    } catch { return false }
  }

  /// Returns whether a folder contains no file at any depth.
  private func isEmpty(_ folder: FilePath) throws -> Bool {
    guard try FileStatus.of(folder)?.kind == .folder else { return false }
    return try Folder.members(of: folder).allSatisfy {
      try $0.kind == .folder && isEmpty(folder.appending(bytes: $0.name))
    }
  }

  /// Returns whether an item shows that a folder is used for something else.
  ///
  /// The hidden items of sync tools and file managers don't; a working copy or a container does.
  private func isForeign(_ name: String) -> Bool {
    guard !name.hasPrefix(".") else { return [".git", StoresFolder.name].contains(name) }
    return !(Self.parts + [.packedReferences, .lock]).contains { $0.name == name }
  }

  /// Returns whether a repository without a config has only references of devices.
  private func hasOnlyReferencesOfDevices() throws -> Bool {
    let references = StoreFile.references.path(in: path)
    guard try FileStatus.of(references) != nil else { return true }
    let own = Array(Self.references.utf8)
    let heads = StoreFile.heads.path(in: path)
    let branches = try FileStatus.of(heads) == nil ? [] : Folder.names(in: heads)
    return try Folder.names(in: references).allSatisfy { $0 == own || $0 == Array("heads".utf8) }
      && branches.allSatisfy { $0 == own }
  }

  private func format() throws -> String? {
    try StoreSafety.configuration(of: path)["docversions.exchange"]
  }

  private func checkFormat() throws {
    let found: String?
    do { found = try format() } catch let error as GitError where !error.isFromSystem {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "“\(path.printable)” is not a folder for exchange: \(error.message).",
        hint: "Name an empty or a new folder.", cause: error)
    }
    guard found != Self.format else { return }
    throw VersionError(
      .invalidArgument, document: path.printable,
      message: found == nil
        ? "“\(path.printable)” is a git repository, but not one for exchange."
        : """
        “\(path.printable)” is a folder for exchange in the format of another docversions, which this one does not \
        use.
        """,
      hint: "Name an empty or a new folder.")
  }

  // MARK: Several users

  /// Lets the group write in the parts of a folder that is writable for the group.
  private func share() throws {
    guard let status = try FileStatus.of(path), status.permissions & 0o070 == 0o070 else { return }
    for part in [StoreFile.objects, .packs, .references, .heads, .head, .config] {
      let isFile = [.head, .config].contains(part)
      let permissions = isFile ? status.permissions & 0o664 : status.permissions & 0o775 | 0o2000
      part.path(in: path).withPlatformString { path in
        // The user who made a part is in the group and has shared it.
        _ = chown(path, uid_t.max, status.group)
        _ = chmod(path, mode_t(permissions))
      }
    }
  }

  /// Refuses a folder in which the user may not write, before anything is written.
  private func checkPermissions() throws {
    let own = StoreFile.references.path(in: path).appending(Self.references)
    let branches = StoreFile.heads.path(in: path).appending(Self.references)
    let folders =
      [path] + [StoreFile.objects, .packs, .references, .heads].map { $0.path(in: path) }
      + [own, branches]
    for folder in folders where try FileStatus.of(folder)?.kind == .folder {
      guard !Folder.isWritable(folder) else { continue }
      throw FileError(
        .notPermitted, path: folder,
        message: "You may not write in “\(folder.printable)”, so nothing was exchanged.",
        systemError: errno)
    }
  }
}

extension SynchronousStore {
  /// Repairs a document's store, also with the versions of the document in an exchange folder.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if the folder isn't an exchange folder.
  package func repair(
    _ document: URL, from folder: URL, options: RepairOptions = RepairOptions()
  ) throws -> Repair {
    try ExchangeFolder(folder.filePath).checkUsable()
    var options = options
    options.exchangeFolder = folder
    return try repair(document, options: options)
  }
}
