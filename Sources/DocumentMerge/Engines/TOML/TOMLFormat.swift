/// TOML 1.0: tables by their full names, lists of tables by the fields that distinguish their members.
///
/// The members of a table are lines; only inline tables and arrays have separators.
struct TOMLFormat: StructuredFormat {
  var hasLockedPackages = false

  var name: String { "toml" }

  var hasPlainValues: Bool { true }

  func separator(in kind: StructureTree.Kind) -> [UInt8] {
    kind.isLines ? [] : [UInt8(ascii: ",")]
  }

  /// Names, then the fields that distinguish packages in lock files, overrides of linters, and redirects of
  /// sites.
  var identities: [MemberIdentity] {
    [
      MemberIdentity("id"), MemberIdentity("name"),
      MemberIdentity("name", "version", optional: ["source"], isReplaceable: true),
      MemberIdentity("module"), MemberIdentity("from"), MemberIdentity("for"),
      MemberIdentity("key"), MemberIdentity("path"), MemberIdentity("url"),
    ]
  }

  /// Returns the names of packages in lock files: as much of name, version and source as is unique.
  func targets(in tree: StructureTree) -> Set<Int> {
    var counts: [[UInt8]: Int] = [:]
    for list in tree.members(of: StructureTree.root) where tree[list].kind == .tables {
      for package in tree.members(of: list) {
        for name in packageNames(of: package, in: tree) { counts[name, default: 0] += 1 }
      }
    }
    return Set(counts.filter { $0.value == 1 }.keys.map { tree.hash(of: [JSONString.quote] + $0) })
  }

  /// Returns the hash of a string in a list; `nil` for other leaves.
  func reference(of leaf: Int, in tree: StructureTree) -> Int? {
    tree[leaf].key.isEmpty ? tree[leaf].valueHash : nil
  }

  /// Returns `name`, `name version` and `name version (source)`; none without a version.
  private func packageNames(of package: Int, in tree: StructureTree) -> [[UInt8]] {
    var fields: [[UInt8]: [UInt8]] = [:]
    for member in tree.members(of: package) where tree[member].kind == .leaf {
      fields[tree.name(of: member, self)] = text(ofLeaf: tree.bytes[tree[member].value])
    }
    guard let name = fields[Array("name".utf8)], let version = fields[Array("version".utf8)] else {
      return []
    }
    let long = name + [0x20] + version
    let source = fields[Array("source".utf8)].map { source in
      long + " (".utf8 + source.prefix { $0 != UInt8(ascii: "#") } + ")".utf8
    }
    return [name, long] + (source.map { [$0] } ?? [])
  }

  var entries: any EntryReader { SettingEntries() }

  func parse(_ text: [UInt8]) throws -> StructureTree {
    let tree = try TOMLParser(text).parse()
    let inParts = arraysInParts(of: tree)
    return inParts.isEmpty ? tree : try self.tree(of: text, apart: inParts)
  }

  func name(ofKey key: ArraySlice<UInt8>) -> [UInt8] {
    var parser = TOMLKeyReader(bytes: key)
    let isHeader = key.first == UInt8(ascii: "[")
    if isHeader { parser.position += 1 }
    guard let path = parser.path() else { return Array(key) }
    return isHeader ? TOMLKeyReader.header(path) : TOMLKeyReader.name(path)
  }

  /// Returns the same name for `[x]`, `[[x]]` and `x =`; `nil` for a separate table.
  func plainName(_ name: [UInt8]) -> [UInt8]? {
    guard !name.isEmpty, name.first != UInt8(ascii: "[") || name.last == UInt8(ascii: "]") else {
      return nil
    }
    let start = name.prefix { $0 == UInt8(ascii: "[") }.count
    return Array(name.dropFirst(start).dropLast(start))
  }

  func text(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? {
    TOMLString(at: leaf.startIndex, in: leaf)?.text
  }

  func leaf(holding text: [UInt8], like model: ArraySlice<UInt8>) -> [UInt8]? {
    guard !text.contains(0x7F) else { return nil }
    for quotes in ["\"\"\"", "'''"].map({ Array($0.utf8) }) where model.starts(with: quotes) {
      // Long texts keep their lines if nothing in them must be escaped.
      let isPlain = text.allSatisfy { $0 >= 0x20 || $0 == .lineFeed || $0 == 0x09 }
      guard isPlain, !text.contains(quotes[0]), !(text + model).contains(JSONString.backslash)
      else { return nil }
      let start: [UInt8] = model.dropFirst(3).first == .lineFeed ? [.lineFeed] : []
      guard !start.isEmpty || text.first != .lineFeed else { return nil }
      return quotes + start + text + quotes
    }
    return JSONString.literal(for: text)
  }

  /// Merges prose by words, and other strings of several lines by lines.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    if let merged = mergedByWords(leaves, by: rules) { return merged }
    let quotes = leaves.ours.prefix(3)
    let areLong =
      (quotes.elementsEqual("\"\"\"".utf8) || quotes.elementsEqual("'''".utf8))
      && leaves.all.allSatisfy { $0.prefix(3) == quotes }
    return areLong ? try rules.mergedLines(leaves) : nil
  }

  /// Line breaks inside strings are content.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.applied(to: bytes, outside: "#\"'") { start in
      bytes[start] == UInt8(ascii: "#")
        ? bytes[start...].firstIndex(of: .lineFeed) ?? bytes.endIndex
        : TOMLString(at: start, in: bytes)?.end ?? bytes.endIndex
    }
  }
}
