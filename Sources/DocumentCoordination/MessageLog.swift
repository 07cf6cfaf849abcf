internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The messages that passed between the programs of a container, the newest last; old ones go.
struct MessageLog {
  /// One message, and what came of it.
  struct Entry: Codable, Sendable {
    /// Seconds since 1970.
    var time: Double
    /// The access, and the number of the message in it.
    var access: String
    var number: Int
    var from: ProgramIdentity
    var to: ProgramIdentity?
    var kind: String
    var items: [MessagePath]
    /// How long the answer took, in seconds.
    var duration: Double?
    /// What went wrong; nil where all is well.
    var failure: String?
    /// The new place of the item, for a message about a move.
    var target: MessagePath?
  }

  private let path: FilePath

  init(of container: FilePath) { path = CoordinationFile.log.path(in: container) }

  /// Adds messages, and makes the log where it is missing.
  ///
  /// A log that cannot be written is no reason for an access to fail.
  func add(_ entries: [Entry]) {
    guard !entries.isEmpty else { return }
    do {
      var bytes: [UInt8] = []
      for entry in entries { bytes += try MessageCoding.frame(entry) + [UInt8(ascii: "\n")] }
      try Folder.create(path.parentFolder, permissions: 0o700, isDurable: false)
      try shorten()
      try AppendOnlyFile.append(bytes, to: path, at: .max)
    } catch {
      // Only for people who look for a fault.
    }
  }

  /// The newest messages, the oldest of them first; lines that were torn are left out.
  func entries(newest count: Int) throws -> [Entry] {
    guard let (bytes, _) = try AppendOnlyFile.tail(path, limit: Self.mostBytes) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).suffix(count).compactMap { line in
      do { return try MessageCoding.message(Entry.self, in: Array(line)) } catch { return nil }
    }
  }

  private static let mostBytes = 256 << 10

  /// Leaves the newer half of a long log.
  private func shorten() throws {
    guard let status = try FileStatus.of(path), status.size > Self.mostBytes,
      let (bytes, _) = try AppendOnlyFile.tail(path, limit: Self.mostBytes / 2)
    else { return }
    let whole = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    try SmallFile.replaceCache(path, Array(whole), isPrivate: true)
  }
}
