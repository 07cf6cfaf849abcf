internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Making a new store: an empty bare repository, complete before it gets its name.
enum StoreCreation {
  /// Creates the store of a document, unless another process does so at the same moment.
  ///
  /// - Parameters:
  ///   - path: the store's folder.
  ///   - documentIdentifier: the document's id, the same on every device.
  static func create(_ path: FilePath, documentIdentifier: String) throws {
    try create(path, section: "document = \(documentIdentifier)")
  }

  /// Creates a repository with our mark in its config.
  ///
  /// - Parameters:
  ///   - path: the repository's folder; nothing may be there, or it is left as it is.
  ///   - section: what the config says beside the format.
  static func create(_ path: FilePath, section: String) throws {
    let parent = path.parentFolder
    try Folder.create(parent)
    try removeLeftovers(in: parent)
    for _ in 1...3 {
      do {
        return try fillAndName(path, section: section)
      } catch let error as FileError where error.code.isOfAnotherMaker {
        // In the instant before it was locked, another process took it for left behind.
      }
    }
    try fillAndName(path, section: section)
  }

  private static func fillAndName(_ path: FilePath, section: String) throws {
    let parent = path.parentFolder
    let temporary = parent.appending(Layout.temporaryName())
    do {
      try Folder.create(temporary, isDurable: false)
      // Whoever finds the store unlocked knows that its maker is dead.
      let lock = try FileLock(temporary.appending("lock"), waitingAtMost: 0)
      try fill(temporary, section: section)
      try DocumentWriter.move(temporary, to: path)
      lock.release()
    } catch {
      try Folder.removeTree(temporary)
      guard let error = error as? FileError, error.code == .exists else { throw error }
    }
  }

  /// Makes a folder that is there a repository, or what was begun of one a whole one.
  ///
  /// - Parameters:
  ///   - path: the folder; what is in it stays.
  ///   - section: what the config says beside the format.
  static func complete(_ path: FilePath, section: String) throws {
    try removeLeftovers(in: path)
    let temporary = path.appending(Layout.temporaryName())
    let result = Result {
      try Folder.create(temporary, isDurable: false)
      let lock = try FileLock(temporary.appending("lock"), waitingAtMost: 0)
      try fill(temporary, section: section)
      for part in ["objects", "refs", "HEAD", "config"] {
        do {
          try DocumentWriter.move(temporary.appending(part), to: path.appending(part))
        } catch let error as FileError where error.code == .exists {
          // Made before, or by another process just now.
        }
      }
      lock.release()
    }
    try Folder.removeTree(temporary)
    try result.get()
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

  /// Removes stores that were begun by processes that were killed.
  private static func removeLeftovers(in folder: FilePath) throws {
    for name in try Folder.names(in: folder).map({ String(decoding: $0, as: UTF8.self) })
    where Layout.isTemporary(name) {
      try removeIfAbandoned(folder.appending(name))
    }
  }

  private static func removeIfAbandoned(_ store: FilePath) throws {
    while try FileStatus.of(store.appending("lock")) == nil {
      guard let status = try FileStatus.of(store) else { return }
      // Between its first two steps a maker needs no seconds.
      let age = Date().timeIntervalSince1970 - Double(status.modified) / 1e9
      guard (0...2).contains(age) else { return try Folder.removeTree(store) }
      Threads.sleep(seconds: 0.02)
    }
    do {
      // Held until it is gone: its maker may be about to lock it.
      let lock = try FileLock(store.appending("lock"), waitingAtMost: 0)
      try Folder.removeTree(store)
      lock.release()
    } catch let error as FileError where error.code.isOfAnotherMaker {}
  }

  /// 32 random hexadecimal digits.
  static func randomIdentifier() -> String {
    let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The config of a repository of ours.
  static func configuration(_ section: String) -> String {
    """
    [core]
    \trepositoryformatversion = 0
    \tfilemode = true
    \tbare = true
    [docversions]
    \tformat = 1
    \t\(section)

    """
  }
}

extension FileError.Code {
  /// Whether another process was quicker: it makes the same store, or took this one for left behind.
  fileprivate var isOfAnotherMaker: Bool { [.busy, .changing, .notFound].contains(self) }
}
