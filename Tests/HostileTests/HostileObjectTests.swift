import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit
@testable import DocumentStore
@testable import DocumentSync

/// Objects that are malformed, have false sizes, or expand to far more than their own size.
///
/// The version with them can't be restored; the others can.
@Suite("Hostile objects", .blocks)
struct HostileObjectTests {
  // MARK: Damaged files

  enum Damage: String, CaseIterable {
    case emptied, cut, zeroed, flipped, garbled, otherKind, sizeTooSmall, sizeTooLarge, sizeHuge,
      sizeNegative, noSize
  }

  @Test("A damaged loose object is reported as damage", arguments: Damage.allCases)
  func loose(damage: Damage) throws {
    let victim = try Victim()
    let file = try looseFile(of: "a.md two\n", in: victim)
    let bytes = try Data(contentsOf: file)
    _ = chmod(file.path, 0o644)
    let damaged: Data =
      switch damage {
      case .emptied: Data()
      case .cut: bytes.dropLast(4)
      case .zeroed: Data(count: bytes.count)
      case .flipped: Data(bytes.enumerated().map { $0 == bytes.count / 2 ? $1 ^ 4 : $1 })
      case .garbled: Data("garbage".utf8)
      case .otherKind: stored("tree 9\0a.md two\n")
      case .sizeTooSmall: stored("blob 3\0a.md two\n")
      case .sizeTooLarge: stored("blob 12\0a.md two\n")
      case .sizeHuge: stored("blob 99999999999999999999\0a.md two\n")
      case .sizeNegative: stored("blob -1\0a.md two\n")
      case .noSize: stored("blob a.md two\n")
      }
    try damaged.write(to: file)
    let runs = try victim.expectHarmless()
    #expect(runs["show"]?.exitCode == 6)
    #expect(runs["restore"]?.exitCode == 0)
    #expect(runs["log"]?.exitCode == 0)
  }

