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

  /// Returns a package with the members, and the missing ones, that two other packages have in common.
  func taking(
    membersOf present: VersionContents, in saved: VersionContents
  ) throws -> VersionContents {
    guard case .package(let own) = self, case .package(let present) = present,
      case .package(let saved) = saved
    else { return self }
    let (first, second) = try (
      PackageMember.members(of: present), PackageMember.members(of: saved)
    )
    func isCommon(_ entry: PackageEntry) throws -> Bool {
      let path = try PackagePath(of: entry)
      return first[path] == second[path]
    }
    return .package(try own.filter { try !isCommon($0) } + present.filter(isCommon))
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
      members[try PackagePath(of: entry)] =
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

extension PackagePath {
  fileprivate init(of entry: PackageEntry) throws {
    try self.init(Array(entry.path.joined(separator: [UInt8(ascii: "/")])))
  }
}
