import DocumentMerge

typealias Package = [PackagePath: PackageMember]

/// Returns a file whose identity is its content.
func file(_ text: String, isExecutable: Bool = false) -> PackageMember {
  .file(PackageFile(identity: text, isExecutable: isExecutable) { Array(text.utf8) })
}

/// A link to a target given as text.
func link(_ target: String) -> PackageMember { .symbolicLink(target: Array(target.utf8)) }

/// A package from paths given as text.
func package(_ members: [String: PackageMember]) throws -> Package {
  var package: Package = [:]
  for (path, member) in members { package[try PackagePath(path)] = member }
  return package
}

func mergePackages(
  _ base: [String: PackageMember]?, _ ours: [String: PackageMember],
  _ theirs: [String: PackageMember], engine: some MergeEngine = engine
) throws -> PackageMergeOutcome {
  try openMerge(base, ours, theirs, engine: engine).outcome()
}

func openMerge(
  _ base: [String: PackageMember]?, _ ours: [String: PackageMember],
  _ theirs: [String: PackageMember], engine: some MergeEngine = engine
) throws -> OpenPackageMerge {
  let sides = MergeSides(
    base: try base.map(package), ours: try package(ours), theirs: try package(theirs))
  return try PackageMergeEngine(choosing: { _ in engine })
    .openMerge(of: sides, options: MergeOptions())
}

extension PackageMergeOutcome {
  /// The merged package with its files' content as text.
  var contents: [String: String] {
    get throws {
      var contents: [String: String] = [:]
      for (path, member) in members { contents[path.description] = try member.shown }
      return contents
    }
  }

  /// The paths of the members that clash.
  var clashes: Set<PackagePath> {
    Set(decisions.filter { $0.kind == .clash }.compactMap(\.place.member))
  }

  /// The decisions' kinds, by path.
  var kinds: [String: [MergeDecision.Kind]] {
    Dictionary(grouping: decisions) { $0.place.member?.description ?? "" }
      .mapValues { $0.map(\.kind) }
  }
}

extension MergedMember {
  /// The member as text: its content, with "*" before that of an executable, and "->" before a link's target.
  var shown: String {
    get throws {
      switch self {
      case .kept(.file(let file)):
        (file.isExecutable ? "*" : "") + String(decoding: try file.read(), as: UTF8.self)
      case .kept(.symbolicLink(let target)): "->" + String(decoding: target, as: UTF8.self)
      case .kept(.folder): "folder"
      case .merged(let bytes, let isExecutable):
        (isExecutable ? "*" : "") + String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