  @Test(
    "A damaged pack or index is reported as damage",
    arguments: ["pack", "idx"], ["emptied", "cut", "zeroed", "flipped", "garbled"])
  func packed(type: String, damage: String) throws {
    let victim = try Victim()
    try git(victim, "gc", "--quiet")
    let folder = victim["objects/pack"]
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(type) })
    let file = folder.appending(path: name)
    let bytes = try Data(contentsOf: file)
    _ = chmod(file.path, 0o644)
    switch damage {
    case "emptied": try Data().write(to: file)
    case "cut": try bytes.dropLast(30).write(to: file)
    case "zeroed": try Data(count: bytes.count).write(to: file)
    case "flipped":
      try Data(bytes.enumerated().map { $0 == bytes.count / 3 ? $1 ^ 8 : $1 }).write(to: file)
    default: try Data("garbage".utf8).write(to: file)
    }
    _ = try victim.expectHarmless()
  }

  // MARK: Bombs

  @Test(
    "A small file that stands for a gigabyte is refused before it is inflated",
    arguments: [
      "commit", "tree", "blob",
    ])
  func looseBomb(kind: String) throws {
    let victim = try Victim()
    // Large enough that the size could be true.
    let file = try looseFile(of: "a.md two\n", in: victim)
    try stored("\(kind) \(1 << 30)\0" + String(repeating: "x", count: 1_100_000)).write(to: file)
    #expect(try victim.expectHarmless(commands: ["show", "save"])["show"]?.exitCode == 6)
  }

  @Test("A small file that stands for a gigabyte takes little memory", arguments: ["blob", "tree"])
  func deflatedBomb(kind: String) throws {
    let victim = try Victim()
    let program = """
      import hashlib, os, sys, zlib
      kind, store = sys.argv[1:]
      piece, count = bytes(1 << 20), 1024
      header = f'{kind} {count << 20}\\0'.encode()
      digest, deflate = hashlib.sha1(header), zlib.compressobj(1)
      out = [deflate.compress(header)]
      for _ in range(count):
        digest.update(piece)
        out.append(deflate.compress(piece))
      out.append(deflate.flush())
      id = digest.hexdigest()
      os.makedirs(f'{store}/objects/{id[:2]}', exist_ok=True)
      open(f'{store}/objects/{id[:2]}/{id[2:]}', 'wb').write(b''.join(out))
      print(id)
      """
    let made = try Command.run("python3", ["-c", program, kind, victim.store("P.pack").path])
    let id = try #require(
      ObjectID(hexadecimal: made.output.trimmingCharacters(in: .whitespacesAndNewlines)),
      "\(made.errorOutput)")
    let mode = kind == "blob" ? "100644" : "40000"
    let tree = try Victim.tree([(mode, Array("a".utf8), id)])
    try victim.publish(tree: tree.id, with: [tree]) { $0.bytes = 1 << 30 }
    // The program has 200 MB.
    let runs = try victim.expectHarmless(
      "P.pack", commands: ["show", "log"], isSaving: false)
    #expect(try victim.run("verify", "P.pack").exitCode == 1)
    #expect(runs["restore"]?.exitCode == 0)
    #expect(try victim.restoreCurrent(of: "P.pack", byProgram: true).exitCode == 6)
  }

  @Test("An object of a pack that is larger than its version is refused")
  func packedBomb() throws {
    let victim = try Victim()
    let bomb = victim.scratch["bomb"]
    _ = FileManager.default.createFile(atPath: bomb.path, contents: nil)
    try FileHandle(forWritingTo: bomb).truncate(atOffset: 256 << 20)
    let id = try #require(
      ObjectID(hexadecimal: git(victim, "hash-object", "-w", bomb.path)))
    try git(victim, "repack", "-q", "-a", "-d", "-k")
    let tree = try Victim.tree([("100644", Array("a.md".utf8), id)])
    try victim.publish(tree: tree.id, in: "a.md", with: [tree])
    let runs = try victim.expectHarmless(commands: ["show", "save"])
    #expect(runs["show"]?.exitCode == 6)
    #expect(runs["restore"]?.exitCode == 0)
  }

  @Test("Folders 5,000 deep are refused", arguments: [5_000])
  func deepTree(depth: Int) throws {
    let victim = try Victim()
    var objects = [try Victim.tree([])]
    for _ in 0..<depth {
      objects.append(try Victim.tree([("40000", [0x61], objects[objects.count - 1].id)]))
    }
    try expectRefusedTree(
      objects[objects.count - 1], with: objects, in: victim, isBomb: true)
  }

  @Test("A few trees that stand for ten billion files are refused")
  func treeBomb() throws {
    let victim = try Victim()
    var objects = [GitObject(.blob, [])]
    for level in 0..<10 {
      let mode = level == 0 ? "100644" : "40000"
      let id = objects[level].id
      objects.append(try Victim.tree((0..<10).map { (mode, [0x30 + UInt8($0)], id) }))
    }
    try expectRefusedTree(objects[10], with: objects, in: victim, isBomb: true)
  }

  // MARK: Trees

  @Test(
    "A tree with what no document can have is refused, and nothing is written",
    arguments: [
      [("100644", "..")], [("100644", ".")], [("100644", "")], [("100644", "a/b")],
      [("100644", "../x")], [("100644", "/etc/x")], [("100644", "a"), ("100644", "a")],
      [("120000", "a"), ("40000", "a")], [("160000", "a")], [("100600", "a")], [("0", "a")],
      [("777777", "a")], [("10644", "a")], [("", "a")], [("40755", "a")],
      [("100644", ".docversions-name-..")], [("100644", ".docversions-name-")],
      [("100644", ".docversions-name-a/b")], [("100644", String(repeating: "x", count: 256))],
    ] as [[(String, String)]])
  func trees(entries: [(String, String)]) throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array("x".utf8))
    let folder = try Victim.tree([("100644", [0x78], blob.id)])
    let tree = try Victim.tree(
      entries.map { ($0.0, Array($0.1.utf8), $0.0 == "40000" ? folder.id : blob.id) })
    try expectRefusedTree(tree, with: [blob, folder, tree], in: victim)
    // The same one folder down.
    let other = try Victim()
    let outer = try Victim.tree([("40000", Array("in".utf8), tree.id)])
    try expectRefusedTree(outer, with: [blob, folder, tree, outer], in: other)
  }

  @Test(
    "A tree that is cut short, or whose members are of other kinds, is refused",
    arguments: [
      "cut", "blob as folder", "tree as file", "tree as link", "missing", "commit as folder",
    ])
  func wrongTrees(kind: String) throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array("x".utf8))
    let folder = try Victim.tree([("100644", [0x78], blob.id)])
    let repository = try Repository(opening: victim.store("P.pack").filePath)
    let record = try #require(try repository.references.value(of: HeadName.main))
    let tree =
      switch kind {
      case "cut": GitObject(.tree, Array("100644 a\0abc".utf8))
      case "blob as folder": try Victim.tree([("40000", [0x61], blob.id)])
      case "tree as file": try Victim.tree([("100644", [0x61], folder.id)])
      case "tree as link": try Victim.tree([("120000", [0x61], folder.id)])
      case "commit as folder": try Victim.tree([("40000", [0x61], record)])
      default: try Victim.tree([("100644", [0x61], .emptyTree)])
      }
    try expectRefusedTree(tree, with: [blob, folder, tree], in: victim, isListed: true)
  }

  @Test(
    "Names that git obeys are members like others",
    arguments: [
      ".git", ".GIT", ".gitmodules", ".gitattributes", ".g\u{200C}it", "git~1", "GIT~1", ".git ",
      ".git.", ".git::$INDEX_ALLOCATION", "a\\b", "..\\x", "C:x", "con", "-rf", "a\n", "\u{1B}[2J",
    ])
  func obeyedNames(name: String) throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array("x".utf8))
    let tree = try Victim.tree([("100644", Array(name.utf8), blob.id)])
    try victim.publish(tree: tree.id, with: [blob, tree]) { $0.bytes = 1 }
    let runs = try victim.expectHarmless("P.pack", isSaving: false)
    #expect(runs["log"]?.exitCode == 0)
    let run = try victim.restoreCurrent(
      of: "P.pack", byProgram: Sample.isTaken(at: #_sourceLocation))
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: victim.scratch["evil"].path) == [name])
  }

  @Test(
    "A link is written as a link, wherever it leads, and nothing through it",
    arguments: [
      "/etc/passwd", "../../canary", "../../canary/file", "loop",
    ])
  func links(target: String) throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array(target.utf8))
    let tree = try Victim.tree([("120000", Array("loop".utf8), blob.id)])
    try victim.publish(tree: tree.id, with: [blob, tree])
    let run = try victim.run("restore", "P.pack", "current", "--to", "../evil")
    #expect(run.exitCode == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: victim.scratch["evil/loop"].path)
        == target)
    #expect(try victim.scratch.read("canary/file") == "untouched\n")
  }

  @Test(
    "A link that can’t be made is reported, and stops nothing else",
    arguments: [[], [0x61, 0, 0x62], [UInt8](repeating: 0x61, count: 4_096)] as [[UInt8]])
  func impossibleLinks(target: [UInt8]) throws {
    let victim = try Victim()
    let blob = GitObject(.blob, target)
    let tree = try Victim.tree([("120000", Array("loop".utf8), blob.id)])
    try victim.publish(tree: tree.id, with: [blob, tree])
    let document = victim.container.appending(path: "P.pack")
    let version = try #require(try victim.library.history(of: document).current)
    #expect(throws: VersionError.self) {
      try victim.library.export(version, to: victim.scratch["evil"])
    }
    let found = try victim.library.verify(document).damage.map(\.message)
    #expect(found.contains { $0.contains("restore an earlier version") }, "\(found)")
    // An earlier version can be restored, and then everything is fine.
    let earlier = try victim.library.history(of: document).versions[1]
    _ = try victim.library.restore(earlier)
    #expect(try victim.library.state(of: document) == .unchanged)
    try Data("edit\n".utf8).write(to: document.appending(path: "text.txt"))
    #expect(try victim.library.save(document).isNew)
    _ = try victim.library.collect(document)
  }

  @Test(
    "A link that can’t be made is not taken in, and the longest is",
    arguments: [
      ([], false), ([0x61, 0, 0x62], false), ([UInt8](repeating: 0x61, count: 4_096), false),
      ([UInt8](repeating: 0x61, count: 4_095), true),
    ] as [([UInt8], Bool)])
  func exchangedLinks(target: [UInt8], isTaken: Bool) throws {
    let victim = try Victim()
    let receiver = try exchangeOnce(victim)
    let blob = GitObject(.blob, target)
    let tree = try Victim.tree([("120000", Array("loop".utf8), blob.id)])
    try victim.publish(tree: tree.id, with: [blob, tree])
    try send(from: victim)
    if isTaken {
      let results = try victim.library.exchange(
        receiver, through: victim.scratch["exchange"]
      ).documents
      #expect(results.allSatisfy { $0.failure == nil })
    } else {
      try expectRefusal(["P.pack"], by: receiver, from: victim)
    }
  }

  @Test("A package that keeps versions of documents inside it is not taken in")
  func exchangedStores() throws {
    let victim = try Victim()
    let receiver = try exchangeOnce(victim)
    let blob = GitObject(.blob, Array("ref: refs/heads/main\n".utf8))
    var objects = [blob, try Victim.tree([("100644", Array("HEAD".utf8), blob.id)])]
    for name in ["x.md.git", "documents", ".docversions"] {
      let inner = objects[objects.count - 1].id
      objects.append(try Victim.tree([("40000", Array(name.utf8), inner)]))
    }
    try victim.publish(tree: objects[objects.count - 1].id, with: objects) { $0.bytes = 21 }
    try send(from: victim)
    try expectRefusal(["P.pack"], by: receiver, from: victim)
  }

  // MARK: Records

  @Test(
    "A record with impossible times, parents or words is refused or shown escaped",
    arguments: [
      "date minimum", "date maximum", "date latest", "date negative", "modified minimum",
      "modified maximum",
      "5,000 parents", "1 MB message", "20 MB line", "no line", "not JSON", "deep JSON",
      "newer format", "path ..", "path .. before an accent", "path absolute", "path store",
      "path NUL", "escapes",
      "bytes negative", "bytes huge", "other document", "no signature", "text in time",
    ])
  func records(kind: String) throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array("evil\n".utf8))
    let tree = try Victim.tree([("100644", Array("a.md".utf8), blob.id)])
    let isValid = ["escapes", "date negative", "modified minimum", "modified maximum"].contains(
      kind)
    var parents: [ObjectID] = []
    var message: String?
    let deep = String(repeating: "[", count: 100_000)
    switch kind {
    case "5,000 parents":
      parents = (0..<5_000).map { ObjectID(of: .blob, Array("\($0)".utf8)) }
    case "1 MB message": message = "Evil\n\n{" + String(repeating: "x", count: 1 << 20) + "}\n"
    case "20 MB line": message = "Evil\n\n{" + String(repeating: "x", count: 20 << 20) + "}\n"
    case "no line": message = "Evil\n"
    case "not JSON": message = "Evil\n\n{\u{1B}[2J\n"
    case "deep JSON": message = "Evil\n\n{\"a\":\(deep)\n"
    default: break
    }
    let other = String(repeating: "a", count: 32)
    try victim.publish(
      tree: tree.id, in: "a.md", with: [blob, tree],
      change: { facts in
        facts.bytes = 5
        switch kind {
        case "date minimum": facts.date = .min
        case "date maximum": facts.date = .max
        case "date latest": facts.date = 1 << 53
        case "date negative": facts.date = -62_135_596_800_000
        case "modified minimum": facts.modified = .min
        case "modified maximum": facts.modified = .max
        case "newer format": facts.format = 2
        case "path ..": facts.path = "../canary/file"
        case "path .. before an accent": facts.path = "../\u{301}canary"
        case "path absolute": facts.path = "/etc/passwd"
        case "path store": facts.path = ".DocVersions/x"
        case "path NUL": facts.path = "a\0b"
        case "bytes negative": facts.bytes = -1
        case "bytes huge": facts.bytes = .max
        case "other document": facts.document = other
        case "escapes":
          facts.note = "\u{1B}]0;evil\u{7}\u{9B}2J\u{202E}gnp"
          facts.author = "\u{1B}[31mroot"
          facts.device = "\r\u{1B}[2K"
          facts.path = "\u{1B}[2J.md"
        default: break
        }
      }, parents: parents, message: message)
    let isLarge = kind.contains("MB") || kind.contains("000") || kind.contains("deep")
    let runs = try victim.expectHarmless(
      commands: isLarge || kind == "escapes" ? ["show", "log"] : nil, isSaving: !isValid)
    if isValid {
      #expect(runs["log"]?.exitCode == 0, "\(runs["log"]?.errorText ?? "")")
      #expect(runs["show"]?.text == "evil\n")
    }
    if kind.hasPrefix("path") || kind.contains("JSON") || kind.contains("parents") {
      #expect(runs["show"]?.exitCode == 6)
    }
  }

  @Test("Versions can follow one of the last moment there is")
  func lastMoment() throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array("evil\n".utf8))
    let tree = try Victim.tree([("100644", Array("a.md".utf8), blob.id)])
    try victim.publish(tree: tree.id, in: "a.md", with: [blob, tree]) {
      $0.bytes = 5
      $0.date = Record.Facts.latestDate
    }
    let file = victim.container.appending(path: "a.md")
    for text in ["three\n", "four\n"] {
      try Data(text.utf8).write(to: file)
      #expect(try victim.library.save(file).isNew)
    }
    #expect(
      try victim.library.history(of: file).current?.contents() == Data("four\n".utf8))
  }

  // MARK: Exchange

  @Test(
    "What another device publishes is taken in only if it can be written",
    arguments: [
      [("100644", "..")], [("160000", "a")], [("100644", "a"), ("100644", "a")],
      [("100644", "a/b")],
    ])
  func exchange(entries: [(String, String)]) throws {
    let victim = try Victim()
    let receiver = try exchangeOnce(victim)
    let blob = GitObject(.blob, Array("x".utf8))
    let tree = try Victim.tree(entries.map { ($0.0, Array($0.1.utf8), blob.id) })
    try victim.publish(tree: tree.id, with: [blob, tree]) { $0.bytes = 1 }
    let isSent = (try? send(from: victim)) != nil
    try expectRefusal(isSent ? ["P.pack"] : [], by: receiver, from: victim)
  }

  @Test("A document of which nothing can be taken in leaves its name free")
  func exchangeOfNothing() throws {
    let victim = try Victim()
    let blob = GitObject(.blob, Array("x".utf8))
    let name = Array("a".utf8)
    let tree = try Victim.tree([("100644", name, blob.id), ("100644", name, blob.id)])
    try victim.publish(tree: tree.id, with: [blob, tree]) { $0.bytes = 1 }
    try send(from: victim)
    let receiver = victim.scratch["receiver"]
    try FileManager.default.createDirectory(at: receiver, withIntermediateDirectories: true)
    let results = try victim.library.exchange(receiver, through: victim.scratch["exchange"])
      .documents
    #expect(results.compactMap(\.failure).count == 1)
    let package = receiver.appending(path: "P.pack")
    #expect(try !DocumentLocation(of: package).hasStore)
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    #expect(try victim.library.state(of: package) == .unsaved)
  }

  @Test("A version that claims to be older than what it was made from is not taken in")
  func earlierThanItsParents() throws {
    let victim = try Victim()
    let receiver = try exchangeOnce(victim)
    let blob = GitObject(.blob, Array("x".utf8))
    let tree = try Victim.tree([("100644", Array("a".utf8), blob.id)])
    try victim.publish(tree: tree.id, with: [blob, tree]) {
      $0.bytes = 1
      $0.date = 1
    }
    try send(from: victim)
    try expectRefusal(["P.pack"], by: receiver, from: victim)
  }

  // MARK: Helpers

  /// Lets another device receive the victim's versions.
  ///
  /// - Returns: the other device's documents.
  private func exchangeOnce(_ victim: Victim) throws -> URL {
    let folder = victim.scratch["exchange"]
    let receiver = victim.scratch["receiver"]
    try FileManager.default.createDirectory(at: receiver, withIntermediateDirectories: true)
    try victim.library.exchange(victim.container, through: folder)
    try victim.library.exchange(receiver, through: folder)
    let text = receiver.appending(path: "P.pack/text.txt")
    #expect(try Data(contentsOf: text) == Data("P.pack/text.txt two\n".utf8))
    return receiver
  }

  private func send(from victim: Victim) throws {
    let location = try DocumentLocation(of: victim.container.appending(path: "P.pack"))
    let container = try victim.library.replicatedContainer(victim.container)
    let peer = try FolderPeer(victim.scratch["exchange"].filePath, clock: .system)
    let device = try LocalDevice(in: container.folder, named: "victim")
    let references = try peer.references()
    let own = OwnState(references: references[device.identifier], after: PeerState.Seen(), in: peer)
    let news = try PeerNews(
      of: peer, references, besides: device.identifier, since: PeerState()
    ) { _ in nil }
    let batch = ObjectBatch()
    let publishing = Publishing(
      reader: try StoreReader(location, in: victim.library.environment), peer: peer.objects)
    let publication = try publishing.publish(
      after: nil, PublishedContents { ([], []) }, into: batch)
    let update = OwnUpdate(
      of: device, in: container, on: peer, from: own.references, base: try own.state(), news, batch,
      keepingBranches: false)
    _ = try update.publish([publication], paths: [:])
  }

  /// Expects that a device doesn't receive these documents, and that its own is unchanged and can be edited
  /// and saved.
  private func expectRefusal(_ names: [String], by receiver: URL, from victim: Victim) throws {
    let results = try victim.library.exchange(receiver, through: victim.scratch["exchange"])
      .documents
    let failed = results.filter { $0.failure != nil }.map(\.document.lastPathComponent)
    #expect(failed == names)
    let text = receiver.appending(path: "P.pack/text.txt")
    #expect(try Data(contentsOf: text) == Data("P.pack/text.txt two\n".utf8))
    try Data("edit\n".utf8).write(to: text)
    #expect(try victim.library.save(receiver.appending(path: "P.pack")).isNew)
  }

  private func expectRefusedTree(
    _ tree: GitObject, with objects: [GitObject], in victim: Victim, isListed: Bool = false,
    isBomb: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try victim.publish(tree: tree.id, with: objects) { $0.bytes = 100 }
    let isSample = isBomb || Sample.isTaken(at: sourceLocation)
    let runs = try victim.expectHarmless(
      "P.pack", commands: isSample ? ["show", "log"] : [], isSaving: false)
    #expect(runs["log"]?.exitCode == 0)
    if isSample, !isListed { #expect(runs["show"]?.exitCode == 6, "\(runs["show"]?.text ?? "")") }
    let run = try victim.restoreCurrent(of: "P.pack", byProgram: isSample)
    #expect(run.exitCode == 6, "\(run.errorText)")
    #expect(!FileManager.default.fileExists(atPath: victim.scratch["evil"].path))
    // An older version can still be restored.
    #expect(runs["restore"]?.exitCode == 0, "\(runs["restore"]?.errorText ?? "")")
    #expect(try victim.scratch.read("out/text.txt") == "P.pack/text.txt two\n")
  }

  /// The loose file of the blob with a text.
  private func looseFile(of text: String, in victim: Victim) throws -> URL {
    try victim.unpack()
    let id = ObjectID(of: .blob, Array(text.utf8)).description
    let file = victim["objects/\(id.prefix(2))/\(id.dropFirst(2))"]
    _ = chmod(file.path, 0o644)
    return file
  }

  /// Returns a zlib stream that stores its bytes uncompressed.
  private func stored(_ text: String) -> Data {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = Array(text.utf8)[...]
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in rest {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let count = UInt16(block.count)
      stream += [rest.isEmpty ? 1 : 0]
      stream += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      stream += block
    } while !rest.isEmpty
    for part in [high, low] { stream += [UInt8(part >> 8), UInt8(part & 255)] }
    return Data(stream)
  }

  /// Returns the output of stock git in the store of `a.md`.
  @discardableResult
  private func git(_ victim: Victim, _ arguments: String...) throws -> String {
    let result = try Command.run(
      "git", ["-C", victim.store().path, "-c", "core.bigFileThreshold=1g"] + arguments,
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ])
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    return result.output.trimmingCharacters(in: .newlines)
  }
}
