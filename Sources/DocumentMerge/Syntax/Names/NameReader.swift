/// Reads the names of one kind in a text, line by line, beside those that the form of the text has anyway.
protocol NameReader {
  /// Reads a line, which is not empty.
  mutating func read(_ line: Substring, into names: inout ReferenceNames)
}

extension ReferenceNames.Form {
  /// The readers of names beside the form's own.
  /// - Parameter isPartial: Whether only some lines are read, so that what stands around them is not known.
  func readers(isPartial: Bool) -> [any NameReader] {
    switch self {
    case .keys: [ClusterNames(), ExpressionNames(), TitleNames()]
    case .markdown: [NoteNames(), BlockNames(), FencedGraphNames(isPartial: isPartial)]
    case .targets: [NoteNames()]
    case .labels: [CommandNames()]
    case .markup: [PropertyNames()]
    case .settings: [VariableNames(form: .settings), ServerNames(), ActionNames()]
    case .tables: [FeatureNames()]
    case .components: [MemberNames()]
    case .declarations: [DeclarationNames(), ColumnNames(isPartial: isPartial)]
    case .makefile: [VariableNames(form: .makefile)]
    case .images: [VariableNames(form: .images)]
    case .scripts: [VariableNames(form: .scripts)]
    case .graph: [GraphNames()]
    case .accounts: [AccountNames()]
    case .wiki: [FootnoteNames()]
    case .messages: [MessageNames()]
    case .people: [PersonNames()]
    case .elements: [ElementNames()]
    case .objects(let format): [ObjectNames(format: format)]
    case .outline: [OrgNames()]
    case .styles: [StyleNames()]
    case .anchors, .bibliography, .propertyLists, .rows: []
    }
  }
}

// MARK: Data

/// Names of resources of a cluster, of their labels and of their parts.
struct ClusterNames: NameReader {
  /// The keys that a line is below, each with its column.
  private var open: [(column: Int, key: Substring)] = []

  /// The lists whose members others refer to by their names.
  private static let lists: Set<Substring> = [
    "volumes", "ports", "containers", "initContainers", "volumeClaimTemplates", "handlers",
    "configMapGenerator", "secretGenerator",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " }
    guard let first = text.first, first != "#", first != "{", first != "\"" else { return }
    if line.hasPrefix("---") {
      open = []
      return
    }
    let column = line.count - text.count
    let isItem = text.hasPrefix("- ")
    open.removeAll { $0.column > column || $0.column == column && !isItem }
    guard let (key, value) = text.entry else { return }
    let parent = open.last
    if value.isEmpty || isItem {
      let item = isItem ? text.dropFirst(2).drop { $0 == " " } : text
      open.append((column + text.count - item.count, key))
    }
    if isItem, parent?.key == "security" { names.refer(to: key) }
    guard !value.isEmpty, let parent else { return }
    switch parent.key {
    case _ where isItem && ["job", "stage", "deployment"].contains(key): names.define(value)
    case "metadata" where parent.column == 0 && key == "name": names.define(value)
    case "labels": names.define("\(key)=\(value)")
    case "selector", "matchLabels": names.refer(to: "\(key)=\(value)")
    case _ where key == "name" && Self.lists.contains(parent.key): names.define(value)
    default:
      // The keys of an item are below the one that it starts with.
      if key == "name", open.count > 1, let list = open.dropLast(isItem ? 1 : 0).last,
        Self.lists.contains(list.key)
      {
        names.define(value)
      }
    }
  }
}

/// Names in expressions, commands and references that tools write into values.
struct ExpressionNames: NameReader {
  /// The words before the names of what they hold.
  private static let holders: Set<Substring> = [
    "env", "matrix", "inputs", "vars", "secrets", "needs", "steps", "jobs", "outputs",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.has("{{") { readExpressions(line, &names) }
    for mark in ["!Ref ", "!GetAtt ", "${"] where line.has(mark) {
      var rest = line
      while let start = rest.firstPlace(of: mark) {
        rest = rest[start.upperBound...]
        names.refer(to: rest.prefix { $0.isNamePart && $0 != "." })
      }
    }
    if let start = line.firstPlace(of: "!reference [") {
      for name in line[start.upperBound...].split(whereSeparator: { !$0.isNamePart }) {
        names.refer(to: name)
      }
    }
    for tool in ["npm run ", "yarn run ", "pnpm run ", "bun run ", "yarn ", "pnpm "] {
      var rest = line
      while let start = rest.firstPlace(of: tool) {
        rest = rest[start.upperBound...]
        names.refer(to: rest.prefix { $0.isNamePart || $0 == ":" })
      }
    }
  }

