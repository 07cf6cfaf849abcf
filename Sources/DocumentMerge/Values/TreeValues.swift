/// The leaves of a tree, each with the path to it.
///
/// A container without members is also a leaf, because its existence is a value.
struct TreeValues<Format: StructuredFormat>: ReadValues {
  private let format: Format
  private let tree: StructureTree
  private(set) var values: [DocumentValues.Value] = []
  /// The numbers of the values, by their nodes.
  private var numbers: [Int: Int] = [:]
  /// The fields that identify the members of lists, by their place among those of the format.
  private var identities: [Int: Int] = [:]

  init(_ tree: StructureTree, _ format: Format) {
    self.tree = tree
    self.format = format
    read(StructureTree.root, [])
  }

  private mutating func read(_ node: Int, _ steps: [[UInt8]]) {
    let members = tree.members(of: node)
    guard !members.isEmpty else {
      guard let text = format.plainValue(ofLeaf: tree.bytes[tree[node].value]) else { return }
      numbers[node] = values.count
      values.append(.init(path: MergePlace.path(steps), text: text))
      return
    }
    let fields = tree[node].kind.isList ? identity(of: members) : nil
    if let fields { identities[node] = fields }
    var counts: [[UInt8]: Int] = [:]
    if tree[node].kind.isList {
      for member in members { tree.givenName(of: member).map { counts[$0, default: 0] += 1 } }
    }
    var numbers: [[UInt8]: Int] = [:]
    for (place, member) in members.enumerated() {
      let step: [UInt8] =
        if let fields {
          tree.name(of: member, by: format.identities[fields], format)
        } else if tree[node].kind.isList, tree.givenName(of: member) == nil {
          Array("\(place)".utf8)
        } else if let name = tree.givenName(of: member), counts[name, default: 0] > 1 {
          // Elements of one name differ by their order.
          name + "[\(numbers.next(of: name))]".utf8
        } else {
          tree.name(of: member, format)
        }
      read(member, step.isEmpty || !format.isPlace(step) ? steps : steps + [step])
    }
  }

  /// Returns the first fields of the format that tell all members of a list apart.
  private func identity(of members: [Int]) -> Int? {
    format.identities.firstIndex { fields in
      var seen: Set<Int> = []
      return members.allSatisfy { member in
        tree.identity(of: member, by: fields, format).map { seen.insert($0).inserted } ?? false
      }
    }
  }

  // MARK: A former state

  func places(in former: any ReadValues) -> [Int?] {
    var places = [Int?](repeating: nil, count: values.count)
    guard let former = former as? TreeValues<Format> else { return places }
    match(StructureTree.root, StructureTree.root, in: former, &places)
    return places
  }

  private func match(_ node: Int, _ old: Int, in former: Self, _ places: inout [Int?]) {
    if let number = numbers[node] {
      if tree[node].valueHash == former.tree[old].valueHash { places[number] = former.numbers[old] }
      return
    }
    for (member, other) in pairs(node, old, in: former) {
      match(member, other, in: former, &places)
    }
  }

  /// Returns the members of two containers that are the same.
  private func pairs(_ node: Int, _ old: Int, in former: Self) -> [(new: Int, old: Int)] {
    let (members, others) = (tree.members(of: node), former.tree.members(of: old))
    func paired<Name: Hashable>(_ names: [Name], _ otherNames: [Name]) -> [(new: Int, old: Int)] {
      let places = Dictionary(
        zip(otherNames, others), uniquingKeysWith: { first, _ in first })
      return zip(names, members).compactMap { name, member in
        places[name].map { (new: member, old: $0) }
      }
    }
    if tree[node].kind.isMapping, former.tree[old].kind.isMapping {
      return paired(
        members.map { tree.name(of: $0, format) }, others.map { former.tree.name(of: $0, format) })
    }
    if let fields = identities[node], fields == former.identities[old] {
      let identity = format.identities[fields]
      return paired(
        members.map { tree.identity(of: $0, by: identity, format) },
        others.map { former.tree.identity(of: $0, by: identity, format) })
    }
    let (kind, formerKind) = (tree[node].kind, former.tree[old].kind)
    return kind == formerKind || kind.isList && formerKind.isList
      ? aligned(members, others, in: former) : []
  }

  /// Aligns lists by the contents of their members; if the same number of members replaced others, they are
  /// changes of them.
  private func aligned(
    _ members: [Int], _ others: [Int], in former: Self
  ) -> [(new: Int, old: Int)] {
    var known: [Int: Int32] = [:]
    func number(_ hash: Int) -> Int32 {
      if let number = known[hash] { return number }
      known[hash] = Int32(known.count)
      return Int32(known.count - 1)
    }
    let old = others.map { number(former.tree[$0].valueHash) }
    let new = members.map { number(tree[$0].valueHash) }
    let changes = SequenceDifference.changes(from: old, to: new, count: known.count)
    let replaced = changes.filter { $0.old.count == $0.new.count }
      .flatMap { zip($0.old, $0.new).map { (old: $0, new: $1) } }
    return (changes.unchanged(old.count, new.count) + replaced)
      .map { (new: members[$0.new], old: others[$0.old]) }
  }
}

extension [[UInt8]: Int] {
  fileprivate mutating func next(of name: [UInt8]) -> Int {
    self[name, default: 0] += 1
    return self[name, default: 0]
  }
}

extension PropertyListMergeEngine: ValueReader {
  func values(of document: [UInt8]) throws -> (any ReadValues)? {
    if BinaryPropertyListMerge.isBinary(document) {
      var engine = xml
      engine.format.isExtended = true
      return try BinaryPropertyListMerge(xml: xml).text(of: document, isExtended: true)
        .flatMap { try engine.values(of: $0) }
    }
    return document.first { !$0.isSpace } == UInt8(ascii: "<")
      ? try xml.values(of: document) : try openStep.values(of: document)
  }
}

extension StructuredMergeEngine: ValueReader {
  func values(of document: [UInt8]) throws -> (any ReadValues)? {
    guard format.hasPlainValues, let text = DecodedText(document) else { return nil }
    do {
      return TreeValues(try format.parse(text.endedLines), format)
    } catch is MergeError {
      return nil
    }
  }
}
