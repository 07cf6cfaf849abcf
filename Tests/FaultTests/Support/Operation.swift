internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// One thing that a person does with the program, on a bed prepared for it.
struct Operation: Sendable, CustomTestStringConvertible {
  let name: String
  /// The documents that it works on.
  var documents = [DocumentNames("trip.md")]
  /// The program's arguments, which may name versions of the prepared bed.
  let arguments: @Sendable (FaultBed) throws -> [String]
  /// Makes the bed, without faults.
  let prepare: @Sendable (FaultBed) throws -> Void
  /// The folder through which devices exchange, if the operation involves one.
  var exchangeFolder: String?
  /// True if the store is damaged before; then only the result of repeating the operation counts.
  var isRepair = false
  /// True if its documents rest afterward; if one call fails, they may get stores instead.
  var letsRest = false

  var testDescription: String { name }

  init(
    _ name: String, documents: [DocumentNames] = [DocumentNames("trip.md")],
    exchangeFolder: String? = nil, letsRest: Bool = false, _ arguments: [String],
    prepare: @escaping @Sendable (FaultBed) throws -> Void
  ) {
    self.init(
      name, documents: documents, exchangeFolder: exchangeFolder, arguments: { _ in arguments },
      prepare: prepare)
    self.letsRest = letsRest
  }

  init(
    _ name: String, documents: [DocumentNames] = [DocumentNames("trip.md")],
    exchangeFolder: String? = nil, arguments: @escaping @Sendable (FaultBed) throws -> [String],
    prepare: @escaping @Sendable (FaultBed) throws -> Void
  ) {
    self.name = name
    self.documents = documents
    self.exchangeFolder = exchangeFolder
    self.arguments = arguments
    self.prepare = prepare
  }
}

