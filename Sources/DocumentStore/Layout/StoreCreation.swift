package import DocumentFiles
internal import DocumentGit
internal import Foundation
package import SystemPackage

/// Creates a new store: an empty bare repository that is complete before it gets its name.
package enum StoreCreation {
  /// Creates the store of a document, unless another process does so at the same time.
  ///
  /// - Parameters:
  ///   - path: the store's folder.
  ///   - identity: the ids of the document.
  ///   - readership: the classes of users who may read the store, which are those who can read the document.
  ///   - isTidyingFirst: whether to first remove incomplete stores of killed processes.
  ///   - clock: the clock that determines the age of other processes' incomplete stores.
  package static func create(
    _ path: FilePath, identity: DocumentIdentity,
    for readership: Readership = .everyone, tidyingFirst isTidyingFirst: Bool = true,
    clock: FileClock
  ) throws {
    try Layout.makeFolder(around: path)
    try create(
      path, section: identity.section, for: readership,
      tidyingFirst: isTidyingFirst, clock: clock)
  }

  /// Creates a repository with the mark of docversions in its config.
  ///
  /// - Parameters:
  ///   - path: the repository's folder; an existing item stays unchanged.
  ///   - section: the settings in the config besides the format.
  ///   - readership: the classes of users who may read it.
  ///   - isTidyingFirst: whether to first remove incomplete stores of killed processes.
  ///   - clock: the clock that determines the age of other processes' incomplete stores.
  package static func create(
    _ path: FilePath, section: String, for readership: Readership = .everyone,
    tidyingFirst isTidyingFirst: Bool = true, clock: FileClock
  ) throws {
    try Folder.create(path.parentFolder)
    if isTidyingFirst { try removeTemporaryFiles(in: path.parentFolder, clock: clock) }
    try building(in: path.parentFolder, section: section, for: readership) {
      try DocumentWriter.move($0, to: path)
    }
  }

  /// Makes an existing folder a repository, or completes a repository that was begun.
  ///
  /// - Parameters:
  ///   - path: the folder, which keeps its items.
  ///   - section: the settings in the config besides the format.
  ///   - clock: the clock that determines the age of other processes' incomplete stores.
  package static func complete(_ path: FilePath, section: String, clock: FileClock) throws {
    try removeTemporaryFiles(in: path, clock: clock)
    try building(in: path, section: section, for: .inside(path)) { temporary in
      // The config comes last, because it makes the folder a repository.
      for part in ["objects", "refs", "HEAD", "config"] {
        try unlessThere {
          try DocumentWriter.move(temporary.appending(part), to: path.appending(part))
        }
      }
      try Folder.removeTree(temporary)
    }
  }

  /// Builds a repository and gives it, or its parts, their final names, which other processes may have
  /// created in the meantime.
  private static func building(
    in folder: FilePath, section: String, for readership: Readership,
    _ name: (FilePath) throws -> Void
  ) throws {
    for _ in 1...3 {
      do {
        return try fillAndName(in: folder, section: section, for: readership, name)
      } catch let error as FileError where error.code.isOfAnotherMaker {
        // In the instant before it was locked, another process took it for an abandoned one.
      }
    }
    try fillAndName(in: folder, section: section, for: readership, name)
  }

  private static func fillAndName(
    in folder: FilePath, section: String, for readership: Readership,
    _ name: (FilePath) throws -> Void
  ) throws {
    let temporary = folder.appending(Layout.temporaryName())
    do {
      try Folder.create(temporary, permissions: readership.mask, isDurable: false)
      // A temporary store whose lock is free belongs to a dead process.
      let lock = try FileLock(temporary.appending("lock"), waitingAtMost: 0)
      try fill(temporary, section: section)
      try name(temporary)
      lock.release()
    } catch {
      try Folder.removeTree(temporary)
      try unlessThere { throw error }
    }
  }

  /// Runs a closure, and ignores its error if the item that it creates already exists.
  private static func unlessThere(_ body: () throws -> Void) throws {
    do { try body() } catch let error as FileError where error.code == .exists {}
  }

  private static func fill(_ temporary: FilePath, section: String) throws {
    func file(_ text: String) -> DocumentItem {
      .file(isExecutable: false, contents: FileContents(Array(text.utf8)))
    }
    func folder(holding name: String) -> DocumentItem {
      .folder { [(Array(name.utf8), .folder { [] })] }
    }
    try DocumentWriter.build(
      [
        ("objects", folder(holding: "pack")), ("refs", folder(holding: "heads")),
        // There is no commit yet, but git requires a HEAD.
        ("HEAD", file("ref: refs/heads/main\n")), ("config", file(configuration(section))),
      ], in: temporary)
  }

  /// Removes a store, after giving it the name of an incomplete one, so that a crash leaves no partial store.
  package static func remove(_ store: FilePath) throws {
    let aside = store.parentFolder.appending(Layout.temporaryName())
    try DocumentWriter.move(store, to: aside)
    tidyUp { try Folder.removeTree(aside) }
  }

  /// Returns whether a store consists only of folders, as an interrupted removal leaves it.
  package static func isHollow(_ store: FilePath) throws -> Bool {
    try Folder.members(of: store).allSatisfy { member in
      try member.name == Array("lock".utf8)
        || member.kind == .folder && isHollow(store.appending(bytes: member.name))
    }
  }

  /// Removes incomplete stores of killed processes.
  package static func removeTemporaryFiles(in folder: FilePath, clock: FileClock) throws {
    for name in try Folder.names(in: folder).map({ String(decoding: $0, as: UTF8.self) })
    where Layout.isTemporary(name) {
      try removeIfAbandoned(folder.appending(name), clock: clock)
    }
  }

  private static func removeIfAbandoned(_ store: FilePath, clock: FileClock) throws {
    do {
      while try FileStatus.of(store.appending("lock")) == nil {
        guard let status = try FileStatus.of(store) else { return }
        // A process takes less than seconds between its first two steps; if it takes longer, it continues in
        // the folder.
        let age = clock.age(of: status)
        guard (0...2).contains(age) else { return try Folder.removeTree(store) }
        clock.wait(nanoseconds: 20_000_000)
      }
      // Held until the store is gone, because its process may be about to lock it.
      let lock = try FileLock(store.appending("lock"), waitingAtMost: 0)
      try Folder.removeTree(store)
      lock.release()
    } catch let error as FileError where error.code.isOfAnotherMaker {}
  }

  /// Returns the config of a docversions repository.
  package static func configuration(_ section: String) -> String {
    """
    [core]
    \trepositoryformatversion = 0
    \tfilemode = true
    \tbare = true

    """ + ownSettings(section)
  }

  /// Returns the settings that the config of a docversions repository has in addition to git's.
  package static func ownSettings(_ section: String) -> String {
    """
    [docversions]
    \tformat = 1
    \t\(section)

    """
  }
}

extension FileError.Code {
  /// True if another process was faster: it creates the same store, took this one for an abandoned one, or
  /// still adds something to a folder that is being removed.
  package var isOfAnotherMaker: Bool { [.busy, .changing, .notFound, .exists].contains(self) }
}
