internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The record of an adoption in a container, by which it is undone.
///
/// One file of lines, each about a document. A line is on the disk before a copy of its document goes.
final class AdoptionJournal: Sendable {
  /// What was done to one document.
  struct Entry: Codable, Sendable {
    /// A copy’s file that went.
    struct Copy: Codable, Sendable {
      /// Its path from the root.
      let path: String
      /// The version that has its contents.
      let version: String
      /// When it was modified, in seconds since 1970.
      let modified: Double
      let permissions: UInt32
      /// Whether it is a copy of a member, which comes back with the package.
      let isMember: Bool
    }

    /// The document’s path from the root.
    let document: String
    /// The version that brought the document and its copies together; `nil` if nothing was.
    var resolution: String?
    /// The version that the package was before copies that brought nothing new went; `nil` if none did so.
    var before: String?
    var copies: [Copy]
  }

  private let file: FilePath
  /// Documents are adopted at the same time, and recorded one after the other.
  private let turn = Mutex(())

  /// Begins the record of a new adoption; nothing is written before there is something to say.
  init(of container: URL, at date: Date) throws {
    let time = String(Int(date.timeIntervalSince1970 * 1_000))
    let digits = String(repeating: "0", count: max(0, 16 - time.count)) + time
    let suffix = String(UInt32.random(in: .min ... .max), radix: 16)
    file = AdoptionFile.folder(of: try container.filePath).appending("\(digits)-\(suffix)")
  }

  private init(_ file: FilePath) {
    self.file = file
  }

  /// When it began, as digits that sort.
  private var time: [UInt8] { file.lastName.prefix { $0 != UInt8(ascii: "-") } + [] }

  /// The records of the last adoption in some containers that was not undone: one in each that it was about.
  static func last(in containers: [FilePath]) throws -> [AdoptionJournal] {
    let all = try containers.compactMap { container -> AdoptionJournal? in
      let folder = AdoptionFile.folder(of: container)
      guard try FileStatus.of(folder)?.kind == .folder else { return nil }
      return try Folder.names(in: folder).last { !SmallFile.isTemporary($0) }
        .map { AdoptionJournal(folder.appending(bytes: $0)) }
    }
    let last = all.map(\.time).max { $0.lexicographicallyPrecedes($1) }
    return all.filter { $0.time == last }
  }

  /// Appends an entry; it is on the disk on return.
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

  /// The entries, the last first; a line that a power cut has torn says nothing that was done.
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

  /// Forgets the adoption, once it is undone.
  func remove() throws {
    try Folder.removeTree(file)
  }
}