extension Operation {
  /// The operations to test: all, in the short mode those on documents with stores, or those that
  /// `DOCVERSIONS_FAULT_OPERATION` names, separated by semicolons.
  static let tried: [Operation] = {
    guard let list = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULT_OPERATION"] else {
      return TestMode.pick(short: withStores, full: all)
    }
    let names = list.split(separator: ";").map(String.init)
    return all.filter { names.contains($0.name) }
  }()

  static let all = withStores + withoutStores

  /// Every operation that changes something; a new one is a new line.
  private static let withStores: [Operation] = [
    Operation("first save", ["save", "trip.md"]) { try $0.write("a tent\n", to: "trip.md") },
    Operation(
      "first saves together", documents: FaultBed.many.map { DocumentNames($0) }, letsRest: true,
      ["save"] + FaultBed.many
    ) { try $0.writeMany() },
    Operation("save what rests on the shelf", ["save", "trip.md"]) {
      try $0.writeMany()
      try $0.expect(["save"] + FaultBed.many, minute: 1)
      try $0.write("a boat\n", to: "trip.md", minute: 2)
    },
    save,
    Operation("save a package", documents: [DocumentNames("trip.pkg")], ["save", "trip.pkg"]) {
      try $0.savedPackage()
      try $0.editPackage()
    },
    Operation("resolve --latest", ["resolve", "--latest", "trip.md"]) { try $0.conflict() },
    Operation("resolve --merge", ["resolve", "--merge", "trip.md"]) { try $0.conflict() },
    Operation("restore", arguments: { ["restore", "trip.md", try $0.oldest("trip.md")] }) {
      try $0.twoVersions()
    },
    Operation(
      "restore over unsaved edits", arguments: { ["restore", "trip.md", try $0.oldest("trip.md")] }
    ) {
      try $0.twoVersions()
      try $0.write("a raft\n", to: "trip.md", minute: 3)
    },
    Operation(
      "restore a package", documents: [DocumentNames("trip.pkg")],
      arguments: { ["restore", "trip.pkg", try $0.oldest("trip.pkg")] }
    ) {
      try $0.savedPackage()
      try $0.editPackage()
      try $0.expect(["save", "trip.pkg"], minute: 2)
    },
    Operation(
      "restore a member", documents: [DocumentNames("trip.pkg")],
      arguments: { ["restore", "trip.pkg", "\(try $0.oldest("trip.pkg")):old.md"] }
    ) {
      try $0.savedPackage()
      try $0.editPackage()
    },
    Operation(
      "restore one file of a package", documents: [DocumentNames("trip.pkg")],
      arguments: { ["restore", "trip.pkg", try $0.oldest("trip.pkg")] }
    ) {
      try $0.savedPackage()
      try $0.save("another photo\n", as: "trip.pkg", "photos/1.png", minute: 2)
    },
    Operation(
      "restore a package without a new file", documents: [DocumentNames("trip.pkg")],
      arguments: { ["restore", "trip.pkg", try $0.oldest("trip.pkg")] }
    ) {
      try $0.savedPackage()
      try $0.save("a new photo\n", as: "trip.pkg", "photos/3.png", minute: 2)
    },
    Operation(
      "restore elsewhere",
      arguments: { ["restore", "trip.md", try $0.oldest("trip.md"), "--to", "old.md", "--force"] }
    ) { try $0.twoVersions() },
    Operation("remove", arguments: { ["remove", "trip.md", try $0.oldest("trip.md")] }) {
      try $0.threeVersions()
    },
    Operation("remove --others", ["remove", "trip.md", "--others"]) { try $0.threeVersions() },
    Operation("mark-resolved", ["mark-resolved", "trip.md", "conflict/1"]) { try $0.conflict() },
    Operation(
      "rename", documents: [DocumentNames("trip.md", "plan.md")], ["rename", "trip.md", "plan.md"]
    ) { try $0.twoVersions() },
    Operation(
      "save a renamed document", documents: [DocumentNames("trip.md", "plan.md")],
      ["save", "plan.md"]
    ) {
      try $0.twoVersions()
      try FileManager.default.moveItem(at: $0["trip.md"], to: $0["plan.md"])
    },
    Operation("delete", ["delete", "trip.md"]) { try $0.twoVersions() },
    Operation("exchange, the first", exchangeFolder: "cloud", ["exchange", "../cloud"]) {
      try $0.twoVersions()
    },
    Operation("exchange, sending", exchangeFolder: "cloud", ["exchange", "../cloud"]) {
      try $0.twoVersions()
      try $0.expect(["exchange", "../cloud"], minute: 3)
      try $0.save("a raft\n", as: "trip.md", minute: 4)
    },
    Operation("exchange, receiving", exchangeFolder: "cloud", ["exchange", "../cloud"]) {
      try $0.metOnce()
      try $0.save("a tent\na boat\n", as: "trip.md", minute: 5, as: "tom")
      try $0.leave("tom")
    },
    Operation(
      "exchange, receiving a rename", documents: [DocumentNames("trip.md", "plan.md")],
      exchangeFolder: "cloud", ["exchange", "../cloud"]
    ) { try $0.renameArrives() },
    Operation("exchange, a deletion arrives", exchangeFolder: "cloud", ["exchange", "../cloud"]) {
      try $0.deletionArrives()
    },
    Operation(
      "exchange, a renamed document is new", documents: [DocumentNames("list.md", "plan.md")],
      exchangeFolder: "cloud", ["exchange", "../cloud"]
    ) {
      try $0.metOnce()
      try $0.save("a boat\n", as: "list.md", minute: 4, as: "tom")
      try $0.expect(["exchange", "../cloud"], minute: 4, as: "tom")
      try $0.expect(["rename", "list.md", "plan.md"], minute: 5, as: "tom")
      try $0.save("a raft\n", as: "trip.md", minute: 6, as: "tom")
      try $0.leave("tom")
    },
    Operation(
      "exchange, a new name meets an edit", documents: [DocumentNames("trip.md", "plan.md")],
      exchangeFolder: "cloud", ["exchange", "../cloud"]
    ) {
      try $0.metOnce()
      try $0.save("a big tent\n", as: "trip.md", minute: 5)
      try $0.expect(["rename", "trip.md", "plan.md"], minute: 6, as: "tom")
      try $0.leave("tom")
    },
    Operation("exchange, what began apart", exchangeFolder: "cloud", ["exchange", "../cloud"]) {
      try $0.beginApart()
    },
    Operation(
      "sync, receiving a rename", documents: [DocumentNames("trip.md", "plan.md")],
      exchangeFolder: "cloud", ["sync"]
    ) {
      try $0.renameArrives()
      try $0.addRemote()
    },
    Operation("sync, a deletion arrives", exchangeFolder: "cloud", ["sync"]) {
      try $0.deletionArrives()
      try $0.addRemote()
    },
    Operation("sync, what began apart", exchangeFolder: "cloud", ["sync"]) {
      try $0.beginApart()
      try $0.addRemote()
    },
    Operation("exchange, a conflict", exchangeFolder: "cloud", ["exchange", "../cloud"]) {
      try $0.metOnce()
      try $0.save("a tent\na boat\n", as: "trip.md", minute: 5, as: "tom")
      try $0.save("a big tent\n", as: "trip.md", minute: 6)
      try $0.leave("tom")
    },
    Operation("import-copies", ["import-copies", "--any-name", "trip.md", "copy.md"]) {
      try $0.twoVersions()
      try $0.write("a raft\n", to: "copy.md", minute: 3)
    },
    Operation("adopt", ["adopt", "--merge", "."]) {
      try $0.twoVersions()
      try $0.write("a tent\na map\na rope\n", to: "trip.md", minute: 3)
      try $0.write(
        "a boat\na tent\na map\n", to: "trip (conflicted copy Tom 2026-11-20 101112).md", minute: 3)
    },
    Operation("watch --once", ["watch", "--once"]) {
      try $0.twoVersions()
      try $0.write("a tent\na map\na rope\n", to: "trip.md", minute: 3)
    },
    Operation("watch --once with a copy", ["watch", "--once"]) {
      try $0.twoVersions()
      try $0.write("a tent\na map\na rope\n", to: "trip.md", minute: 3)
      try $0.write(
        "a boat\na tent\na map\n", to: "trip (conflicted copy Tom 2026-11-20 101112).md", minute: 3)
    },
    Operation("watch --once, sending", exchangeFolder: "cloud", ["watch", "--once"]) {
      try $0.twoVersions()
      try $0.expect(["exchange", "../cloud"], minute: 3)
      try $0.addRemote()
      try $0.write("a tent\na map\na rope\n", to: "trip.md", minute: 4)
    },
    Operation("watch --once, receiving", exchangeFolder: "cloud", ["watch", "--once"]) {
      try $0.metOnce()
      try $0.addRemote()
      try $0.save("a tent\na boat\n", as: "trip.md", minute: 5, as: "tom")
      try $0.leave("tom")
    },
    Operation("save a large document", ["save", "trip.md"]) {
      try $0.save(FaultBed.largeText(0), as: "trip.md", minute: 1)
      try $0.write(FaultBed.largeText(1), to: "trip.md", minute: 2)
    },
    Operation("save and fold packs", ["save", "trip.md"]) { try $0.oneSaveBeforeFolding() },
    Operation("collect", ["collect", "trip.md"]) { try $0.removedOne() },
    Operation("collect everything removed", ["collect", "trip.md", "--grace", "0"]) {
      try $0.removedOne()
    },
    Operation("thin", ["thin", "trip.md", "--keep-last", "1"]) { try $0.threeVersions() },
    Operation("undelete", ["undelete", "trip.md", "--all"]) { try $0.removedOne() },
    Operation("undo a resolution", ["undo", "trip.md"]) {
      try $0.conflict()
      try $0.expect(["resolve", "--merge", "trip.md"], minute: 9)
    },
    Operation("undo a removal", ["undo", "trip.md"]) { try $0.removedOne() },
    Operation("undo a restore", ["undo", "trip.md"]) {
      try $0.twoVersions()
      try $0.expect(["restore", "trip.md", try $0.oldest("trip.md")], minute: 3)
    },
    Operation("undo a restore over unsaved edits", ["undo", "trip.md"]) {
      try $0.twoVersions()
      try $0.expect(["restore", "trip.md", try $0.oldest("trip.md")], minute: 3)
      try $0.write("a raft\n", to: "trip.md", minute: 4)
    },
    Operation(
      "undo a rename", documents: [DocumentNames("trip.md", "plan.md")], ["undo", "plan.md"]
    ) {
      try $0.twoVersions()
      try $0.expect(["rename", "trip.md", "plan.md"], minute: 3)
    },
    repair,
  ]

  /// A repair of a store that has lost a reference and an object that others have.
  private static let repair: Operation = {
    var repair = Operation("repair", ["doctor", "--repair", "--from", "../cloud", "trip.md"]) {
      try $0.threeVersions()
      try $0.expect(["exchange", "../cloud"], minute: 4)
      try $0.damageStore()
    }
    repair.isRepair = true
    return repair
  }()

  /// The operation of which no call is left out.
  static let save = Operation("save", ["save", "trip.md"]) {
    try $0.twoVersions()
    try $0.write("a tent\na map\na raft\n", to: "trip.md", minute: 3)
  }
}

