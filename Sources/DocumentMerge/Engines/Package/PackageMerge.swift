/// The nodes of the three sides at one path; `nil` for a side that has none.
struct NodeSides {
  let base: PackageNode?
  let ours: PackageNode?
  let theirs: PackageNode?

  /// The side that is the result without merging; `nil` if both sides changed it differently.
  var settled: MergeDecision.Kind? {
    MergeSides(base: .some(base), ours: ours, theirs: theirs).settled
  }

  /// The files, if both sides have one.
  var files: MergeSides<PackageFile>? {
    guard let ours = ours?.file, let theirs = theirs?.file else { return nil }
    return MergeSides(base: base?.file, ours: ours, theirs: theirs)
  }

  /// Returns the sides of one child; a side that isn't a folder has none.
  func child(_ name: PackageNode.Name) -> NodeSides {
    NodeSides(
      base: base?.children?[name], ours: ours?.children?[name], theirs: theirs?.children?[name])
  }
}

/// One run of the package engine, which walks the three trees together.
struct PackageMerge {
  typealias Names = [PackageNode.Name]

  let engine: @Sendable (PackagePath) -> any MergeEngine
  let options: MergeOptions
  /// The answers, by the number of the clash.
  let answers: [Int: MergeAnswer]
  /// The members that not all sides have at the path where they are merged, by that path.
  let moved: [PackagePath: AlignedMember]
  var members: [PackagePath: MergedMember] = [:]
  private(set) var decisions: [MergeDecision] = []
  /// The clashes, answered or not, because an answer neither adds nor removes any.
  private(set) var clashes: [MergeClash] = []
  /// The new paths of members, from answers.
  var relocations: [PackagePath: PackagePath] = [:]

  init(
    engine: @escaping @Sendable (PackagePath) -> any MergeEngine, options: MergeOptions,
    moved: [PackagePath: AlignedMember], answers: [Int: MergeAnswer]
  ) {
    self.engine = engine
    self.options = options
    self.moved = moved
    self.answers = answers
  }

  /// Merges the nodes at one path: folders by their children, everything else as a whole.
  private mutating func merge(_ sides: NodeSides, at names: Names) throws {
    switch (sides.base, sides.ours, sides.theirs) {
    case (_, .folder?, .folder?), (.folder?, .folder?, nil), (.folder?, nil, .folder?),
      (nil, .folder?, nil), (nil, nil, .folder?):
      try mergeFolders(sides, at: names)
    default:
      try mergeWhole(sides, at: names)
    }
  }

  /// Merges folders by their children; a side without the folder has no children.
  mutating func mergeFolders(_ sides: NodeSides, at names: Names) throws {
    let children = [sides.base, sides.ours, sides.theirs].compactMap { $0?.children }
    let childNames = Set(children.flatMap(\.keys)).sorted { $0.lexicographicallyPrecedes($1) }
    let memberCount = members.count
    for name in childNames { try merge(sides.child(name), at: names + [name]) }
    let isEmpty = members.count == memberCount
    // The package itself always exists.
    if isEmpty, !names.isEmpty { mergeEmptiness(sides, at: names) }
  }

  /// Keeps a folder without members if it is empty on a side, and no side removed it.
  private mutating func mergeEmptiness(_ sides: NodeSides, at names: Names) {
    let nodes = [sides.base, sides.ours, sides.theirs].map { $0 == .folder([:]) }
    let (base, ours, theirs) = (nodes[0], nodes[1], nodes[2])
    let isRemoved = sides.base != nil && (sides.ours == nil || sides.theirs == nil)
    let result = (ours || theirs) && !isRemoved
    if result { members[PackagePath(names: names)] = .kept(.folder) }
    if result != base {
      decide(ours == theirs ? .same : ours == result ? .ours : .theirs, sides, at: names)
    }
  }

  /// Merges files and links; one side may lack it, or have a folder instead.
  private mutating func mergeWhole(_ sides: NodeSides, at names: Names) throws {
    let member = moved[PackagePath(names: names)]
    if let member { decideAboutPlace(of: member) }
    let isContested = member?.isRenamedAndDeleted == true
    if !isContested, let kind = sides.settled {
      keep(kind == .theirs ? sides.theirs : sides.ours, at: names)
      if kind != .same || sides.base != sides.ours { decide(kind, sides, at: names) }
    } else if let files = sides.files,
      member?.unclearBy == nil || files.map(\.identity).settled != nil
    {
      try mergeFiles(files, at: PackagePath(names: names))
    } else {
      let clash = MergeClash(
        decision(.clash, sides, at: names),
        MergeSides(
          base: sides.base.map(\.wordBytes), ours: sides.ours.map(\.wordBytes),
          theirs: sides.theirs.map(\.wordBytes)),
        choices: isContested ? [.ours, .theirs] : [.ours, .theirs, .base])
      switch answer(to: clash) {
      case nil: keep(sides.ours ?? sides.theirs, at: names)
      case .theirs: keep(sides.theirs, at: names)
      case .base: keep(sides.base, at: names)
      case .ours, .both, .text: keep(sides.ours, at: names)
      }
    }
  }

