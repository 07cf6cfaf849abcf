import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentGit
@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// A server that a test plays, which may send anything.
@Suite("A hostile server is refused within limits", .blocks)
struct HostileServerTests {
  private let world: World

  init() throws {
    world = try World()
  }

  /// Syncs with a server that the test plays, and expects a failure without any change of the device.
  private func failure(
    _ answer: @escaping @Sendable (LoopbackServer.Connection) -> Void,
    most: Int = 1 << 20, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> VersionError? {
    let server = try LoopbackServer(answer)
    let mira = try device(at: server)
    try world.save("one\n", as: "a.md", on: "mira")
    var access = RemoteAccess()
    access.idleTimeout = .seconds(120)
    access.mostReceived = most
    let failure = #expect(throws: VersionError.self, sourceLocation: sourceLocation) {
      try mira.store.sync(mira.container, access: access)
    }
    #expect(try world.read("a.md", on: "mira") == "one\n", sourceLocation: sourceLocation)
    #expect(
      try world.history("a.md", on: "mira").versions.count == 1,
      sourceLocation: sourceLocation)
    #expect(try mira.problems().isEmpty, sourceLocation: sourceLocation)
    // Nothing of it is kept.
    let mirrors = mira[".docversions/sync/mirrors"].path
    let kept = FileManager.default.enumerator(atPath: mirrors)?.compactMap { $0 as? String } ?? []
    #expect(!kept.contains { $0.hasSuffix(".pack") }, sourceLocation: sourceLocation)
    return failure
  }

  private func device(at server: LoopbackServer) throws -> Device {
    let mira = try world.device("mira")
    try mira.store.makeContainer(mira.container)
    try mira.store.addRemote(
      Remote(name: "origin", address: "git://127.0.0.1:\(server.port)/docs"), to: mira.container)
    return mira
  }

  // MARK: Greetings

  static let greetings: [(name: String, bytes: [UInt8])] = [
    ("nothing", []),
    ("a web page", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
    ("a length that is none", Array("zzzz".utf8)),
    ("a length that is too small", Array("0003".utf8)),
    ("a line that is cut", Array("0040abc".utf8)),
    ("no object", PacketLine.line("xyz refs/heads/main\0side-band-64k") + PacketLine.flush),
    ("a reason", PacketLine.line("ERR \u{1B}[31mno\u{7}thing here") + PacketLine.flush),
    (
      "another hash",
      PacketLine.line(
        "\(ObjectID.emptyTree) refs/heads/docversions/a-12345678\0side-band-64k object-format=sha256"
      )
        + PacketLine.flush
    ),
    (
      "no abilities",
      PacketLine.line("\(ObjectID.emptyTree) refs/heads/docversions/a-12345678")
        + PacketLine.flush
    ),
    ("bytes", (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
  ]

  @Test("A greeting that is none is refused", arguments: greetings.indices)
  func greeting(number: Int) throws {
    let bytes = Self.greetings[number].bytes
    let failure = try failure { connection in
      connection.send(bytes)
      _ = connection.receive()
    }
    let text = try #require(failure?.description)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0.value != 0x0A })
  }

  @Test("A greeting without end is refused")
  func endlessGreeting() throws {
    let line = PacketLine.line("\(ObjectID.emptyTree) refs/heads/main")
    let lines = Array(repeating: line, count: 1_000).flatMap { $0 }
    let failure = try failure { connection in while connection.send(lines) {} }
    #expect(failure?.code == .damagedExchange)
  }

  @Test(
    "References whose names lead elsewhere are passed over",
    arguments: [
      "refs/heads/docversions/../../../../../evil", "refs/docversions/../evil/records",
      "refs/heads/docversions/A", "refs/heads/docversions/a/b", "refs/heads/docversions/.lock",
      "refs/docversions/0123456789abcdef0123456789abcdef/other", "refs/heads/docversions/a\u{1}b",
    ])
  func names(name: String) throws {
    let line = PacketLine.line(
      "\(ObjectID.emptyTree) \(name)\0side-band-64k report-status ofs-delta")
    #expect(!DeviceReference.isOne(name))
    let failure = try failure { connection in
      _ = connection.receive()
      connection.send(line + PacketLine.flush)
      _ = connection.receive()
    }
    // The repository has only other contents.
    #expect(failure != nil)
  }

  // MARK: Packs

  /// Plays a server that has one device, and answers a request with these bytes.
  private static func server(
    of id: ObjectID, _ answer: @escaping @Sendable (LoopbackServer.Connection) -> Void
  ) -> @Sendable (LoopbackServer.Connection) -> Void {
    { connection in
      var request: [UInt8] = []
      _ = connection.receive()
      connection.send(
        PacketLine.line(
          "\(id) refs/docversions/\(String(repeating: "ab", count: 16))/records\0side-band-64k ofs-delta"
        )
          + PacketLine.flush)
      let end = PacketLine.line("done")
      while !request.suffix(end.count).elementsEqual(end) {
        let bytes = connection.receive()
        if bytes.isEmpty { return }
        request += bytes
      }
      connection.send(PacketLine.line("NAK"))
      answer(connection)
    }
  }

  private static func band(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 60_000).flatMap { start in
      PacketLine.data([1] + bytes[start..<min(bytes.count, start + 60_000)])
    }
  }

  private static func pack(_ count: UInt32, _ entries: [[UInt8]]) -> [UInt8] {
    var bytes = Array("PACK".utf8)
    bytes.append(bigEndian: UInt32(2))
    bytes.append(bigEndian: count)
    bytes += entries.flatMap { $0 }
    return bytes + Checksum.of(bytes[...]).bytes
  }

  private static func entry(
    _ type: UInt8, size: Int, base: [UInt8] = [], _ contents: [UInt8]
  ) throws -> [UInt8] {
    var header: [UInt8] = []
    var byte = type << 4 | UInt8(size & 15)
    var rest = size >> 4
    while rest > 0 {
      header.append(byte | 0x80)
      byte = UInt8(rest & 127)
      rest >>= 7
    }
    return try header + [byte] + base + Deflater().deflate(contents, thoroughly: true)
  }

  enum BadPack: String, CaseIterable, CustomTestStringConvertible {
    case empty, noPack, cut, wrongChecksum, tooFew, tooMany, otherKind, liesOfItsSize, bomb, circle
    case missingBase, wrongObject, twice, version3

    var testDescription: String { rawValue }

    func bytes() throws -> [UInt8] {
      let text = Array("text\n".utf8)
      let blob = try entry(3, size: 5, text)
      switch self {
      case .empty: return []
      case .noPack: return Array("this is no pack, and never was one".utf8)
      case .cut: return pack(1, [blob]).dropLast(25)
      case .wrongChecksum: return pack(1, [blob]).dropLast() + [0]
      case .tooFew: return pack(2, [blob])
      case .tooMany: return pack(1, [blob, try entry(3, size: 3, Array("abc".utf8))])
      case .otherKind: return pack(1, [try entry(5, size: 5, text)])
      case .liesOfItsSize: return pack(1, [try entry(3, size: 4_000, text)])
      case .bomb:
        let zeros = [UInt8](repeating: 0, count: 60 << 20)
        return pack(24, Array(repeating: try entry(3, size: zeros.count, zeros), count: 24))
      case .circle:
        let id = ObjectID(of: .blob, text)
        return pack(1, [try entry(7, size: 4, base: id.bytes, [5, 5, 0x90, 5])])
      case .missingBase:
        return pack(1, [try entry(7, size: 4, base: ObjectID.emptyTree.bytes, [5, 5, 0x90, 5])])
      case .wrongObject: return pack(1, [blob])
      case .twice: return pack(2, [blob, blob])
      case .version3:
        var bytes = pack(1, [blob])
        bytes[7] = 9
        return Array(bytes.dropLast(20)) + Checksum.of(bytes.dropLast(20)).bytes
      }
    }

    private func pack(_ count: UInt32, _ entries: [[UInt8]]) -> [UInt8] {
      HostileServerTests.pack(count, entries)
    }

    private func entry(
      _ type: UInt8, size: Int, base: [UInt8] = [], _ contents: [UInt8]
    ) throws -> [UInt8] {
      try HostileServerTests.entry(type, size: size, base: base, contents)
    }
  }

  @Test("A pack that is none, or not what was asked for, is refused", arguments: BadPack.allCases)
  func pack(kind: BadPack) throws {
    let bytes = try kind.bytes()
    let wanted = ObjectID(of: .commit, Array("wanted".utf8))
    let failure = try failure(
      Self.server(of: wanted) { connection in
        connection.send(Self.band(bytes) + PacketLine.flush)
      }, most: 64 << 20)
    #expect(failure != nil)
  }

  @Test("A pack without end is refused at its limit")
  func endlessPack() throws {
    let piece = PacketLine.data([1] + [UInt8](repeating: 7, count: 60_000))
    let failure = try failure(
      Self.server(of: .emptyTree) { connection in while connection.send(piece) {} })
    #expect(failure?.message.contains("larger") == true)
  }

  @Test("A pack that stops in the middle is cut, and one that never comes is waited for no longer")
  func stops() throws {
    let whole = try BadPack.wrongObject.bytes()
    let cut = try failure(
      Self.server(of: .emptyTree) { connection in
        connection.send(Self.band(Array(whole.prefix(20))))
      })
    #expect(cut?.code == .remoteUnreachable)
  }

  // MARK: Records of another device

  @Test("A commit that is no state of a device concerns that device alone")
  func noState() throws {
    let tree = Tree([]).encoded()
    let signature = Commit.Signature(name: "x", seconds: 1)
    let commit = Commit(
      tree: tree.id, parents: [], author: signature, committer: signature, message: "x\n"
    ).encoded()
    let bytes = Self.pack(
      2,
      try [
        Self.entry(1, size: commit.size, commit.bytes()), Self.entry(2, size: 0, []),
      ])
    let server = try LoopbackServer(
      Self.server(of: commit.id) { connection in
        connection.send(Self.band(bytes) + PacketLine.flush)
      })
    let mira = try device(at: server)
    let outcome = try mira.store.sync(mira.container, access: RemoteAccess())
    #expect(outcome.arriving.count == 1)
    #expect(outcome.documents.isEmpty)
  }
}
