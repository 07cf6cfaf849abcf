package import DocumentFiles
internal import DocumentGit
internal import Foundation
package import SystemPackage

/// Makes a new store: an empty bare repository, complete before it gets its name.
package enum StoreCreation {
  /// Creates the store of a document, unless another process does so at the same moment.
  ///
  /// - Parameters:
  ///   - path: the store's folder.
  ///   - identity: the ids of the document.
  ///   - readership: the classes of users who may read it: those who can read the document.
  ///   - isTidyingFirst: whether stores are removed that killed processes began.
  ///   - clock: the clock that says how old what others began is.
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

  /// Creates a repository with our mark in its config.
  ///
  /// - Parameters:
  ///   - path: the repository's folder; nothing may be there, or it is left as it is.
  ///   - section: what the config says beside the format.
  ///   - readership: the classes of users who may read it.
  ///   - isTidyingFirst: whether stores are removed that killed processes began.
  ///   - clock: the clock that says how old what others began is.
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

  /// Makes a folder that is there a repository, or what was begun of one a whole one.
  ///
  /// - Parameters:
  ///   - path: the folder; what is in it stays.
  ///   - section: what the config says beside the format.
  ///   - clock: the clock that says how old what others began is.
  package static func complete(_ path: FilePath, section: String, clock: FileClock) throws {
    try removeTemporaryFiles(in: path, clock: clock)
    try building(in: path, section: section, for: .inside(path)) { temporary in
      // The config is what makes it one.
      for part in ["objects", "refs", "HEAD", "config"] {
        try unlessThere {
          try DocumentWriter.move(temporary.appending(part), to: path.appending(part))
        }
      }
      try Folder.removeTree(temporary)
    }
  }

  /// Builds a repository and gives it, or its parts, the names that they shall have, which others may have made meanwhile.
  private static func building(
    in folder: FilePath, section: String, for readership: Readership,
    _ name: (FilePath) throws -> Void
  ) throws {
    for _ in 1...3 {
      do {
        return try fillAndName(in: folder, section: section, for: readership, name)
      } catch let error as FileError where error.code.isOfAnotherMaker {
        // In the instant before it was locked, another process took it for left behind.
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
      // A temporary store without a lock holder belongs to a dead process.
      let lock = try FileLock(temporary.appending("lock"), waitingAtMost: 0)
      try fill(temporary, section: section)
      try name(temporary)
      lock.release()
    } catch {
      try Folder.removeTree(temporary)
      try unlessThere { throw error }
    }
  }

  /// Does something, or nothing if what it makes is there already.
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
        // No commit yet: git wants a HEAD all the same.
        ("HEAD", file("ref: refs/heads/main\n")), ("config", file(configuration(section))),
      ], in: temporary)
  }

  /// Removes a store, which first gets the name of one that was never finished: a crash leaves no part of one.
  package static func remove(_ store: FilePath) throws {
    let aside = store.parentFolder.appending(Layout.temporaryName())
    try DocumentWriter.move(store, to: aside)
    tidyUp { try Folder.removeTree(aside) }
  }

  /// Returns whether there are only folders in a store, as a removal has left them that was cut.
  package static func isHollow(_ store: FilePath) throws -> Bool {
    try Folder.members(of: store).allSatisfy { member in
      try member.name == Array("lock".utf8)
        || member.kind == .folder && isHollow(store.appending(bytes: member.name))
    }
  }

  /// Removes stores that were begun by processes that were killed.
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
        // Between its first two steps a maker needs no seconds; one that did after all goes on in the folder.
        let age = clock.age(of: status)
        guard (0...2).contains(age) else { return try Folder.removeTree(store) }
        clock.wait(nanoseconds: 20_000_000)
      }
      // Held until it is gone: its maker may be about to lock it.
      let lock = try FileLock(store.appending("lock"), waitingAtMost: 0)
      try Folder.removeTree(store)
      lock.release()
    } catch let error as FileError where error.code.isOfAnotherMaker {}
  }

  /// The config of a repository of ours.
  package static func configuration(_ section: String) -> String {
    """
    [core]
    \trepositoryformatversion = 0
    \tfilemode = true
    \tbare = true

    """ + ownSettings(section)
  }

  /// What the config of a repository of ours has beside what git writes.
  package static func ownSettings(_ section: String) -> String {
    """
    [docversions]
    \tformat = 1
    \t\(section)

    """
  }
}

extension FileError.Code {
  /// Whether another process was quicker: it makes the same store, took this one for left behind, or still puts something
  /// into a folder that is removed.
  package var isOfAnotherMaker: Bool { [.busy, .changing, .notFound, .exists].contains(self) }
}
