import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// An operation on a document that a power cut may interrupt.
struct CutOperation: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    /// The program, in the folder of the desk.
    case run([String])
    /// A person writes into a file.
    case edit(String, String)
  }

  let name: String
  /// The paths that the document may have before or after.
  let documents: [String]
  let steps: [Step]
  /// True if the store is damaged before; then only the result of the repair counts.
  var isRepair = false
  /// True if some documents may have the new state while others still have the old one.
  var isOneByOne = false
  /// Prepares the operation, and returns further arguments of its first command.
  let prepare: @Sendable (CutDesk) throws -> [String]

  var testDescription: String { name }

  init(
    _ name: String, _ line: String, documents: [String] = ["desk/trip.md"], then: [Step] = [],
    isRepair: Bool = false, isOneByOne: Bool = false,
    prepare: @escaping @Sendable (CutDesk) throws -> [String]
  ) {
    self.name = name
    self.documents = documents
    steps = [.run(line.split(separator: " ").map(String.init))] + then
    self.isRepair = isRepair
    self.isOneByOne = isOneByOne
    self.prepare = prepare
  }

  static var all: [CutOperation] { short + others + withoutStores }

  /// The operations for everyday changes.
  static let short = [
    CutOperation("save", "save desk/trip.md") { desk in
      try desk.save("one\n")
      return try desk.write("two\n")
    },
    CutOperation("restore", "restore desk/trip.md") { desk in
      let first = try desk.save("one\n")
      try desk.save("two\n")
      return [first.id.description]
    },
    CutOperation("resolve", "resolve --merge desk/trip.md") { try $0.makeConflict() },
  ]

  /// The models for everyday changes: all of them with a save, and each with one further operation.
  var shortModels: [CutModel] {
    switch name {
    case "restore": [.journal, .namesOnly]
    case "resolve": [.strict, .namesThenZeros]
    default: CutModel.short
    }
  }

  private static let others = [
    CutOperation("first save", "save desk/trip.md") { try $0.write("one\n") },
    CutOperation("first saves together", "save --all desk", documents: notes) { desk in
      for note in notes { _ = try desk.write("\(note)\n", to: note) }
      return []
    },
    CutOperation("save of what rests on the shelf", "save desk/trip.md") { desk in
      try desk.shelved()
      return try desk.write("two\n")
    },
    CutOperation("save of what is last on the shelf", "save desk/trip.md") { desk in
      try desk.shelved()
      for note in notes { try desk.save("edited\n", at: note) }
      return try desk.write("two\n")
    },
    CutOperation(
      "two saves", "save desk/trip.md",
      then: [.edit("desk/trip.md", "two\n"), .run(["save", "desk/trip.md"])]
    ) { try $0.write("one\n") },
    CutOperation("save of a package", "save \(package)", documents: [package]) { desk in
      _ = try desk.savePackage()
      _ = try desk.write("second page, edited\n", to: "\(package)/pages/2.txt")
      return try desk.write("a new page\n", to: "\(package)/pages/9.txt")
    },
    CutOperation("restore of a package", "restore \(package)", documents: [package]) { desk in
      let first = try desk.savePackage()
      _ = try desk.write("second page, edited\n", to: "\(package)/pages/2.txt")
      try desk.save(at: package)
      return [first.id.description]
    },
    CutOperation("restore over an edit", "restore desk/trip.md") { desk in
      let first = try desk.save("one\n")
      try desk.save("two\n")
      _ = try desk.write("an edit\n")
      return [first.id.description]
    },
    CutOperation("remove", "remove desk/trip.md") { desk in
      let versions = try ["one\n", "two\n", "three\n"].map { try desk.save($0) }
      return [versions[1].id.description]
    },
    CutOperation(
      "rename", "rename desk/trip.md plan.md", documents: ["desk/trip.md", "desk/plan.md"]
    ) { desk in
      try desk.save("one\n")
      return []
    },
    CutOperation("delete", "delete desk/trip.md") { desk in
      try desk.save("one\n")
      try desk.save("two\n")
      return []
    },
    CutOperation("exchange that sends", "exchange cloud desk") { desk in
      try desk.save("one\n")
      try desk.save("two\n")
      return []
    },
    CutOperation("exchange that receives", "exchange cloud desk") { desk in
      try desk.save("one\n")
      try desk.exchange()
      try desk.save("two\n", at: "tom/trip.md")
      try desk.exchange("tom")
      return []
    },
    CutOperation(
      "exchange that receives many documents", "exchange cloud desk",
      documents: ["desk/trip.md"] + (1...9).map { "desk/\($0)/note.md" }, isOneByOne: true
    ) { desk in
      try desk.save("one\n")
      try desk.makeContainer("tom")
      for number in 1...9 { try desk.save("note \(number)\n", at: "tom/\(number)/note.md") }
      try desk.exchange("tom")
      return []
    },
    CutOperation("exchange into a conflict", "exchange cloud desk") { desk in
      try desk.save("one\n")
      try desk.exchange()
      try desk.save("two\n", at: "tom/trip.md")
      try desk.exchange("tom")
      try desk.save("three\n")
      return []
    },
    CutOperation("save of a large document", "save desk/trip.md") { desk in
      try desk.save(largeText(0))
      return try desk.write(largeText(1))
    },
    CutOperation("save that folds packs", "save desk/trip.md") { desk in
      for number in 1...6 { try desk.save("\(number)\n") }
      let store = desk.root.appending(path: "desk/.docversions/documents/trip.md.git")
      try GitPacks.scatter(store)
      try #require(try GitPacks.names(in: store).count > 16)
      return try desk.write("one more\n")
    },
    CutOperation("collect", "collect desk/trip.md") { try $0.removedOne() },
    CutOperation("collect everything removed", "collect desk/trip.md --grace 0") {
      try $0.removedOne()
    },
    CutOperation("thin", "thin desk/trip.md --keep-last 1") { desk in
      for text in ["one\n", "two\n", "three\n"] { try desk.save(text) }
      return []
    },
    CutOperation("undelete", "undelete desk/trip.md --all") { try $0.removedOne() },
    CutOperation("repair", "doctor --repair --from cloud desk/trip.md", isRepair: true) { desk in
      for text in ["one\n", "two\n", "three\n"] { try desk.save(text) }
      try desk.exchange()
      try desk.damageStore()
      return []
    },
    CutOperation("undo of a resolution", "undo desk/trip.md") { desk in
      _ = try desk.makeConflict()
      return try desk.run(["resolve", "--merge", "desk/trip.md"])
    },
    CutOperation("undo of a removal", "undo desk/trip.md") { try $0.removedOne() },
    CutOperation("undo of a restore", "undo desk/trip.md") { desk in
      let first = try desk.save("one\n")
      try desk.save("two\n")
      return try desk.run(["restore", "desk/trip.md", first.id.description])
    },
  ]

  /// Returns a text that is stored in chunks; its two editions differ in a line in the middle.
  private static func largeText(_ edition: Int) -> String {
    (0..<25_000).map { line in
      "line \(line) of a text, \(line &* 2_654_435_761 % 1_000_003), in edition "
        + "\(line == 12_500 ? edition : 0)\n"
    }.joined()
  }

  private static let package = "desk/Trip.imagenotes"

  /// Enough documents to be saved together on the shelf.
  fileprivate static let notes = (1...8).map { "desk/n\($0).md" }
}

