internal import DocumentMerge
internal import DocumentStore

/// Merges the versions of a conflict: two by two, oldest first, each with the version that both sides were
/// made from.
struct VersionMerge {
  let conflict: Conflict
  private var store: VersionStore { conflict.store }

  /// What all versions come to.
  func proposal() throws -> MergeProposal {
    var merged = Merged(
      contents: try store.loadContents(of: conflict.current), path: conflict.current.path,
      decisions: [])
    var done = [conflict.current]
    for version in conflict.versions.dropFirst().sorted(by: { $0.savingDate < $1.savingDate }) {
      let base = try base(of: done, and: version)
      merged = try merged.adding(
        Merged(contents: store.loadContents(of: version), path: version.path, decisions: []),
        base: base, labels: labels(done, version))
      done.append(version)
    }
    // Answers to single questions are only told apart where two texts meet.
    let isPair = conflict.versions.count == 2
    return MergeProposal(
      bytes: merged.bytes, decisions: merged.decisions, text: isPair ? merged.text : nil,
      path: merged.path, contents: merged.contents)
  }

  /// The base to merge with.
  ///
  /// Several, after a criss-cross, are merged first; if that leaves a question, the version that
  /// those were made from serves, which is as right and only asks more.
  private func base(of done: [FileVersion], and version: FileVersion) throws -> Merged? {
    let bases = try store.mergeBases(of: done, and: version)
    guard let first = bases.first else { return nil }
    var merged = Merged(
      contents: try store.loadContents(of: first), path: first.path, decisions: [])
    for (index, next) in bases.enumerated().dropFirst() {
      let older = try base(of: Array(bases[..<index]), and: next)
      merged = try merged.adding(
        Merged(contents: store.loadContents(of: next), path: next.path, decisions: []),
        base: older, labels: MergeLabels())
      if !merged.decisions.allSatisfy({ $0.kind != .clash }) { return older }
    }
    return merged
  }

  private func labels(_ done: [FileVersion], _ version: FileVersion) -> MergeLabels {
    func label(_ version: FileVersion) -> String { "\(version.author) (\(version.savingDevice))" }
    var names = (
      ours: done.map(label).joined(separator: ", "), theirs: label(version)
    )
    // Two versions from one device: their ids tell them apart.
    if names.ours == names.theirs {
      names.ours += " \(conflict.current.id.short)"
      names.theirs += " \(version.id.short)"
    }
    return MergeLabels(base: "base", ours: names.ours, theirs: names.theirs)
  }
}

/// Versions merged so far.
private struct Merged {
  var contents: VersionContents
  var path: String
  var decisions: [MergeDecision]
  var text: TextMerge?

  var bytes: [UInt8]? {
    guard case .file(let bytes, _) = contents else { return nil }
    return bytes
  }

  /// Merges one more version in.
  func adding(_ other: Merged, base: Merged?, labels: MergeLabels) throws -> Merged {
    var result = try mergingContents(
      MergeSides(base: base?.contents, ours: contents, theirs: other.contents), labels: labels)
    result.mergePath(MergeSides(base: base?.path, ours: path, theirs: other.path), labels: labels)
    result.decisions = decisions + result.decisions
    return result
  }

  private func mergingContents(
    _ sides: MergeSides<VersionContents>, labels: MergeLabels
  ) throws -> Merged {
    let options = MergeOptions(labels: labels)
    switch (sides.ours, sides.theirs) {
    case (.deleted, .deleted):
      return Merged(contents: .deleted, path: path, decisions: [])
    case (.file(let ours, let oursRuns), .file(let theirs, let theirsRuns)):
      var baseBytes: [UInt8]?
      var baseRuns: Bool?
      if case .file(let bytes, let runs)? = sides.base { (baseBytes, baseRuns) = (bytes, runs) }
      let documents = MergeSides(base: baseBytes, ours: ours, theirs: theirs)
      let (outcome, text) = try mergingFile(documents, options: options)
      // Two values: where the sides differ, one of them is base's, and the other one the change.
      let runs =
        oursRuns == theirsRuns ? oursRuns : baseRuns.map { !$0 } ?? (oursRuns || theirsRuns)
      return Merged(
        contents: .file(outcome.bytes, isExecutable: runs), path: path,
        decisions: outcome.decisions, text: text)
    case (.package(let ours), .package(let theirs)):
      var base: [PackageEntry]?
      if case .package(let entries)? = sides.base { base = entries }
      return try mergingPackages(
        MergeSides(base: base, ours: ours, theirs: theirs), options: options)
    case (.largeFile(let ours), .largeFile(let theirs)) where ours == theirs:
      return Merged(contents: sides.ours, path: path, decisions: [])
    case (.largeFile, _), (_, .largeFile):
      return mergingWhole(sides, labels: labels)
    default:
      return wholeClash(sides, labels: labels)
    }
  }

