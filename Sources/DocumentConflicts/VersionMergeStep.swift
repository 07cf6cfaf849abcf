internal import DocumentMerge
internal import DocumentStore

/// A document with some of its versions merged.
struct MergedDocument {
  let contents: VersionContents
  let path: String

  /// The bytes of a file.
  var bytes: [UInt8]? {
    guard case .file(let bytes, _) = contents else { return nil }
    return bytes
  }
}

/// The version that both sides of a merge are based on.
enum MergeBase {
  /// They have no common base.
  case none
  case known(MergedDocument)
  /// One of several candidates, each with parts that the sides may have decided differently since, or no base for
  /// `nil`. Only a result that all candidates agree on is right.
  case several([MergedDocument?])
  /// A version whose contents are no longer on this device, so that a side may have removed what it lacks, or never had
  /// it.
  case lost(FileVersion)

  var path: String? {
    switch self {
    case .none: nil
    case .known(let document): document.path
    case .several(let documents):
      Set(documents.map { $0?.path }).count == 1 ? documents.first??.path : nil
    case .lost(let version): version.path
    }
  }
}

/// One version merged into the previously merged ones, with its clashes open for answers.
///
/// The name is merged separately from the contents, so a rename on one side and an edit on the other don't contradict
/// each other.
struct VersionMergeStep {
  private let contents: ContentsMerge
  private let path: PathMerge
  /// The base, if it is a single version.
  let base: VersionContents?

  init(
    base: MergeBase, ours: MergedDocument, theirs: MergedDocument, engines: MergeEngines,
    labels: MergeLabels
  ) throws {
    self.base = if case .known(let document) = base { document.contents } else { nil }
    path = PathMerge(MergeSides(base: base.path, ours: ours.path, theirs: theirs.path), labels)
    let options = MergeOptions(labels: labels)
    contents = try ContentsMerge(
      base: base, ours: ours.contents, theirs: theirs.contents, path: path.result, engines, options)
  }

  /// The open questions, each with a flag for questions about whole versions; answers number them from 0.
  var clashes: [(clash: MergeClash, isWhole: Bool)] {
    let own = contents.clashes.map { clash in
      let isWhole = clash.decision.place == .document && clash.choices.contains(.theirs)
      return (clash, isWhole)
    }
    return own + (path.clash.map { [($0, false)] } ?? [])
  }

  /// Returns the result.
  func result(
    answers: [Int: MergeAnswer] = [:]
  ) throws -> (document: MergedDocument, decisions: [MergeDecision]) {
    let count = contents.clashes.count
    let merged = try contents.result(answers: answers.filter { $0.key < count })
    let named = path.result(answer: answers[count])
    return (
      MergedDocument(contents: merged.contents, path: named.path),
      merged.decisions + named.decisions
    )
  }
}

/// The contents of two versions, merged.
private enum ContentsMerge {
  /// Contents that leave no question open.
  case settled(VersionContents, [MergeDecision])
  /// Two files, merged by the engine for their name.
  case file(OpenMerge, isExecutable: Bool)
  /// Two packages, merged member by member.
  case package(OpenPackageMerge)
  /// A deletion and an edit, a file and a package, or files that are too large to merge.
  case whole(MergeSides<VersionContents>, MergeDecision)

  init(
    base: MergeBase, ours: VersionContents, theirs: VersionContents, path: String,
    _ engines: MergeEngines, _ options: MergeOptions
  ) throws {
    func merged(with base: VersionContents?) throws -> ContentsMerge {
      try ContentsMerge(
        MergeSides(base: base, ours: ours, theirs: theirs), path: path, engines, options)
    }
    func choice(_ base: String, because explanation: String) -> ContentsMerge {
      .choice(MergeSides(base: nil, ours: ours, theirs: theirs), base: base, because: explanation)
    }
    let labels = options.labels
    switch base {
    case .none: self = try merged(with: nil)
    case .known(let document): self = try merged(with: document.contents)
    case .several(let documents):
      let merges = try documents.map { try merged(with: $0?.contents) }
      self =
        try merges.agreed
        ?? choice(
          "several versions",
          because: """
            \(labels.ours) and \(labels.theirs) do not agree on what came before: a conflict was resolved or undone, or \
            one of them saved what was there before a change.
            """)
    case .lost(let version):
      self = choice(
        "not on this device",
        because: """
          The contents of version \(version.id.short), which \(labels.ours) and \(labels.theirs) were made from, are \
          not on this device any more.
          """)
    }
  }

