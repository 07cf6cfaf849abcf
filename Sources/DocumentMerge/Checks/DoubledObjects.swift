/// Asks about one object that both sides added to a list of a project under different identifiers.
///
/// An object is identified by its kind and name, not by its contents, because each side may put different things into a
/// group of the same name.
struct DoubledObjects: MergeCheck {
  /// The fields that identify an object.
  private static let fields: Set<String> = [
    "isa", "path", "name", "sourceTree", "productName", "repositoryURL", "relativePath", "fileRef",
    "productRef", "target",
  ]

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    func project(_ document: [UInt8]) -> ProjectObjects? {
      do {
        return ProjectObjects(
          try OpenStepFormat().parse(DecodedText(document)?.text ?? []), Self.fields)
      } catch {
        return nil
      }
    }
    guard let sides = merge.documents.compactMap(project), let base = sides.base,
      let merged = project(merge.bytes)
    else { return [] }
    let (ours, theirs) = (sides.ours, sides.theirs)
    var names: [String] = []
    for list in merged.lists {
      let added = list.filter { base.descriptions[$0] == nil }
      let byOurs = added.filter { ours.descriptions[$0] != nil && theirs.descriptions[$0] == nil }
      let byTheirs = added.filter { theirs.descriptions[$0] != nil && ours.descriptions[$0] == nil }
      guard !byOurs.isEmpty, !byTheirs.isEmpty else { continue }
      let known = Set(byOurs.compactMap { merged.descriptions[$0] })
      for identifier in byTheirs {
        guard let description = merged.descriptions[identifier], known.contains(description) else {
          continue
        }
        let name =
          description["path"] ?? description["name"] ?? description["productName"] ?? identifier
        if !names.contains(name) { names.append(name) }
      }
    }
    return names.map {
      .doubt("Both sides added “\($0)”, under different identifiers.")
    }
  }
}

/// The objects of a project, and the lists that contain them.
private struct ProjectObjects {
  /// The descriptions of objects, by their identifiers.
  private(set) var descriptions: [String: [String: String]] = [:]
  /// The lists of identifiers.
  private(set) var lists: [[String]] = []

  init(_ tree: StructureTree, _ fields: Set<String>) {
    let format = OpenStepFormat()
    func name(_ node: Int) -> String {
      String(decoding: tree.name(of: node, format), as: UTF8.self)
    }
    func text(_ node: Int) -> String? {
      tree[node].kind == .leaf
        ? format.text(ofLeaf: tree.bytes[tree[node].value]).map {
          String(decoding: $0, as: UTF8.self)
        } : nil
    }
    for node in 0..<tree.count {
      if tree[node].kind.isList {
        let texts = tree.members(of: node).compactMap(text)
        if texts.count > 1 { lists.append(texts) }
      }
      guard tree[node].kind == .mapping, !tree[node].key.isEmpty,
        format.isIdentifier(tree.name(of: node, format))
      else { continue }
      var description: [String: String] = [:]
      for member in tree.members(of: node) where fields.contains(name(member)) {
        description[name(member)] = text(member)
      }
      if description.count > 1 { descriptions[name(node)] = description }
    }
  }
}
