/// The definitions of a TOML document so far, so that nothing is defined twice.
struct TOMLNames {
  /// The table of the whole document.
  static let root = 0

  /// The origin of a table, which determines what may be added to it.
  private enum Origin { case header, partOfHeader, dottedKey }

  private enum Definition {
    case value
    case table(Int, Origin)
    /// An array of tables, with its last one.
    case tables(Int)
  }

  private struct Place: Hashable {
    let table: Int
    let name: [UInt8]
  }

  private var definitions: [Place: Definition] = [:]
  private var count = 1

  /// Returns a new empty table without a name.
  mutating func newTable() -> Int {
    defer { count += 1 }
    return count
  }

  /// Defines the table of a header.
  /// - Returns: The table, and the number of parts of the path up to the last array of tables before it;
  ///   `nil` if it is already defined.
  mutating func define(header path: [[UInt8]], isArray: Bool) -> (table: Int, arrayDepth: Int)? {
    var (table, arrayDepth) = (Self.root, 0)
    for (depth, name) in path.dropLast().enumerated() {
      switch definitions[Place(table: table, name: name)] {
      case nil:
        let new = newTable()
        definitions[Place(table: table, name: name)] = .table(new, .partOfHeader)
        table = new
      case .table(let next, _): table = next
      case .tables(let last): (table, arrayDepth) = (last, depth + 1)
      case .value: return nil
      }
    }
    guard let name = path.last else { return nil }
    let place = Place(table: table, name: name)
    switch (definitions[place], isArray) {
    case (nil, false):
      table = newTable()
    case (.table(let known, .partOfHeader), false):
      table = known
    case (nil, true), (.tables, true):
      table = newTable()
      definitions[place] = .tables(table)
      return (table, arrayDepth)
    default: return nil
    }
    definitions[place] = .table(table, .header)
    return (table, arrayDepth)
  }

  /// Defines a value in a table; returns whether it wasn't already defined.
  mutating func define(key path: [[UInt8]], in table: Int) -> Bool {
    var table = table
    for name in path.dropLast() {
      switch definitions[Place(table: table, name: name)] {
      case nil:
        let new = newTable()
        definitions[Place(table: table, name: name)] = .table(new, .dottedKey)
        table = new
      case .table(let next, .dottedKey): table = next
      default: return false
      }
    }
    guard let name = path.last else { return false }
    return definitions.updateValue(.value, forKey: Place(table: table, name: name)) == nil
  }
}