  private init(
    _ sides: MergeSides<VersionContents>, path: String, _ engines: MergeEngines,
    _ options: MergeOptions
  ) throws {
    switch (sides.ours, sides.theirs) {
    case (.deleted, .deleted):
      self = .settled(.deleted, [])
    case (.file(let ours, let oursRuns), .file(let theirs, let theirsRuns)):
      var baseBytes: [UInt8]?
      var baseRuns: Bool?
      if case .file(let bytes, let runs)? = sides.base { (baseBytes, baseRuns) = (bytes, runs) }
      let merge = try engines.engine(forFileName: path).openMerge(
        of: MergeSides(base: baseBytes, ours: ours, theirs: theirs), options: options)
      // There are only two values: if the sides differ, one has the base's value, and the other changed it.
      let runs =
        oursRuns == theirsRuns ? oursRuns : baseRuns.map { !$0 } ?? (oursRuns || theirsRuns)
      self = .file(merge, isExecutable: runs)
    case (.package(let ours), .package(let theirs)):
      var base: [PackageEntry]?
      if case .package(let entries)? = sides.base { base = entries }
      let members = try MergeSides(base: base, ours: ours, theirs: theirs)
        .map(PackageMember.members)
      let engine = PackageMergeEngine(choosing: {
        engines.engine(forFileName: $0.description)
      })
      self = .package(try engine.openMerge(of: members, options: options))
    case (.largeFile(let ours), .largeFile(let theirs)) where ours == theirs:
      self = .settled(sides.ours, [])
    case (.largeFile, _) where sides.isBase(sides.ours):
      let words = "Only \(options.labels.theirs) changed the file."
      self = .settled(sides.theirs, [MergeDecision(kind: .theirs, explanation: words)])
    case (_, .largeFile) where sides.isBase(sides.theirs):
      let words = "Only \(options.labels.ours) changed the file."
      self = .settled(sides.ours, [MergeDecision(kind: .ours, explanation: words)])
    default:
      let (ours, theirs) = (sides.ours.words, sides.theirs.words)
      self = .choice(
        sides,
        because: "\(options.labels.ours) has \(ours), \(options.labels.theirs) has \(theirs).")
    }
  }

  /// Two versions, one of which has to be chosen as a whole.
  static func choice(
    _ sides: MergeSides<VersionContents>, base: String? = nil, because explanation: String
  ) -> ContentsMerge {
    .whole(
      sides,
      MergeDecision(
        kind: .clash, base: base ?? sides.base?.words, ours: sides.ours.words,
        theirs: sides.theirs.words, explanation: explanation))
  }

  var clashes: [MergeClash] {
    switch self {
    case .settled: return []
    case .file(let merge, _): return merge.clashes
    case .package(let merge): return merge.clashes
    case .whole(let sides, let decision):
      let words = sides.map { Array($0.words.utf8) as [UInt8]? }
      return [
        MergeClash(
          decision, words, choices: sides.base == nil ? [.ours, .theirs] : [.ours, .theirs, .base])
      ]
    }
  }

  func result(
    answers: [Int: MergeAnswer]
  ) throws -> (contents: VersionContents, decisions: [MergeDecision]) {
    switch self {
    case .settled(let contents, let decisions):
      return (contents, decisions)
    case .file(let merge, let isExecutable):
      let outcome = try merge.outcome(answers: answers)
      return (.file(outcome.bytes, isExecutable: isExecutable), outcome.decisions)
    case .package(let merge):
      let outcome = try merge.outcome(answers: answers)
      return (.package(try outcome.members.map { try $1.entry(at: $0) }), outcome.decisions)
    case .whole(let sides, let decision):
      guard let answer = answers[0] else {
        // The side that exists is shown.
        let shown = if case .deleted = sides.ours { sides.theirs } else { sides.ours }
        return (shown, [decision])
      }
      let chosen =
        switch answer {
        case .theirs: sides.theirs
        case .base: sides.base ?? sides.ours
        case .ours, .both, .text: sides.ours
        }
      return (chosen, [decision.answered(answer)])
    }
  }
}

extension [ContentsMerge] {
  /// The common result of all; `nil` if one of them would ask, or has a different result.
  fileprivate var agreed: ContentsMerge? {
    get throws {
      guard let first, allSatisfy(\.clashes.isEmpty) else { return nil }
      let contents = try first.result(answers: [:]).contents
      let isAgreed = try dropFirst().allSatisfy {
        try $0.result(answers: [:]).contents.isSame(as: contents)
      }
      return isAgreed ? first : nil
    }
  }
}

extension MergedMember {
  /// Returns the member in the form that the store expects.
  fileprivate func entry(at path: PackagePath) throws -> PackageEntry {
    let names = path.bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
    switch self {
    case .kept(.file(let file)):
      let size = try file.size ?? file.read().count
      return PackageEntry(
        path: names,
        kind: .file(
          identity: file.identity, isExecutable: file.isExecutable, size: size, read: file.read))
    case .kept(.symbolicLink(let target)):
      return PackageEntry(path: names, kind: .symbolicLink(target: target))
    case .kept(.folder):
      return PackageEntry(path: names, kind: .folder)
    case .merged(let bytes, let isExecutable):
      return PackageEntry(path: names, newFile: bytes, isExecutable: isExecutable)
    }
  }
}
