/// A package as a tree: unlike a list of paths, it cannot hold a member below a file.
indirect enum PackageNode: Equatable {
  typealias Name = ArraySlice<UInt8>

  /// A file or a link.
  case leaf(PackageMember)
  /// A folder; without children it is one that is really there and empty.
  case folder([Name: PackageNode])

  /// Deeper packages are refused, long before recursion gets into trouble.
  static let depthLimit = 512

  /// Builds the tree of a package.
  /// - Throws: ``MergeError`` if a member stands below one that is not a folder, or too deep.
  init(_ members: [PackagePath: PackageMember]) throws(MergeError) {
    try self.init(members.map { (names: $0.key.names[...], member: $0.value, path: $0.key) })
  }

  private typealias Entry = (names: ArraySlice<Name>, member: PackageMember, path: PackagePath)

  private init(_ entries: [Entry]) throws(MergeError) {
    // An entry without names left is this node itself; one for a folder says nothing more.
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

  /// The node in few words, for a decision.
  var words: String {
    switch self {
    case .leaf(let member): member.words
    case .folder: PackageMember.folder.words
    }
  }

  /// The same, as a clash shows it.
  var wordBytes: [UInt8] { Array(words.utf8) }

  /// The file, if it is one.
  var file: PackageFile? {
    if case .leaf(.file(let file)) = self { file } else { nil }
  }

  /// A folder's children; `nil` for a leaf.
  var children: [Name: PackageNode]? {
    if case .folder(let children) = self { children } else { nil }
  }
}
