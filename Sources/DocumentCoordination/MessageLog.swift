internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// A log of the messages between the programs of a container, newest last, limited in size.
struct MessageLog {
  /// A message and its outcome.
  struct Entry: Codable, Sendable {
    /// The time in seconds since 1970.
    var time: Double
    /// The identifier of the access.
    var access: String
    var number: Int
    var from: ProgramIdentity
    var to: ProgramIdentity?
    var kind: String
    var items: [MessagePath]
    /// The time until the answer, in seconds.
    var duration: Double?
    /// The failure; `nil` for success.
    var failure: String?
    /// The new location of the item, for a message about a move.
    var target: MessagePath?
  }

  private let path: FilePath

  init(of container: FilePath) { path = ContainerFile.messageLog.path(in: container) }

  /// Adds messages, and creates the log if it is missing.
  ///
  /// An access doesn't fail if the log can't be written.
  func add(_ entries: [Entry]) {
    guard !entries.isEmpty else { return }
    do {
      var bytes: [UInt8] = []
      for entry in entries { bytes += try MessageCoding.frame(entry) + [UInt8(ascii: "\n")] }
      try Folder.create(path.parentFolder, permissions: 0o700, isDurable: false)
      try shorten()
      try AppendOnlyFile.append(bytes, to: path, at: .max)
    } catch {
      // The log only helps people to diagnose a problem.
    }
  }

  /// Returns the newest messages, oldest first, without incomplete lines.
  func entries(newest count: Int) throws -> [Entry] {
    guard let (bytes, _) = try AppendOnlyFile.tail(path, limit: Self.mostBytes) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).suffix(count).compactMap { line in
      do { return try MessageCoding.message(Entry.self, in: Array(line)) } catch { return nil }
    }
  }

  private static let mostBytes = 256 << 10

  /// Keeps only the newer half of a long log.
  private func shorten() throws {
    guard let status = try FileStatus.of(path), status.size > Self.mostBytes,
      let (bytes, _) = try AppendOnlyFile.tail(path, limit: Self.mostBytes / 2)
    else { return }
    let whole = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    try SmallFile.replaceCache(path, Array(whole), isPrivate: true)
  }
}
