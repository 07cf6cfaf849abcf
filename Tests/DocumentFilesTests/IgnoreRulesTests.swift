import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

/// Lists of patterns have the same meaning as in git, and the standard rules name the files that programs
/// write for themselves.
@Suite("Rules for what is ignored")
struct IgnoreRulesTests {
  // MARK: As git has it

  private static let names = [
    "a", "b", "ab", "a.b", "foo", "Foo", "foo.o", "foo1", "#x", "!y", "x y", "a[b]", "é", " lead",
    "-", "*", "a\\b", "c]d", "bar", "z ",
  ]

  private static let pieces = [
    "a", "b", "foo", "bar", ".o", "*", "**", "?", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^f]",
    "[a-f]", "[]x]", "[[:alpha:]]", "[[:digit:]]", "[[:nope:]]", "[a", "\\*", "\\", "\\!", "\\#",
    "!", "#", " ", "\\ ", "é", "x y", "[a\\]]", "[b-]", "-", "]", "[a-", "***",
  ]

  /// Items in the order of their paths, with the folders above them.
  private static func tree(_ random: inout SeededGenerator) -> [(path: [String], isFolder: Bool)] {
    var items: [(path: [String], isFolder: Bool)] = []
    func add(below path: [String]) {
      for name in names.shuffled(using: &random).prefix(5) {
        let isFolder = path.count < 3 && Bool.random(using: &random)
        items.append((path + [name], isFolder))
        if isFolder { add(below: path + [name]) }
      }
    }
    add(below: [])
    return items
  }

  private static func list(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...5, using: &random)).map { _ in
      let start = Int.random(in: 0..<4, using: &random) == 0 ? "!" : ""
      return start
        + (0..<Int.random(in: 1...4, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined() + (Int.random(in: 0..<5, using: &random) == 0 ? "\r" : "")
    }.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
  }

  @Test("Random lists ignore what git ignores", arguments: 0..<40)
  func asGit(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let scratch = try ScratchFolder(isInMemory: true)
    let git = ["-c", "core.excludesFile=/dev/null", "-c", "core.quotePath=false"]
    #expect(try Command.run("git", ["init", "-q"], in: scratch.url).exitCode == 0)
    let items = Self.tree(&random)
    for (path, isFolder) in items {
      let place = scratch[path.joined(separator: "/")]
      if isFolder {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      } else {
        try scratch.write("", to: path.joined(separator: "/"))
      }
    }
    let folders = items.filter { $0.isFolder && $0.path.count < 3 }.map(\.path).prefix(2)
    for folder in [[]] + folders {
      let list = Self.list(&random)
      for name in [".gitignore", IgnoreRules.fileName] {
        try scratch.write(list, to: (folder + [name]).joined(separator: "/"))
      }
    }
    let paths = items.map { $0.path.joined(separator: "/") }
    let answer = try Command.run(
      "git", git + ["check-ignore", "--no-index", "-z", "--stdin"], in: scratch.url,
      input: paths.joined(separator: "\0"))
    let wanted = Set(answer.output.split(separator: "\0").map(String.init))
    let found = try ignored(items, in: scratch.url)
    for path in paths where found.contains(path) != wanted.contains(path) {
      Issue.record(
        """
        “\(path)” of seed \(seed) is \(wanted.contains(path) ? "" : "not ")ignored by git; the lists: \
        \(try ([[]] + folders).map { try scratch.read(($0 + [".gitignore"]).joined(separator: "/")) })
        """)
    }
  }

  /// Returns the items that the lists in a folder ignore, found from the top down.
  private func ignored(
    _ items: [(path: [String], isFolder: Bool)], in folder: URL
  ) throws -> Set<String> {
    let top = try IgnoreRules(listsIn: FilePath(folder.path))
    var rules: [[String]: IgnoreRules] = [[]: top]
    var found: Set<String> = []
    for (path, isFolder) in items {
      let outer = Array(path.dropLast())
      let name = Array((path.last ?? "").utf8)
      guard !found.contains(outer.joined(separator: "/")), let above = rules[outer] else {
        found.insert(path.joined(separator: "/"))
        continue
      }
      if above.rule(for: [name], isFolder: isFolder) != nil {
        found.insert(path.joined(separator: "/"))
      } else if isFolder {
        rules[path] = try above.entering(name)
      }
    }
    return found
  }

  @Test("A pattern that would take for ever elsewhere does not")
  func manyStars() throws {
    let scratch = try ScratchFolder()
    try scratch.write(String(repeating: "**/a*", count: 40) + "x\n", to: IgnoreRules.fileName)
    let rules = try IgnoreRules(.members, in: FilePath(scratch.url.path))
    let path = [[UInt8]](repeating: [UInt8](repeating: 97, count: 40), count: 40)
    #expect(rules.rule(for: path, isFolder: false) == nil)
  }

  @Test("A link and a folder are no lists; one that can't be read is an error")
  func odd() throws {
    let place = try Place()
    try place.write("*.log", to: "list")
    try place.makeLink(IgnoreRules.fileName, to: "list")
    let name = Array("a.log".utf8)
    #expect(try IgnoreRules(.members, in: place.root).rule(for: [name], isFolder: false) == nil)
    try place.write("", to: "sub/\(IgnoreRules.fileName)/x")
    #expect(try IgnoreRules(.members, in: place["sub"]).rule(for: [name], isFolder: false) == nil)
    try place.write(String(repeating: "a", count: 2 << 20), to: "big/\(IgnoreRules.fileName)")
    expectFileError(.tooLarge) { _ = try IgnoreRules(.members, in: place["big"]) }
  }

  // MARK: The standard rules

  private static let ownFiles = [
    ".#n.md", "#n.md#", "n.md~", "n.md.~1~", ".n.md.swp", ".n.md.swo", ".~lock.n.odt#", "~$n.docx",
    ".DS_Store", "._n.md", "Thumbs.db", "desktop.ini", ".nfs000000000012ab3f", ".fuse_hidden0001",
    "n.md___jb_old___", ".syncthing.n.md.tmp", "~syncthing~n.md.tmp", ".n.md.icloud",
    "n.md.nextcloud", "n.md.owncloud", ".goutputstream-XYZ12", "n.md.sb-1a2b3c4d-XyZ123",
    ".ds_store", "n.md.filepart", "n.md.1a2b3c4d.partial", "photothumb.db", "n.md.!sync",
    ".unison.n.md.5f2b.unison.tmp", "n.md.ffs_tmp", "sync.ffs_db", "sync.ffs_lock", "~WRL0003.tmp",
    "n.gnucash.tmp-Xy12Zw", "n.md.crswap",
  ]

  @Test("What programs write for themselves is no member and no document", arguments: ownFiles)
  func own(name: String) throws {
    let scratch = try ScratchFolder()
    for purpose in [IgnoreRules.Purpose.members, .documents] {
      let rules = try IgnoreRules(purpose, in: FilePath(scratch.url.path))
      #expect(rules.rule(for: [Array(name.utf8)], isFolder: false) != nil)
      #expect(rules.rule(for: [[120], Array(name.utf8)], isFolder: false) != nil)
    }
    #expect(IgnoreRules.isPutAside(Array(name.utf8)))
    // A list can still make it a member.
    try scratch.write("!\(name.replacing("#", with: "\\#"))\n", to: IgnoreRules.fileName)
    let rules = try IgnoreRules(.members, in: FilePath(scratch.url.path))
    #expect(rules.rule(for: [Array(name.utf8)], isFolder: false) == nil)
  }

  @Test("The icon of a folder, whose name ends with a line end, is no member and no document")
  func icon() throws {
    let scratch = try ScratchFolder()
    for purpose in [IgnoreRules.Purpose.members, .documents] {
      let rules = try IgnoreRules(purpose, in: FilePath(scratch.url.path))
      #expect(rules.rule(for: [Array("Icon\r".utf8)], isFolder: false) != nil)
      #expect(rules.rule(for: [Array("Icon".utf8)], isFolder: false) == nil)
    }
  }

  @Test(
    "What may be part of a document is a member",
    arguments: [
      "n.md", ".hidden", "Podfile.lock", "n.bak", "n.tmp", "n.orig", "a#b", "1.md", ".git",
      "Index/Document.iwa", "old", "n.old", ".swift", "n.part", "node_modules", "Icon", "Icons",
      "n.partial", "n.1a2b3c4.partial", "n.aria2",
    ])
  func members(name: String) throws {
    let scratch = try ScratchFolder()
    let rules = try IgnoreRules(.members, in: FilePath(scratch.url.path))
    let path = name.split(separator: "/").map { Array($0.utf8) }
    #expect(rules.rule(for: path, isFolder: false) == nil)
  }

  @Test(
    "Backups are no new documents, with a number, too",
    arguments: [
      "n.bak", "n.bak12", "n.md.save.1", "n.md.tmp.12345", "Backup of n.cdr", ".hidden",
      "n.md.partial", "n.md.opdownload", "n.md.aria2",
    ])
  func backups(name: String) throws {
    let scratch = try ScratchFolder()
    let rules = try IgnoreRules(.documents, in: FilePath(scratch.url.path))
    #expect(rules.rule(for: [Array(name.utf8)], isFolder: false) != nil)
    #expect(IgnoreRules.isPutAside(Array(name.utf8)) == (name != ".hidden"))
  }
}

extension IgnoreRules {
  /// The lists alone, without the standard rules.
  fileprivate init(listsIn folder: FilePath) throws {
    self.init(standard: [], in: folder)
    try addList()
  }
}
