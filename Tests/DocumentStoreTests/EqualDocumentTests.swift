import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Documents with the same contents that are moved together outside docversions.
struct EqualDocumentTests {
  private let files = FileManager.default

  /// The ways to move a file.
  enum Way: CaseIterable {
    /// The file is renamed.
    case renamed
    /// A new file is written before or after the old one is removed.
    case writtenBefore, writtenAfter
    /// Any file with the same bytes is moved, as some tools do.
    case mixed
  }

  /// Creates documents with few different contents, each with a note that identifies it.
  private static func makeDocuments(
    on desk: Device, _ random: inout SeededGenerator
  ) throws -> [String] {
    var documents: [String] = []
    for folder in ["a", "a/b", "a/b/c", "a/d", "a/d/c", "a/e"] {
      for name in ["index.md", "log.md", "x.md", "y.md"]
      where Int.random(in: 0..<4, using: &random) > 0 {
        let path = "\(folder)/\(name)"
        let text = ["", "template\n", "other\n"].randomElement(using: &random) ?? ""
        try desk.save(text, as: path, note: path)
        documents.append(path)
      }
    }
    return documents
  }

  private func move(_ path: String, to place: String, by way: Way, on desk: Device) throws {
    try files.createDirectory(
      at: desk[place].deletingLastPathComponent(), withIntermediateDirectories: true)
    let text = try desk.read(path)
    switch way {
    case .renamed, .mixed: try files.moveItem(at: desk[path], to: desk[place])
    case .writtenBefore:
      try desk.write(text, to: place)
      try files.removeItem(at: desk[path])
    case .writtenAfter:
      try files.removeItem(at: desk[path])
      try desk.write(text, to: place)
    }
  }

  @Test(
    "Of a folder that is moved, each document has its versions at its new place",
    arguments: Way.allCases, 1...TestMode.pick(short: 2, full: 8))
  func moved(way: Way, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var desk = try Device()
    try desk.store.makeContainer(desk.container)
    let documents = try Self.makeDocuments(on: desk, &random)
    desk.store.environment.leavesOpenMoves = true
    let target = ["z", "deep/er", "q/a2"].randomElement(using: &random) ?? "z"
    let places = Dictionary(
      uniqueKeysWithValues: documents.map { ($0, target + $0.dropFirst("a".count)) })
    var sources = documents
    if way == .mixed {
      let texts = try documents.map { try desk.read($0) }
      var left = Dictionary(grouping: documents.indices.shuffled(using: &random)) { texts[$0] }
      sources = texts.map { left[$0]?.popLast().map { documents[$0] } ?? "" }
    }
    let isTogether = way == .mixed || Bool.random(using: &random)
    for (source, document) in zip(sources, documents).shuffled(using: &random) {
      let place = try #require(places[document])
      try move(source, to: place, by: way, on: desk)
      guard !isTogether, Bool.random(using: &random) else { continue }
      try expect(
        documents.filter { !files.fileExists(atPath: desk[$0].path) }, at: places, on: desk)
      if Bool.random(using: &random) { try desk.store.save(desk[place]) }
    }
    try expect(documents, at: places, on: desk)
    var rest = places.values.sorted().shuffled(using: &random)[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...documents.count, using: &random))
      for outcome in desk.store.saveEach(part.map { desk[$0] }) { _ = try outcome.get() }
      rest = rest.dropFirst(part.count)
    }
    for document in documents {
      let place = try #require(places[document])
      #expect(try desk.history(place).versions.last?.note == document, "seed \(seed)")
      #expect(try !desk.store.hasStore(desk[document]), "seed \(seed)")
    }
  }

  /// Expects that the documents that weren't saved since are found at their present paths.
  private func expect(
    _ documents: [String], at places: [String: String], on desk: Device
  ) throws {
    let missing = documents.map { desk[$0] }.filter { (try? desk.store.hasStore($0)) == true }
    let moves = try desk.store.moves(of: missing)
    #expect(moves.open.isEmpty)
    for document in documents where missing.contains(desk[document]) {
      #expect(moves.places[desk[document]]?.path == places[document].map { desk[$0].path })
    }
  }

  @Test("Where nothing says which of several documents a file is, none has moved")
  func open() throws {
    var desk = try Device()
    try desk.store.makeContainer(desk.container)
    for name in ["a/one.md", "a/two.md", "a/stays.md"] { try desk.save("text", as: name) }
    desk.store.environment.leavesOpenMoves = true
    for name in ["a/one.md", "a/two.md"] { try files.removeItem(at: desk[name]) }
    try desk.write("text", to: "b/three.md")
    let missing = [desk["a/one.md"], desk["a/two.md"]]
    var moves = try desk.store.moves(of: missing)
    #expect(moves.places.isEmpty)
    #expect(moves.open == Set(missing))
    #expect(throws: OpenMove.self) { try desk.store.save(desk["b/three.md"]) }
    try desk.write("text", to: "b/one.md")
    moves = try desk.store.moves(of: missing)
    #expect(moves.places[missing[0]]?.path == desk["b/one.md"].path)
    #expect(moves.places[missing[1]]?.path == desk["b/three.md"].path)
  }

  @Test("A file that may be on its way from where an equal document stands is not another one")
  func onItsWay() throws {
    let desk = try Device()
    try desk.store.makeContainer(desk.container)
    for name in ["a/one.md", "a/two.md"] { try desk.save("text", as: name) }
    try desk.write("text", to: "b/two.md")
    try files.removeItem(at: desk["a/one.md"])
    let moves = try desk.store.moves(of: [desk["a/one.md"]])
    #expect(moves.places.isEmpty)
    #expect(moves.open == [desk["a/one.md"]])
  }
}
