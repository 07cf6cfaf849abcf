import Foundation

/// A map of the types, their sizes, and the folders that name other folders' types.
///
/// It reads only text: a name counts as an edge if exactly one file declares it as a top-level type.
struct SourceMap {
  struct File {
    /// The path below `Sources`.
    let path: String
    let text: SourceText

    var target: String { String(path.prefix { $0 != "/" }) }

    /// The folder directly in the target's, such as `DocumentStore/Model`; the target for a file outside
    /// folders.
    var room: String {
      let parts = path.split(separator: "/")
      return parts.count > 2 ? parts.prefix(2).joined(separator: "/") : target
    }
  }

  /// A room that names types of another one.
  struct Edge: Hashable {
    let from: String
    let to: String
  }

  let files: [File]
  /// The lines of each type over all its files and extensions, by target and name: `DocumentStore.Record`.
  private(set) var sizes: [String: Int] = [:]
  /// The names that make each edge.
  private(set) var edges: [Edge: Set<String>] = [:]

  /// The map of this project.
  static let project = Result { try SourceMap() }

  private init() throws {
    let sources = Project.root.appending(path: "Sources").resolvingSymlinksInPath()
    files = try Project.swiftFiles().map { file, _ in
      File(
        path: String(file.path.dropFirst(sources.path.count + 1)),
        text: SourceText(try String(contentsOf: file, encoding: .utf8)))
    }
    measure()
  }

  /// Makes a map of files by their paths below `Sources`.
  init(_ texts: [String: String]) {
    files = texts.map { File(path: $0.key, text: SourceText($0.value)) }
    measure()
  }

  private mutating func measure() {
    var owners: [String: Set<Int>] = [:]
    for (number, file) in files.enumerated() {
      for (declaration, length) in Self.typesAtTopLevel(of: file.text) {
        let name = String(declaration.name.prefix { $0 != "." })
        sizes["\(file.target).\(name)", default: 0] += length
        if declaration.keyword != "extension" { owners[name, default: []].insert(number) }
      }
    }
    for file in files {
      for name in file.text.capitalizedNames {
        guard let owner = owners[name], owner.count == 1, let number = owner.first,
          case let room = files[number].room, room != file.room
        else { continue }
        edges[Edge(from: file.room, to: room), default: []].insert(name)
      }
    }
  }

  /// Returns the types and extensions that begin a line, and their numbers of lines.
  private static func typesAtTopLevel(
    of text: SourceText
  ) -> [(declaration: Declaration, lines: Int)] {
    var found: [(declaration: Declaration, lines: Int)] = []
    var current: (declaration: Declaration, first: Int, depth: Int, isOpen: Bool)?
    for (number, line) in text.lines.enumerated() {
      if current == nil, let first = line.first, !first.isWhitespace,
        let declaration = Declaration(line), declaration.isType
      {
        current = (declaration, number, 0, false)
      }
      guard var open = current else { continue }
      for byte in line.utf8 {
        if byte == UInt8(ascii: "{") {
          open.depth += 1
          open.isOpen = true
        } else if byte == UInt8(ascii: "}") {
          open.depth -= 1
        }
      }
      current = open
      if open.isOpen, open.depth <= 0 {
        found.append((open.declaration, number - open.first + 1))
        current = nil
      }
    }
    return found
  }

  // MARK: Circles

  /// Returns the rooms of a target that depend on one another in a circle; edges of other targets don't
  /// count.
  func circles(in target: String) -> [[String]] {
    let isOwn = { (room: String) in room == target || room.hasPrefix("\(target)/") }
    let graph = Dictionary(grouping: edges.keys.filter { isOwn($0.from) && isOwn($0.to) }) {
      $0.from
    }.mapValues { Set($0.map(\.to)) }
    var circles: Set<[String]> = []
    for room in graph.keys {
      let reached = Self.reachable(from: room, in: graph)
      guard reached.contains(room) else { continue }
      circles.insert(
        reached.filter { Self.reachable(from: $0, in: graph).contains(room) }.sorted())
    }
    return circles.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func reachable(from room: String, in graph: [String: Set<String>]) -> Set<String> {
    var found: Set<String> = []
    var pending = Array(graph[room] ?? [])
    while let next = pending.popLast() {
      if found.insert(next).inserted { pending += graph[next] ?? [] }
    }
    return found
  }

  /// Returns the names that make the edges among some rooms, for the message of a failure.
  func description(of rooms: [String]) -> String {
    edges.filter { rooms.contains($0.key.from) && rooms.contains($0.key.to) }
      .map { "\($0.key.from) → \($0.key.to): \($0.value.sorted().joined(separator: ", "))" }
      .sorted().joined(separator: "\n")
  }
}