  /// Records a clash, and returns its answer.
  mutating func answer(to clash: MergeClash) -> MergeAnswer? {
    clashes.append(clash)
    let answer = answers[clashes.count - 1]
    decisions.append(answer.map(clash.decision.answered) ?? clash.decision)
    return answer
  }

  /// Records a decision.
  mutating func record(_ decision: MergeDecision) { decisions.append(decision) }

  /// Merges two files that differ in content, in the executable bit, or in both.
  private mutating func mergeFiles(_ files: MergeSides<PackageFile>, at path: PackagePath) throws {
    // If only one side made a new file executable, that is the change.
    let wasExecutable =
      files.base?.isExecutable ?? (files.ours.isExecutable && files.theirs.isExecutable)
    let executable = MergedProperty(
      base: wasExecutable, ours: files.ours.isExecutable,
      theirs: files.theirs.isExecutable)
    let isExecutable = executable.value ?? files.ours.isExecutable
    if let kind = executable.kind {
      let words = files.map { PackageMember.file($0).words }
      decisions.append(
        MergeDecision(
          kind: kind, place: MergePlace(member: path),
          base: words.base, ours: words.ours, theirs: words.theirs,
          explanation: executable.explanation(of: "executable bit", options.labels)))
    }
    if let kind = files.map(\.identity).settled {
      let file = kind == .theirs ? files.theirs : files.ours
      let kept = PackageFile(
        identity: file.identity, isExecutable: isExecutable, read: file.read)
      members[path] = .kept(.file(kept))
      if file.identity != files.base?.identity {
        decisions.append(
          MergeDecision(
            kind: kind, place: MergePlace(member: path),
            explanation: options.labels.explanation(of: kind, what: "the content of \(path)")))
      }
    } else {
      try MergeCancellation.check()
      let contents = try files.map { file in try file.read() }
      let merge = try engine(path).openMerge(of: contents, options: options)
      let first = clashes.count
      clashes += merge.clashes.map { $0.inside(path) }
      let own = (first..<clashes.count).compactMap { number in
        answers[number].map { (number - first, $0) }
      }
      let outcome = try merge.outcome(answers: Dictionary(uniqueKeysWithValues: own))
      members[path] = .merged(bytes: outcome.bytes, isExecutable: isExecutable)
      decisions += outcome.decisions.map { $0.inside(path) }
    }
  }

  /// Adds a whole node to the result unchanged.
  private mutating func keep(_ node: PackageNode?, at names: Names) {
    switch node {
    case nil: break
    case .leaf(let member): members[PackagePath(names: names)] = .kept(member)
    case .folder(let children) where children.isEmpty:
      members[PackagePath(names: names)] = .kept(.folder)
    case .folder(let children):
      for (name, child) in children { keep(child, at: names + [name]) }
    }
  }

  /// Records a decision about a whole member.
  private mutating func decide(_ kind: MergeDecision.Kind, _ sides: NodeSides, at names: Names) {
    decisions.append(decision(kind, sides, at: names))
  }

  private func decision(
    _ kind: MergeDecision.Kind, _ sides: NodeSides, at names: Names
  ) -> MergeDecision {
    let path = PackagePath(names: names)
    return MergeDecision(
      kind: kind, place: MergePlace(member: path),
      base: sides.base?.words, ours: sides.ours?.words, theirs: sides.theirs?.words,
      explanation: explanation(kind, sides, path))
  }

  private func explanation(
    _ kind: MergeDecision.Kind, _ sides: NodeSides, _ path: PackagePath
  ) -> String {
    let labels = options.labels
    if let member = moved[path], member.isRenamedAndDeleted, let words = member.words(labels) {
      return words
    }
    let name = moved[path]?.base ?? path
    if kind == .clash, let side = moved[path]?.unclearBy {
      let (one, other) =
        side == .ours ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
      return "\(one) may have another member in the place of \(name), and \(other) changed it."
    }
    return switch (kind, sides.ours, sides.theirs) {
    case (.clash, nil, _?):
      "\(labels.ours) deleted \(name), and \(labels.theirs) changed it."
    case (.clash, _?, nil):
      "\(labels.theirs) deleted \(name), and \(labels.ours) changed it."
    default: labels.explanation(of: kind, what: path.description)
    }
  }
}
