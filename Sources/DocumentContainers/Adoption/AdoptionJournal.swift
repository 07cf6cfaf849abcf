internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The record of an adoption in a container, for undoing it.
///
/// It is a file with a line for each document. A line is on disk before a copy of its document is removed.
final class AdoptionJournal: Sendable {
  /// The changes to one document.
  struct Entry: Codable, Sendable {
    /// A removed copy.
    struct Copy: Codable, Sendable {
      /// Its path from the root.
      let path: String
      /// The version that has its contents.
      let version: String
      /// Its modification date in seconds since 1970.
      let modified: Double
      let permissions: UInt32
      /// True if it is a copy of a member, which is restored with the package.
      let isMember: Bool
    }

    /// The document’s path from the root.
    let document: String
    /// The version that resolved the conflict; `nil` if there was none.
    var resolution: String?
    /// The version of the package from before copies with nothing new were removed; `nil` if there were none.
    var before: String?
    var copies: [Copy]
  }

  private let file: FilePath
  /// Documents are adopted concurrently, and recorded one after the other.
  private let turn = Mutex(())

  /// Starts the record of a new adoption, without writing anything yet.
  init(of container: URL, at date: Date) throws {
    let time = String(Int(date.timeIntervalSince1970 * 1_000))
    let digits = String(repeating: "0", count: max(0, 16 - time.count)) + time
    let suffix = String(UInt32.random(in: .min ... .max), radix: 16)
    file = ContainerFile.adoptions.path(in: try container.filePath).appending("\(digits)-\(suffix)")
  }

  private init(_ file: FilePath) {
    self.file = file
  }

  /// The start time, as digits that sort.
  private var time: [UInt8] { file.lastName.prefix { $0 != UInt8(ascii: "-") } + [] }

  /// Returns the records of the last adoption that wasn't undone, one for each of its containers.
  static func last(in containers: [FilePath]) throws -> [AdoptionJournal] {
    let all = try containers.compactMap { container -> AdoptionJournal? in
      let folder = ContainerFile.adoptions.path(in: container)
      guard try FileStatus.of(folder)?.kind == .folder else { return nil }
      return try Folder.names(in: folder).last { !SmallFile.isTemporary($0) }
        .map { AdoptionJournal(folder.appending(bytes: $0)) }
    }
    let last = all.map(\.time).max { $0.lexicographicallyPrecedes($1) }
    return all.filter { $0.time == last }
  }

  /// Appends an entry, which is on disk on return.
  func append(_ entry: Entry) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = Array(try encoder.encode(entry)) + [UInt8(ascii: "\n")]
    try turn.withLock { _ in
      guard try !AppendOnlyFile.append(line, ifThere: file, isDurable: true) else { return }
      try Folder.createInside(file.parentFolder)
      try SmallFile.create(file, line)
      try Folder.synchronize(file.parentFolder)
    }
  }

  /// Returns the entries, last first; a line that a power cut left incomplete describes nothing that was done.
  func entries() throws -> [Entry] {
    let lines = try SmallFile.read(file, limit: 1 << 28)?.split(separator: UInt8(ascii: "\n")) ?? []
    return try lines.enumerated().compactMap { index, line -> Entry? in
      do {
        return try JSONDecoder().decode(Entry.self, from: Data(Array(line)))
      } catch  where index == lines.count - 1 {
        return nil
      }
    }.reversed()
  }

  /// Removes the record after the adoption is undone.
  func remove() throws {
    try Folder.removeTree(file)
  }
}
