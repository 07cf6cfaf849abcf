internal import DocumentMerge
internal import DocumentStore

extension MergeSides<VersionContents> {
  /// Returns whether a side is the same large file as the base.
  func isBase(_ side: VersionContents) -> Bool {
    guard case .largeFile(let base)? = base, case .largeFile(let file) = side else { return false }
    return base == file
  }
}

extension VersionContents {
  /// Returns whether both are identical.
  func isSame(as other: VersionContents) throws -> Bool {
    switch (self, other) {
    case (.deleted, .deleted): true
    case (.file(let bytes, let runs), .file(let others, let othersRun)):
      bytes == others && runs == othersRun
    case (.largeFile(let file), .largeFile(let other)): file == other
    case (.package(let entries), .package(let others)):
      try PackageMember.members(of: entries) == PackageMember.members(of: others)
    default: false
    }
  }

  /// A few words for messages.
  var words: String {
    switch self {
    case .file, .largeFile: "a file"
    case .package: "a package"
    case .deleted: "deleted it"
    }
  }
}

extension PackageMember {
  /// Returns the members that a merge works on.
  static func members(of entries: [PackageEntry]) throws -> [PackagePath: PackageMember] {
    var members: [PackagePath: PackageMember] = [:]
    for entry in entries {
      let path = try PackagePath(Array(entry.path.joined(separator: [UInt8(ascii: "/")])))
      members[path] =
        switch entry.kind {
        case .file(let identity, let isExecutable, let size, let read):
          .file(PackageFile(identity: identity, isExecutable: isExecutable, size: size, read: read))
        case .symbolicLink(let target): .symbolicLink(target: target)
        case .folder: .folder
        }
    }
    return members
  }
}
