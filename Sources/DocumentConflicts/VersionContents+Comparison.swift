internal import DocumentMerge
internal import DocumentStore

extension MergeSides<VersionContents> {
  /// Whether a large file is what both sides started from.
  func isBase(_ side: VersionContents) -> Bool {
    guard case .largeFile(let base)? = base, case .largeFile(let file) = side else { return false }
    return base == file
  }
}

extension VersionContents {
  /// Whether both are the same, bit by bit.
  func isSame(as other: VersionContents) -> Bool {
    switch (self, other) {
    case (.deleted, .deleted): true
    case (.file(let bytes, let runs), .file(let others, let othersRun)):
      bytes == others && runs == othersRun
    case (.largeFile(let file), .largeFile(let other)): file == other
    case (.package(let entries), .package(let others)):
      entries.count == others.count
        && Set(entries.map(EntryIdentity.init)) == Set(others.map(EntryIdentity.init))
    default: false
    }
  }

  /// What they are, in few words.
  var words: String {
    switch self {
    case .file, .largeFile: "a file"
    case .package: "a package"
    case .deleted: "deleted it"
    }
  }
}

/// What tells a member of a package from others.
private struct EntryIdentity: Hashable {
  private let path: [[UInt8]]
  private let contents: String
  private let isExecutable: Bool

  init(_ entry: PackageEntry) {
    path = entry.path
    switch entry.kind {
    case .file(let identity, let isExecutable, _, _):
      (contents, self.isExecutable) = ("file " + identity, isExecutable)
    case .symbolicLink(let target):
      (contents, isExecutable) = ("link " + target.map(String.init).joined(separator: " "), false)
    case .folder: (contents, isExecutable) = ("folder", false)
    }
  }
}