/// The folder in which an operation is prepared: containers of two people, and an exchange folder.
struct CutDesk {
  let scratch: ScratchFolder
  private let clock = FixedClock()
  private let mira: Device
  private let tom: Device

  init() throws {
    scratch = try ScratchFolder(isInMemory: true)
    mira = try Device("Mira", at: scratch["root/desk"], in: scratch, clock: clock)
    tom = try Device("Tom", at: scratch["root/tom"], in: scratch, clock: clock)
  }

  var root: URL { scratch["root"] }
  /// A repository elsewhere, where no power cut reaches it.
  var remote: URL { CutProgram.remote(of: root) }

  /// Writes a file.
  ///
  /// - Returns: no arguments; no command needs one because of it.
  func write(_ text: String, to path: String = "desk/trip.md") throws -> [String] {
    try scratch.write(text, to: "root/\(path)")
    return []
  }

  @discardableResult
  func save(_ text: String, at path: String = "desk/trip.md", base: FileVersion? = nil) throws
    -> FileVersion
  {
    _ = try write(text, to: path)
    return try save(at: path, base: base)
  }

  @discardableResult
  func save(at path: String, base: FileVersion? = nil) throws -> FileVersion {
    try store(path).save(root.appending(path: path), base: base).version
  }

  func savePackage() throws -> FileVersion {
    for page in 1...3 {
      _ = try write("page \(page)\n", to: "desk/Trip.imagenotes/pages/\(page).txt")
    }
    _ = try write("a picture", to: "desk/Trip.imagenotes/images/1.png")
    return try save(at: "desk/Trip.imagenotes")
  }

  func makeConflict() throws -> [String] {
    let lines = (1...9).map { "line \($0)\n" }
    func text(_ number: Int) -> String {
      lines.enumerated().map { $0 + 1 == number ? "edited\n" : $1 }.joined()
    }
    let base = try save(text(0))
    try save(text(2))
    try save(text(8), base: base)
    return []
  }

  /// Saves three versions and removes one.
  func removedOne() throws -> [String] {
    let versions = try ["one\n", "two\n", "three\n"].map { try save($0) }
    return try run(["remove", "desk/trip.md", versions[0].id.description])
  }

  /// Saves the first versions of many documents together.
  func shelved() throws {
    for note in CutOperation.notes { _ = try write("\(note)\n", to: note) }
    _ = try write("one\n")
    _ = try run(["save", "--all", "desk"])
  }

  /// Runs a command, which must succeed.
  ///
  /// - Returns: no arguments; no command needs one because of it.
  func run(_ arguments: [String]) throws -> [String] {
    let result = try CutProgram.run(arguments, in: root)
    try #require(result.exitCode == 0, "\(arguments): \(result.errorOutput)")
    return []
  }

  /// Removes the reference to the current version, and flips a bit in the largest pack.
  func damageStore() throws {
    let store = root.appending(path: "desk/.docversions/documents/trip.md.git")
    try FileManager.default.removeItem(at: store.appending(path: "refs/heads/main"))
    let folder = store.appending(path: "objects/pack")
    let packs = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".pack") }
      .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    let (name, contents) = try #require(packs.max { $0.1.count < $1.1.count })
    var bytes = contents
    bytes[bytes.count / 2] ^= 1
    let pack = folder.appending(path: name)
    try FileManager.default.removeItem(at: pack)
    try bytes.write(to: pack)
  }

  /// Makes a folder a container.
  func makeContainer(_ person: String) throws {
    try store(person).makeContainer(root.appending(path: person))
  }

  func exchange(_ person: String = "desk") throws {
    for _ in 0..<2 {
      for name in [person, person == "desk" ? "tom" : person] {
        try store(name).exchange(
          root.appending(path: name), through: root.appending(path: "cloud"))
      }
    }
  }

  func store(_ path: String) -> SynchronousStore {
    clock.advance(bySeconds: 60)
    return (path.hasPrefix("tom") ? tom : mira).store
  }
}
