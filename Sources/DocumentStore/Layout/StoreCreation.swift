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
    let temporary = parent.appending(Layout.temporaryName())
    do {
      try fill(temporary, section: section)
      try DocumentWriter.move(temporary, to: path)
    } catch {
      try Folder.removeTree(temporary)
      guard let error = error as? FileError, error.code == .exists else { throw error }
    }
  }

  private static func fill(_ temporary: FilePath, section: String) throws {
    for folder in ["objects/pack", "refs/heads"] {
      try Folder.create(temporary.pushing(FilePath(folder)))
    }
    // No commit yet: git wants a HEAD all the same.
    try SmallFile.create(temporary.appending("HEAD"), Array("ref: refs/heads/main\n".utf8))
    try SmallFile.create(temporary.appending("config"), Array(configuration(section).utf8))
    // The tree of every record.
    try Repository(store: temporary).write([GitObject(.tree, [])])
    try Folder.synchronize(temporary)
  }

  /// Removes stores that were begun at least ten minutes ago, by processes that were killed.
  private static func removeLeftovers(in folder: FilePath) throws {
    for name in try Folder.names(in: folder).map({ String(decoding: $0, as: UTF8.self) })
    where Layout.isTemporary(name) {
      let leftover = folder.appending(name)
      guard let status = try FileStatus.of(leftover) else { continue }
      let age = Date().timeIntervalSince1970 - Double(status.modified) / 1e9
      if age > 600 { try Folder.removeTree(leftover) }
    }
  }

  /// 32 random hexadecimal digits.
  static func randomIdentifier() -> String {
    let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func configuration(_ section: String) -> String {
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
