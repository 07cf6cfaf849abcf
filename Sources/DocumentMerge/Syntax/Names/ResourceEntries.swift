/// The names in YAML and JSON that are unique in the whole document.
struct ResourceEntries: EntryReader {
  /// The keys whose values are unique.
  private static let uniqueKeys: Set<Substring> = ["operationId", "container_name", "hostPort"]

  func mayFindEntries(in text: TextLines) -> Bool {
    text.has("kind:") || text.has("ports")
      || Self.uniqueKeys.contains { text.has(String($0)) }
  }

  func read(_ lines: [Substring], into entries: inout EntryNames) {
    var names: [(name: String, line: Int)] = []
    var resource = Resource()
    var ports: Int?
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard let first = text.first, first != "#" else { continue }
      if line.hasPrefix("---") || line == "..." {
        if let known = resource.name { names.append(known) }
        resource = Resource()
      }
      let column = line.count - text.count
      if let known = ports, column < known || column == known && first != "-" { ports = nil }
      guard let (key, value) = text.entry else {
        // The host's port is before the container's.
        if ports != nil, first == "-" { Self.readPort(text.dropFirst().scalar, number, &names) }
        continue
      }
      if first != "-" { resource.read(key, value, column, number) }
      if key == "ports", value.isEmpty { ports = column }
      if Self.uniqueKeys.contains(key), !value.isEmpty {
        names.append(("\(key) “\(value)”", number))
      }
    }
    if let known = resource.name { names.append(known) }
    entries.add(names)
  }

  private static func readPort(
    _ value: Substring, _ line: Int, _ names: inout [(name: String, line: Int)]
  ) {
    let parts = value.split(separator: ":")
    guard parts.count > 1, parts.suffix(2).allSatisfy({ $0.first?.isNumber ?? false }) else {
      return
    }
    let protocolName = value.hasSuffix("/udp") ? "UDP port " : "port "
    names.append((protocolName + parts.dropLast().joined(separator: ":"), line))
  }

  /// The cluster resource that a document of a stream describes.
  private struct Resource {
    private var kind: Substring?
    private var title: Substring?
    private var space: Substring = ""
    private var line = 0
    private var isHead = false

    var name: (name: String, line: Int)? {
      guard let kind, let title else { return nil }
      return ("\(kind) \(space.isEmpty ? "" : space + "/")\(title)", line)
    }

    mutating func read(_ key: Substring, _ value: Substring, _ column: Int, _ number: Int) {
      if column == 0 {
        isHead = key == "metadata"
        if key == "kind" { kind = value }
      } else if isHead, column <= 4, title == nil || key == "namespace" {
        if key == "name" { (title, line) = (value, number) }
        if key == "namespace" { space = value }
      }
    }
  }
}

extension Substring {
  /// The key and the value of a line of YAML or JSON, possibly the first one of an item.
  var entry: (key: Substring, value: Substring)? {
    var text = drop { $0 == " " || $0 == "\t" }
    if text.hasPrefix("- ") { text = text.dropFirst(2).drop { $0 == " " } }
    let isQuoted = text.first == "\""
    let key = isQuoted ? text.dropFirst().prefix { $0 != "\"" } : text.prefix(while: \.isNamePart)
    let rest = text[key.endIndex...].dropFirst(isQuoted ? 1 : 0)
    guard !key.isEmpty, rest.first == ":", rest.dropFirst().first.map({ $0 == " " }) ?? true else {
      return nil
    }
    return (key, rest.dropFirst().scalar)
  }

  /// A value without its quotes and any text after it.
  var scalar: Substring {
    let text = drop { $0 == " " }
    if let quote = text.first, quote == "\"" || quote == "'" {
      return text.dropFirst().prefix { $0 != quote }
    }
    let comment = text.firstPlace(of: " #")?.lowerBound ?? text.endIndex
    return text[..<comment].trimmingSuffix { $0 == " " || $0 == "," }
  }
}
