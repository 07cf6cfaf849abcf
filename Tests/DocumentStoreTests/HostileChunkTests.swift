import DocumentFiles
import DocumentGit
import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Chunks from elsewhere")
struct HostileChunkTests {
  /// A store in which trees can be made that no document has.
  final class Bench {
    let repository: Repository
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder(isInMemory: true)
      let path = FilePath(scratch["store"].path)
      try StoreCreation.create(path, identity: DocumentIdentity(.random()), clock: .system)
      repository = try Repository(store: path)
    }

    func add(_ object: GitObject) throws -> ObjectID {
      try repository.write([object])
      return object.id
    }

    func tree(_ entries: [(name: String, mode: Tree.Mode, id: ObjectID)]) throws -> ObjectID {
      try add(
        Tree(entries.map { .init(mode: $0.mode, name: Array($0.name.utf8), id: $0.id) }).encoded())
    }

    /// A tree like that of a file with two groups of a dozen chunks each.
    func file(
      _ change: (inout [(name: String, mode: Tree.Mode, id: ObjectID)], Bench) throws -> Void = {
        _, _ in
      },
      groups changeGroups: (inout [(name: String, mode: Tree.Mode, id: ObjectID)], Bench) throws ->
        Void = { _, _ in }
    ) throws -> ObjectID {
      let chunk = try add(GitObject(.blob, [UInt8](repeating: 7, count: Chunker.longest)))
      var chunks = (0..<12).map { (name: number($0), mode: Tree.Mode.file, id: chunk) }
      let plain = try tree(chunks)
      try change(&chunks, self)
      var groups = [
        (name: number(0), mode: Tree.Mode.folder, id: plain),
        (name: number(1), mode: Tree.Mode.folder, id: try tree(chunks)),
      ]
      try changeGroups(&groups, self)
      return try tree(groups)
    }

    func number(_ number: Int) -> String {
      String(decoding: ChunkedFile.name(number), as: UTF8.self)
    }

    func read(_ file: ObjectID, limit: Int = 10 << 30) throws -> ChunkList {
      try ChunkList(file, in: repository, limit: limit)
    }
  }

  @Test("What is of the form is read, in every part")
  func parts() throws {
    let bench = try Bench()
    let list = try bench.read(bench.file())
    #expect(list.size == 24 * Chunker.longest)
    #expect(list.mode == .file)
    for range in [0..<1, 65_535..<65_537, 1_000..<200_000, list.size - 1..<list.size, 5..<5] {
      #expect(
        try bench.repository.read(range, of: list) == [UInt8](repeating: 7, count: range.count))
    }
  }

  enum Fault: CaseIterable {
    case gap, gapInGroups, double, short, shortName, mixedModes, link, folder, emptyChunk,
      smallChunk
    case longChunk, missingChunk, treeForChunk, emptyGroup, fileForGroup, noGroup, tooSmall

    func file(on bench: Bench) throws -> ObjectID {
      func chunk(_ count: Int) throws -> ObjectID {
        try bench.add(GitObject(.blob, [UInt8](repeating: 1, count: count)))
      }
      switch self {
      case .gap: return try bench.file { chunks, _ in chunks.remove(at: 3) }
      case .gapInGroups:
        return try bench.file(groups: { groups, bench in groups[1].name = bench.number(2) })
      case .double: return try bench.file { chunks, _ in chunks.append(chunks[3]) }
      case .short: return try bench.file { chunks, _ in chunks[3].name = "3" }
      case .shortName: return try bench.file { chunks, _ in chunks[10].name = "0000000A" }
      case .mixedModes: return try bench.file { chunks, _ in chunks[3].mode = .executable }
      case .link: return try bench.file { chunks, _ in chunks[3].mode = .symbolicLink }
      case .folder:
        return try bench.file { chunks, bench in
          chunks[3].id = try bench.tree([])
          chunks[3].mode = .folder
        }
      case .emptyChunk: return try bench.file { chunks, _ in chunks[11].id = try chunk(0) }
      case .smallChunk: return try bench.file { chunks, _ in chunks[3].id = try chunk(4_095) }
      case .longChunk: return try bench.file { chunks, _ in chunks[3].id = try chunk(65_537) }
      case .missingChunk:
        return try bench.file { chunks, _ in
          chunks[3].id = GitObject(.blob, [UInt8](repeating: 2, count: 5_000)).id
        }
      case .treeForChunk:
        let tree = try bench.tree(
          (0..<200).map { (bench.number($0), .folder, ObjectID.emptyTree) })
        return try bench.file { chunks, _ in chunks[3].id = tree }
      case .emptyGroup:
        return try bench.file(groups: { groups, bench in groups[1].id = try bench.tree([]) })
      case .fileForGroup:
        return try bench.file(groups: { groups, _ in
          groups[1].id = try chunk(5_000)
          groups[1].mode = .file
        })
      case .noGroup: return try bench.tree([])
      case .tooSmall: return try bench.file(groups: { groups, _ in groups.removeLast() })
      }
    }
  }

  @Test("What is not exactly of the form is refused", arguments: Fault.allCases)
  func refused(fault: Fault) throws {
    let bench = try Bench()
    let file = try fault.file(on: bench)
    if fault == .treeForChunk {
      // Seen when it is read: sizes come without kinds.
      let list = try bench.read(file)
      #expect(throws: GitError.self) { try bench.repository.read(0..<list.size, of: list) }
    } else {
      #expect(throws: GitError.self) { _ = try bench.read(file) }
    }
  }

  @Test("A file beyond the limit is refused before a byte of it is read")
  func limit() throws {
    let bench = try Bench()
    let file = try bench.file()
    #expect(throws: GitError.self) { _ = try bench.read(file, limit: 24 * Chunker.longest - 1) }
    #expect(try bench.read(file, limit: 24 * Chunker.longest).size == 24 * Chunker.longest)
  }

  @Test("Names distinguish files in chunks from others, and come back", arguments: [false, true])
  func names(isChunked: Bool) throws {
    for name in ["a", ".git", ".docversions-", ".docversions-name-.docversions-chunks-a", "ä~1"] {
      let stored = MemberName.encoded(Array(name.utf8), isChunked: isChunked)
      let decoded = try #require(MemberName.decoded(stored))
      #expect(decoded == (Array(name.utf8), isChunked))
    }
    for name in [".docversions-chunks-", ".docversions-later-a", ".docversions-chunks-..", "a/b"] {
      #expect(MemberName.decoded(Array(name.utf8)) == nil, "\(name)")
    }
  }
}
