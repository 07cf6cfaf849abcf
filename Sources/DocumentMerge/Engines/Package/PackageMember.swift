/// A member of a package.
package enum PackageMember: Sendable, Equatable {
  /// A file.
  case file(PackageFile)
  /// A symbolic link, which is never followed.
  case symbolicLink(target: [UInt8])
  /// An empty folder. Folders with members need no entry, and an entry for one is ignored.
  case folder
}

/// A file in a package.
///
/// Its contents are read only to merge them, or to compare them when looking for renamed files.
package struct PackageFile: Sendable, Equatable {
  /// A name for the contents that is equal if and only if the bytes are equal.
  package let identity: String
  /// True if the file is executable.
  package let isExecutable: Bool
  /// The size of the contents, in bytes; `nil` if only reading them shows it.
  package let size: Int?
  /// Reads the contents.
  package let read: @Sendable () throws -> [UInt8]

  /// Creates a file, whose identity is equal if and only if the bytes are.
  ///
  /// With a size, contents that are too large to be compared aren't read.
  package init(
    identity: String, isExecutable: Bool = false, size: Int? = nil,
    read: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.identity = identity
    self.isExecutable = isExecutable
    self.size = size
    self.read = read
  }

  /// Compares the identities of the contents, and the executable bits.
  package static func == (left: PackageFile, right: PackageFile) -> Bool {
    left.identity == right.identity && left.isExecutable == right.isExecutable
  }
}

extension PackageMember {
  /// A short description of the member, for a decision.
  var words: String {
    switch self {
    case .file(let file): file.isExecutable ? "executable file" : "file"
    case .symbolicLink(let target): "link to \(excerpt(target))"
    case .folder: "folder"
    }
  }
}
