import Foundation

/// The changes of a program to a folder: the initial state, and every change in order.
///
/// The lines of a trace are explained in `Injector/record.c`.
struct Trace: Sendable {
  /// The folder before the first change.
  ///
  /// It contains all items, including those that get their names later.
  private(set) var start: DiskImage
  private(set) var changes: [Change] = []
  /// Each change in words.
  private(set) var words: [String] = []

  /// An error for an invalid line, or a call that the trace can't describe.
  struct Unreadable: Error {
    let line: String
  }

  /// Reads a trace.
  ///
  /// - Parameters:
  ///   - lines: the trace.
  ///   - start: the folder before it, whose items are identified by their inode numbers.
  init(_ lines: [String], from start: DiskImage) throws {
    self.start = start
    var reader = Reader(image: start)
    for line in lines {
      let change = try reader.change(line)
      words.append(reader.words(for: change, line))
      reader.image.apply(change)
      changes.append(change)
    }
    for (item, node) in reader.created { self.start.nodes[item] = node }
  }

  /// Leaves out changes.
  mutating func filterChanges(_ isKept: (Change) -> Bool) {
    let kept = zip(changes, words).filter { isKept($0.0) }
    changes = kept.map(\.0)
    words = kept.map(\.1)
  }

  /// A reader of successive lines.
  ///
  /// Inode numbers are reused when a file is gone; the numbers of items never are.
  private struct Reader {
    var image: DiskImage
    var created: [DiskImage.Item: DiskImage.Node] = [:]
    private var items: [Int: DiskImage.Item] = [:]
    private var nextItem = -1

    init(image: DiskImage) { self.image = image }

    mutating func change(_ line: String) throws -> Change {
      var words = Words(line)
      switch try words.next() {
      case "create":
        let place = try place(&words)
        return try create(&words, place) { .file([], mode: UInt32(try $0.number())) }
      case "mkdir":
        let place = try place(&words)
        return try create(&words, place) { .folder([:], mode: UInt32(try $0.number())) }
      case "symlink":
        let place = try place(&words)
        return try create(&words, place) { .link(target: try $0.text()) }
      case "link":
        let place = try place(&words)
        return .link(item(try words.number()), place)
      case "remove": return .remove(try place(&words))
      case "rename":
        let from = try place(&words)
        return .rename(try present(from, line), from: from, to: try place(&words))
      case "exchange":
        let (first, second) = (try place(&words), try place(&words))
        return .exchange(try present(first, line), first, try present(second, line), second)
      case "write":
        return .write(
          item(try words.number()), offset: try words.number(), bytes: try words.bytes())
      case "truncate": return .truncate(item(try words.number()), size: try words.number())
      case "chmod": return .setMode(item(try words.number()), UInt32(try words.number()))
      case "fsync": return .synchronize(item(try words.number()))
      case "sync": return .synchronizeAll
      case "edit": return .edit(item(try words.number()), bytes: try words.bytes())
      case "ack": return .acknowledge
      default: throw Unreadable(line: line)
      }
    }

    private func item(_ inode: Int) -> DiskImage.Item { items[inode] ?? inode }

    private mutating func place(_ words: inout Words) throws -> DiskImage.Place {
      DiskImage.Place(folder: item(try words.number()), name: try words.text())
    }

    private func present(_ place: DiskImage.Place, _ line: String) throws -> DiskImage.Item {
      guard let item = image[place] else { throw Unreadable(line: line) }
      return item
    }

    private mutating func create(
      _ words: inout Words, _ place: DiskImage.Place, _ node: (inout Words) throws -> DiskImage.Node
    ) throws -> Change {
      let item = nextItem
      nextItem -= 1
      items[try words.number()] = item
      created[item] = try node(&words)
      image.nodes[item] = created[item]
      return .create(item, place)
    }

    /// Returns a description of a change for people.
    func words(for change: Change, _ line: String) -> String {
      let verb = line.prefix { $0 != " " }
      switch change {
      case .create(_, let place), .link(_, let place), .remove(let place):
        return "\(verb) \(path(place))"
      case .rename(_, let from, let to), .exchange(_, let from, _, let to):
        return "\(verb) \(path(from)) -> \(path(to))"
      case .write(let item, let offset, let bytes):
        return "write \(path(item)), \(bytes.count) bytes at \(offset)"
      case .truncate(let item, let size): return "truncate \(path(item)) to \(size)"
      case .setMode(let item, _), .synchronize(let item), .edit(let item, _):
        return "\(verb) \(path(item))"
      case .synchronizeAll, .acknowledge: return String(verb)
      }
    }

    private func path(_ place: DiskImage.Place) -> String {
      "\(path(place.folder))/\(place.name)"
    }

    private func path(_ item: DiskImage.Item) -> String {
      guard item != image.root else { return "." }
      for case (let folder, .folder(let names, _)) in image.nodes {
        if let name = names.first(where: { $0.value == item })?.key {
          return "\(path(folder))/\(name)"
        }
      }
      return "(a file without a name)"
    }
  }

  /// The words of a line.
  private struct Words {
    private let line: String
    private var rest: [Substring]

    init(_ line: String) {
      self.line = line
      rest = line.split(separator: " ", omittingEmptySubsequences: false)[...].reversed()
    }

    mutating func next() throws -> String {
      guard let word = rest.popLast() else { throw Unreadable(line: line) }
      return String(word)
    }

    mutating func number() throws -> Int {
      guard let number = Int(try next()) else { throw Unreadable(line: line) }
      return number
    }

    mutating func bytes() throws -> [UInt8] {
      let digits = Array(try next().utf8).map(Self.value)
      guard digits.count % 2 == 0, !digits.contains(nil) else { throw Unreadable(line: line) }
      return stride(from: 0, to: digits.count, by: 2).map {
        (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)
      }
    }

    mutating func text() throws -> String {
      guard let text = String(validating: try bytes(), as: UTF8.self) else {
        throw Unreadable(line: line)
      }
      return text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
  }
}
