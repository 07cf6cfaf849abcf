/// The parts of a notebook in its tree.
struct Notebook {
  let tree: StructureTree
  /// The list of cells.
  let list: Int
  let cells: [NotebookCell]
  /// The version of the notebook's format, as written.
  let version: [UInt8]
  /// The members of the notebook, by name.
  let fields: [FieldName: Int]
  let format: JSONFormat

  /// Finds the parts; `nil` for other JSON, and for notebook formats without a list of cells.
  init?(_ tree: StructureTree, _ format: JSONFormat) {
    guard tree[StructureTree.root].kind == .mapping else { return nil }
    fields = tree.fields(of: StructureTree.root, format)
    guard let version = fields["nbformat"], let list = fields["cells"], tree[list].kind == .list
    else { return nil }
    let members = tree.members(of: list)
    guard members.allSatisfy({ tree[$0].kind == .mapping }) else { return nil }
    self.tree = tree
    self.list = list
    self.version = Array(tree.bytes[tree[version].value])
    self.format = format
    cells = members.map { NotebookCell(node: $0, in: tree, format) }
  }

  /// The revision of the format.
  var revision: Int {
    fields["nbformat_minor"].flatMap {
      Int(String(decoding: tree.bytes[tree[$0].value], as: UTF8.self))
    } ?? 0
  }

  /// Returns whether a revision of the format requires an id for every cell.
  static func needsIds(revision: Int) -> Bool { revision >= 5 }

  /// Returns the faults of a cell.
  func faults(of cell: NotebookCell) -> [String] {
    var faults: [String] = []
    if Self.needsIds(revision: revision), cell.id == nil { faults.append("no id") }
    if cell.type == nil || cell.fields["source"] == nil || cell.fields["metadata"] == nil {
      faults.append("no cell")
    }
    let runFields = NotebookCell.runFields.count { cell.fields[$0] != nil }
    if cell.isCode ? runFields < 2 : runFields > 0 { faults.append("wrong fields") }
    return faults
  }

  func bytes(_ node: Int) -> ArraySlice<UInt8> { tree.bytes[tree[node].value] }
}

/// The name of a member as bytes, because strings consider different compositions of a character equal.
struct FieldName: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(stringLiteral text: String) { bytes = Array(text.utf8) }

  var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// The parts of a cell.
struct NotebookCell {
  /// The fields that running a cell changes.
  static let runFields: [FieldName] = ["outputs", "execution_count"]
  /// The metadata that running a cell changes, or in which programs record how it was shown.
  static let runMetadata: [FieldName] = [
    "execution", "ExecuteTime", "executionInfo", "outputId", "papermill", "collapsed", "scrolled",
  ]

  let node: Int
  let fields: [FieldName: Int]
  let metadata: [FieldName: Int]
  let id: [UInt8]?
  let type: [UInt8]?
  /// The source as text; `nil` if it isn't one.
  let source: [UInt8]?
  /// A hash that is equal for equal cells, regardless of their outputs.
  let content: Int
  /// A hash that is equal for cells with the same outputs.
  let run: Int

  init(node: Int, in tree: StructureTree, _ format: JSONFormat) {
    self.node = node
    let fields = tree.fields(of: node, format)
    let metadata = fields["metadata"].map { tree.fields(of: $0, format) } ?? [:]
    func text(_ field: Int?) -> [UInt8]? {
      field.flatMap {
        tree[$0].kind == .leaf ? format.text(ofLeaf: tree.bytes[tree[$0].value]) : nil
      }
    }
    (self.fields, self.metadata) = (fields, metadata)
    id = text(fields["id"]) ?? text(metadata["id"])
    type = text(fields["cell_type"])
    source = fields["source"].flatMap { tree.joinedText(of: $0, format) }
    func hash(_ fields: [FieldName: Int], _ isPart: (FieldName) -> Bool) -> Int {
      fields.filter { isPart($0.key) }.reduce(0) { sum, field in
        sum &+ tree.mixed(field.key.hashValue, tree[field.value].valueHash)
      }
    }
    let others = hash(metadata) { !Self.runMetadata.contains($0) && $0 != "id" }
    content = tree.mixed(
      hash(fields) { !Self.runFields.contains($0) && !["id", "metadata", "source"].contains($0) },
      tree.mixed(others, source.hashValue))
    run = hash(fields) { Self.runFields.contains($0) }
  }

  var isCode: Bool { type.map { $0.elementsEqual("code".utf8) } ?? false }
}

extension StructureTree {
  /// Returns the members of a mapping by name; the last one of duplicates.
  func fields(of node: Int, _ format: JSONFormat) -> [FieldName: Int] {
    guard self[node].kind == .mapping else { return [:] }
    return members(of: node).reduce(into: [:]) { $0[FieldName(name(of: $1, format))] = $1 }
  }

  /// Returns the text of a string or of a list of strings.
  fileprivate func joinedText(of node: Int, _ format: JSONFormat) -> [UInt8]? {
    if self[node].kind == .leaf { return format.text(ofLeaf: bytes[self[node].value]) }
    guard self[node].kind == .list else { return nil }
    var joined: [UInt8] = []
    for line in members(of: node) {
      guard self[line].kind == .leaf, let text = format.text(ofLeaf: bytes[self[line].value]) else {
        return nil
      }
      joined += text
    }
    return joined
  }
}