  private func readExpressions(_ line: Substring, _ names: inout ReferenceNames) {
    var rest = line
    while let start = rest.firstPlace(of: "{{") {
      rest = rest[start.upperBound...]
      let end = rest.firstPlace(of: "}}")?.lowerBound ?? rest.endIndex
      for word in rest[..<end].split(whereSeparator: { !$0.isNamePart }) {
        let parts = word.split(separator: ".")
        guard let first = parts.first else { continue }
        if first == "Values" {
          names.refer(to: parts[parts.count - 1])
        } else if Self.holders.contains(first) {
          if parts.count > 1 { names.refer(to: parts[1]) }
        } else {
          names.refer(to: first)
        }
      }
      rest = rest[end...]
    }
  }
}

/// Names of several words, which values name as a whole.
struct TitleNames: NameReader {
  private static let keys: Set<Substring> = ["name", "label", "title", "alert"]
  /// The most characters of a name.
  private static let size = 60

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.first != "#" else { return }
    let entry = text.entry
    let value = entry?.value ?? (text.hasPrefix("- ") ? text.dropFirst(2) : text).scalar
    guard value.has(" "), value.count <= Self.size else { return }
    if let key = entry?.key, Self.keys.contains(key) {
      names.define(value)
    } else {
      names.refer(to: value)
    }
  }
}

/// Features and packages that features take in, such as `dep:name` and `name/feature`.
struct FeatureNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.has("/") || line.has("dep:") else { return }
    for text in line.split(separator: "\"").dropFirst() where !text.has("//") {
      let name = text.hasPrefix("dep:") ? text.dropFirst(4) : text.prefix { $0 != "/" && $0 != "?" }
      if name.count < text.count, !name.isEmpty, name.allSatisfy(\.isNamePart) {
        names.refer(to: name)
      }
    }
  }
}

/// Properties of projects, which `${name}` stands for, and resources of user interfaces.
struct PropertyNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.first == "<" {
      let name = text.dropFirst().prefix(while: \.isNamePart)
      if text[name.endIndex...].first == ">", text.hasSuffix("</\(name)>") {
        names.define("${\(name)}")
      }
    }
    var rest = line
    while let start = rest.firstPlace(of: "${") {
      rest = rest[start.upperBound...]
      names.refer(to: "${\(rest.prefix { $0 != "}" })}")
    }
    readResources(line, &names)
    readClasses(text, &names)
  }

  /// Reads classes that a style sheet in the document has, and elements of them.
  private func readClasses(_ text: Substring, _ names: inout ReferenceNames) {
    if text.first == ".", text.has("{") {
      names.define(text.dropFirst().prefix { $0.isNamePart && $0 != "." })
    }
  }

  /// Reads resources of user interfaces, and values that name one.
  private func readResources(_ line: Substring, _ names: inout ReferenceNames) {
    if let start = line.firstPlace(of: "x:Key=\"") {
      names.define(line[start.upperBound...].prefix { $0 != "\"" })
    }
    for mark in ["{StaticResource ", "{DynamicResource ", "ElementName="] {
      var rest = line
      while let start = rest.firstPlace(of: mark) {
        rest = rest[start.upperBound...]
        names.refer(to: rest.prefix(while: \.isNamePart))
      }
    }
    if let start = line.firstPlace(of: ">@"),
      let slash = line[start.upperBound...].firstIndex(of: "/")
    {
      names.refer(to: line[slash...].dropFirst().prefix { $0 != "<" })
    }
  }
}

/// Members of groups in address books.
struct MemberNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard let colon = line.lastIndex(of: ":") else { return }
    let name = line[colon...].dropFirst()
    if line.hasPrefix("UID:urn:") { names.define(name) }
    if line.hasPrefix("MEMBER") || line.hasPrefix("RELATED;") { names.refer(to: name) }
  }
}
