/// A package as a tree, which unlike a list of paths can't have a member below a file.
indirect enum PackageNode: Equatable {
  typealias Name = ArraySlice<UInt8>

  /// A file or a link.
  case leaf(PackageMember)
  /// A folder; one without children is an empty folder in the package.
  case folder([Name: PackageNode])

  /// The maximum depth of packages; deeper ones are refused, long before recursion becomes a problem.
  static let depthLimit = 512

  /// Builds the tree of a package.
  /// - Throws: ``MergeError`` if a member is below one that isn't a folder, or nested too deeply.
  init(_ members: [PackagePath: PackageMember]) throws(MergeError) {
    try self.init(members.map { (names: $0.key.names[...], member: $0.value, path: $0.key) })
  }

  private typealias Entry = (names: ArraySlice<Name>, member: PackageMember, path: PackagePath)

  private init(_ entries: [Entry]) throws(MergeError) {
    // An entry without remaining names is this node itself; one for a folder adds nothing.
    if let own = entries.first(where: { $0.names.isEmpty && $0.member != .folder }) {
      guard entries.count == 1 else {
        throw MergeError(.invalidPackage, "\(own.path) has members, but isn’t a folder.")
      }
      self = .leaf(own.member)
      return
    }
    var groups: [Name: [Entry]] = [:]
    for entry in entries {
      guard let name = entry.names.first else { continue }
      guard entry.names.endIndex <= Self.depthLimit else {
        throw MergeError(.tooDeep, "\(entry.path) lies more than \(Self.depthLimit) folders deep.")
      }
      groups[name, default: []].append((entry.names.dropFirst(), entry.member, entry.path))
    }
    var children: [Name: PackageNode] = [:]
    for (name, entries) in groups { children[name] = try PackageNode(entries) }
    self = .folder(children)
  }

  /// A short description of the node, for a decision.
  var words: String {
    switch self {
    case .leaf(let member): member.words
    case .folder: PackageMember.folder.words
    }
  }

  /// The description, as a clash shows it.
  var wordBytes: [UInt8] { Array(words.utf8) }

  /// The file; `nil` if the node isn't one.
  var file: PackageFile? {
    if case .leaf(.file(let file)) = self { file } else { nil }
  }

  /// A folder's children; `nil` for a leaf.
  var children: [Name: PackageNode]? {
    if case .folder(let children) = self { children } else { nil }
  }
}
