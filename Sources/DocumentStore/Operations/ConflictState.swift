internal import DocumentGit
package import Foundation

/// The present conflict: the versions that are not merged yet.
package struct ConflictState: Sendable {
  package let document: URL
  /// The versions, the current one first.
  package let versions: [FileVersion]
  /// The latest common ancestor of all versions.
  package let base: FileVersion?
  /// The version that was made of edits on disk before; `nil` if there were none.
  package let keptEdits: FileVersion?
  /// True if the document was not on disk.
  let isMissing: Bool
}

/// The contents of a version, apart from its store.
package enum VersionContents: Sendable {
  case file([UInt8], isExecutable: Bool)
  /// A file that is too large to compare or merge, and can only be chosen as a whole.
  case largeFile(LargeFile)
  /// A package's files, links and empty folders.
  case package([PackageEntry])
  case deleted
}

/// A file that is compared with others without its bytes.
package struct LargeFile: Hashable, Sendable {
  /// The size above which files are not loaded for comparing and merging.
  package static let threshold = 64 << 20

  /// The digest of its bytes.
  package let digest: String
  /// The size in bytes.
  package let size: Int
  package let isExecutable: Bool

  /// Creates a large file; returns nil for a package, or for a file that is small enough to be loaded.
  init?(_ content: DocumentContent) {
    guard !content.isPackage, content.bytes > Self.threshold else { return nil }
    digest = content.digest
    size = content.bytes
    isExecutable = content.isExecutable
  }
}

/// A file, link or empty folder of a package.
package struct PackageEntry: Sendable {
  package enum Kind: Sendable {
    /// A file of `size` bytes; `identity` is equal for equal bytes.
    case file(
      identity: String, isExecutable: Bool, size: Int, read: @Sendable () throws -> [UInt8])
    case symbolicLink(target: [UInt8])
    case folder
  }

  /// The names in its path.
  package let path: [[UInt8]]
  package let kind: Kind

  package init(path: [[UInt8]], kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// A file with new contents, which may be merged with further versions.
  package init(path: [[UInt8]], newFile bytes: [UInt8], isExecutable: Bool) {
    self.path = path
    kind = .file(
      identity: ObjectID(of: .blob, bytes).description, isExecutable: isExecutable,
      size: bytes.count, read: { bytes })
  }
}

/// The intended result of a conflict.
package struct Settlement: Sendable {
  package enum Contents: Sendable {
    /// The contents of one of the versions.
    case version(FileVersion)
    /// New contents.
    case new(VersionContents)
  }

  package var contents: Contents
  /// The document's resulting path.
  package var path: String
  /// ``VersionKind/resolve`` or ``VersionKind/merge``.
  package var kind: VersionKind
  /// The answers that the contents are based on.
  package var answers: [GivenAnswer]
  /// True if no person has a part in it; then every device that settles the same versions makes the same one.
  package var isAutomatic = false

  package init(
    contents: Contents, path: String, kind: VersionKind, answers: [GivenAnswer] = []
  ) {
    self.contents = contents
    self.path = path
    self.kind = kind
    self.answers = answers
  }
}
