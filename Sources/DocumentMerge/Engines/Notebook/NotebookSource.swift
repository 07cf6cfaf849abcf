/// Writes a cell's source in the form of a side.
struct NotebookSource {
  /// The sources whose form can be used, the preferred one first.
  private let models: [(notebook: Notebook, node: Int)]

  init(_ ours: Notebook, _ node: Int, _ theirs: Notebook, _ other: Int) {
    models = [(ours, node), (theirs, other)]
  }

  /// Returns a value with a text: a string if ours has one, otherwise a list of lines.
  ///
  /// Lines that a side has keep their spelling.
  func written(_ text: [UInt8]) -> [UInt8] {
    var spellings: [[UInt8]: ArraySlice<UInt8>] = [:]
    for (notebook, node) in models {
      for line in [node] + notebook.tree.members(of: node) {
        if let said = notebook.format.text(ofLeaf: notebook.bytes(line)), spellings[said] == nil {
          spellings[said] = notebook.bytes(line)
        }
      }
    }
    func literal(_ text: [UInt8]) -> [UInt8] {
      spellings[text].map { Array($0) } ?? JSONString.literal(for: text)
    }
    guard let first = models.first, first.notebook.tree[first.node].kind == .list else {
      return literal(text)
    }
    let model = models.first { !$0.notebook.tree.members(of: $0.node).isEmpty }
    guard let model, !text.isEmpty else { return Array("[]".utf8) }
    let tree = model.notebook.tree
    let members = tree.members(of: model.node)
    func lead(_ member: Int) -> ArraySlice<UInt8> {
      members.count > member ? tree.bytes[tree[members[member]].lead] : []
    }
    let next =
      members.count > 1 || lead(0).contains(.lineFeed) ? lead(min(1, members.count - 1)) : [0x20]
    var written = [UInt8(ascii: "[")]
    let lines = TextLines(text.last == .lineFeed ? text : text + [.lineFeed])
    for line in 0..<lines.count {
      let isLast = line + 1 == lines.count
      let bytes = lines[line]
      written += line == 0 ? lead(0) : [UInt8(ascii: ",")] + next
      written += literal(Array(isLast && text.last != .lineFeed ? bytes.dropLast() : bytes))
    }
    return written + tree.bytes[tree[model.node].tail]
  }
}

extension Notebook {
  /// Returns the members of one of the notebook's fields, by name.
  func members(of field: FieldName) -> [FieldName: Int] {
    fields[field].map { tree.fields(of: $0, format) } ?? [:]
  }

  /// Returns the text of a string in a mapping.
  func text(_ field: FieldName, of node: Int) -> [UInt8]? {
    tree.fields(of: node, format)[field].flatMap { format.text(ofLeaf: bytes($0)) }
  }

  /// Returns a cell with a new id that is made from its source.
  /// - Returns: `nil` if the cell has no metadata beside which the id can be written.
  func withId(_ cell: NotebookCell, _ known: inout Set<[UInt8]>) -> [UInt8]? {
    guard let metadata = cell.fields["metadata"] else { return nil }
    // FNV-1a, so that every merge generates the same id.
    var hash: UInt32 = 0x811C_9DC5
    for byte in cell.source ?? [] { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    func id() -> [UInt8] {
      let digits = String(hash, radix: 16)
      return Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
    }
    while !known.insert(id()).inserted { hash &+= 1 }
    let (whole, place) = (tree[cell.node].value, tree[metadata])
    let name = Array("metadata".utf8)
    let key = tree.bytes[place.key]
    let space = key.range(of: name).map { key[$0.upperBound...].dropFirst() } ?? []
    let member = Array("\"id\"".utf8) + space + [JSONString.quote] + id() + [JSONString.quote]
    let lead = tree.bytes[place.lead]
    return Array(tree.bytes[whole.lowerBound..<place.whole.lowerBound]) + lead + member
      + [UInt8(ascii: ",")] + (lead.isEmpty ? [] : lead)
      + tree.bytes[place.key.lowerBound..<whole.upperBound]
  }
}