extension FaultBed {
  fileprivate func oldest(_ path: String) throws -> String {
    guard let id = try identifiers(of: path).last else { throw FaultError("no version") }
    return id
  }

  /// Enough documents to be saved together on the shelf.
  fileprivate static let many = ["trip.md"] + (1...8).map { "n\($0).md" }

  fileprivate func writeMany() throws {
    for name in Self.many { try write("a tent for \(name)\n", to: name) }
  }

  fileprivate func twoVersions() throws {
    try save("a tent\n", as: "trip.md", minute: 1)
    try save("a tent\na map\n", as: "trip.md", minute: 2)
  }

  fileprivate func threeVersions() throws {
    try twoVersions()
    try save("a tent\na map\na rope\n", as: "trip.md", minute: 3)
  }

  fileprivate func removedOne() throws {
    try threeVersions()
    try expect(["remove", "trip.md", try oldest("trip.md")], minute: 4)
  }

  /// Removes the reference to the current version, and flips a bit in the largest pack.
  fileprivate func damageStore() throws {
    let store = self[".docversions/documents/trip.md.git"]
    try FileManager.default.removeItem(at: store.appending(path: "refs/heads/main"))
    let folder = store.appending(path: "objects/pack")
    let packs = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".pack") }
      .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    guard let (name, contents) = packs.max(by: { $0.1.count < $1.1.count }) else {
      throw FaultError("no pack")
    }
    var bytes = contents
    bytes[bytes.count / 2] ^= 1
    let pack = folder.appending(path: name)
    try FileManager.default.removeItem(at: pack)
    try bytes.write(to: pack)
  }

  /// Creates enough packs for a save to compact them.
  fileprivate func oneSaveBeforeFolding() throws {
    for minute in 1...6 { try save("a tent, \(minute)\n", as: "trip.md", minute: minute) }
    let store = self[".docversions/documents/trip.md.git"]
    try GitPacks.scatter(store)
    guard try GitPacks.names(in: store).count > 16 else { throw FaultError("too few packs") }
    try write("a tent, at last\n", to: "trip.md", minute: 7)
  }

  /// Returns a text that is stored in chunks; its two editions differ in a line in the middle.
  fileprivate static func largeText(_ edition: Int) -> String {
    (0..<50_000).map { line in
      "line \(line) of a text, \(line &* 2_654_435_761 % 1_000_003), in edition "
        + "\(line == 25_000 ? edition : 0)\n"
    }.joined()
  }

  fileprivate func savedPackage() throws {
    for name in ["text.md", "photos/1.png", "photos/2.png", "old.md"] {
      try write("\(name) as it was\n", to: "trip.pkg/\(name)")
    }
    try expect(["save", "trip.pkg"], minute: 1)
  }

  fileprivate func save(
    _ text: String, as package: String, _ member: String, minute: Int
  ) throws {
    try write(text, to: "\(package)/\(member)", minute: minute)
    try expect(["save", package], minute: minute)
  }

  fileprivate func editPackage() throws {
    try write("text.md, edited\n", to: "trip.pkg/text.md", minute: 2)
    try write("new\n", to: "trip.pkg/photos/new/3.png", minute: 2)
    try FileManager.default.removeItem(at: self["trip.pkg/old.md"])
  }

  /// Lets both devices have the document, through the exchange folder.
  fileprivate func metOnce() throws {
    try twoVersions()
    try expect(["exchange", "../cloud"], minute: 3)
    try expect(["exchange", "../cloud"], minute: 4, as: "tom")
  }

  /// Lets a device send its versions and disappear.
  fileprivate func leave(_ person: String) throws {
    try expect(["exchange", "../cloud"], minute: 7, as: person)
    try FileManager.default.removeItem(at: root.appending(path: person))
  }

  /// Lets Tom rename the document and publish that, before Mira receives it; Tom's device stays.
  func renameIsPublished() throws {
    try metOnce()
    try expect(["rename", "trip.md", "plan.md"], minute: 5, as: "tom")
    try expect(["exchange", "../cloud"], minute: 6, as: "tom")
  }

  /// The same, after which Tom's device disappears.
  fileprivate func renameArrives() throws {
    try renameIsPublished()
    try leave("tom")
  }

  /// Lets Tom delete the shared document, after which his device disappears.
  fileprivate func deletionArrives() throws {
    try metOnce()
    try expect(["delete", "trip.md"], minute: 5, as: "tom")
    try leave("tom")
  }

  /// Lets both save the same document before they exchange, after which Tom's device disappears.
  fileprivate func beginApart() throws {
    try save("a tent\n", as: "trip.md", minute: 1)
    try save("a tent\n", as: "trip.md", minute: 2, as: "tom")
    try save("a tent\na boat\n", as: "trip.md", minute: 3, as: "tom")
    try leave("tom")
  }

  /// Adds the exchange folder as a remote.
  fileprivate func addRemote() throws {
    let cloud = root.appending(path: "cloud")
    try expect(["remote", "add", "origin", "file://\(cloud.path)"], minute: 8)
  }

  /// A conflict that merges without a question; Tom’s version is the later one.
  fileprivate func conflict() throws {
    let lines = (1...9).map { "line \($0)\n" }.joined()
    try save(lines, as: "trip.md", minute: 1)
    try expect(["exchange", "../cloud"], minute: 2)
    try expect(["exchange", "../cloud"], minute: 3, as: "tom")
    try save(lines.replacing("line 2", with: "Mira’s"), as: "trip.md", minute: 4)
    try save(lines.replacing("line 8", with: "Tom’s"), as: "trip.md", minute: 5, as: "tom")
    try leave("tom")
    try expect(["exchange", "../cloud"], minute: 8)
    try FileManager.default.removeItem(at: root.appending(path: "cloud"))
  }
}