  /// Merges the bytes of files by the engine for the document's name.
  ///
  /// - Returns: what it came to, and the same by lines where these can be asked about: whatever the engine.
  private func mergingFile(
    _ documents: MergeSides<[UInt8]>, options: MergeOptions
  ) throws -> (outcome: MergeOutcome, text: TextMerge?) {
    let engines = MergeEngines()
    let engine = engines.engine(forFileName: path)
    if let lines = engine as? TextMergeEngine {
      let text = try lines.pieces(of: documents, options: options)
      return (try text.outcome(), text)
    }
    let outcome = try engine.merge(documents, options: options)
    guard !outcome.isComplete else { return (outcome, nil) }
    let lines = engines.textEngine(forFileName: path)
    return (outcome, try lines.pieces(of: documents, options: options))
  }

  /// Takes the side that changed; somebody has to choose where both did.
  private func mergingWhole(
    _ sides: MergeSides<VersionContents>, labels: MergeLabels
  ) -> Merged {
    func isBase(_ side: VersionContents) -> Bool {
      guard case .largeFile(let base)? = sides.base, case .largeFile(let file) = side else {
        return false
      }
      return base == file
    }
    if isBase(sides.ours) || isBase(sides.theirs) {
      let (taken, kind, name): (VersionContents, MergeDecision.Kind, String) =
        isBase(sides.ours)
        ? (sides.theirs, .theirs, labels.theirs) : (sides.ours, .ours, labels.ours)
      return Merged(
        contents: taken, path: path,
        decisions: [MergeDecision(kind: kind, explanation: "Only \(name) changed the file.")])
    }
    return wholeClash(sides, labels: labels)
  }

  private func mergingPackages(
    _ sides: MergeSides<[PackageEntry]>, options: MergeOptions
  ) throws -> Merged {
    let members = MergeSides(
      base: try sides.base.map(PackageMember.members),
      ours: try PackageMember.members(of: sides.ours),
      theirs: try PackageMember.members(of: sides.theirs))
    let outcome = try PackageMergeEngine(choosing: {
      MergeEngines().engine(forFileName: $0.description)
    })
    .merge(members, options: options)
    return Merged(
      contents: .package(outcome.members.map { $1.entry(at: $0) }), path: path,
      decisions: outcome.decisions)
  }

  /// Deleted against edited, or a file against a package: somebody has to choose.
  ///
  /// Shown is what exists.
  private func wholeClash(_ sides: MergeSides<VersionContents>, labels: MergeLabels) -> Merged {
    let shown = if case .deleted = sides.ours { sides.theirs } else { sides.ours }
    return Merged(
      contents: shown, path: path,
      decisions: [
        MergeDecision(
          kind: .clash, ours: sides.ours.words, theirs: sides.theirs.words,
          explanation: """
            \(labels.ours) has \(sides.ours.words), \(labels.theirs) has \(sides.theirs.words).
            """)
      ])
  }

  /// The name is merged apart from the contents: renamed here and edited there is no contradiction.
  private mutating func mergePath(_ sides: MergeSides<String>, labels: MergeLabels) {
    if sides.ours == sides.theirs || sides.base == sides.theirs {
      path = sides.ours
    } else if sides.base == sides.ours {
      path = sides.theirs
      decisions.append(
        MergeDecision(
          kind: .theirs, base: sides.base, ours: sides.ours, theirs: sides.theirs,
          explanation: "\(labels.theirs) renamed the document to “\(sides.theirs)”."))
    } else {
      path = sides.ours
      decisions.append(
        MergeDecision(
          kind: .clash, base: sides.base, ours: sides.ours, theirs: sides.theirs,
          explanation: "The document was renamed to “\(sides.ours)” and to “\(sides.theirs)”."))
    }
  }
}

extension VersionContents {
  fileprivate var words: String {
    switch self {
    case .file, .largeFile: "a file"
    case .package: "a package"
    case .deleted: "deleted it"
    }
  }
}

extension PackageMember {
  /// The members that a merge works on.
  fileprivate static func members(of entries: [PackageEntry]) throws -> [PackagePath: PackageMember]
  {
    var members: [PackagePath: PackageMember] = [:]
    for entry in entries {
      let path = try PackagePath(Array(entry.path.joined(separator: [UInt8(ascii: "/")])))
      members[path] =
        switch entry.kind {
        case .file(let identity, let isExecutable, let read):
          .file(PackageFile(identity: identity, isExecutable: isExecutable, read: read))
        case .symbolicLink(let target): .symbolicLink(target: target)
        case .folder: .folder
        }
    }
    return members
  }
}

extension MergedMember {
  /// The member as the store takes it.
  fileprivate func entry(at path: PackagePath) -> PackageEntry {
    let names = path.bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
    switch self {
    case .kept(.file(let file)):
      return PackageEntry(
        path: names,
        kind: .file(identity: file.identity, isExecutable: file.isExecutable, read: file.read))
    case .kept(.symbolicLink(let target)):
      return PackageEntry(path: names, kind: .symbolicLink(target: target))
    case .kept(.folder):
      return PackageEntry(path: names, kind: .folder)
    case .merged(let bytes, let isExecutable):
      return PackageEntry(
        path: names, kind: .file(identity: "", isExecutable: isExecutable, read: { bytes }))
    }
  }
}
