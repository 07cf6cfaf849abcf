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
/// Its content is only read if it has to be merged, or compared to know a renamed file again.
package struct PackageFile: Sendable, Equatable {
  /// A name for the content, equal if and only if the bytes are equal.
  package let identity: String
  /// Whether the file may be run as a program.
  package let isExecutable: Bool
  /// Bytes of the content; `nil` if only reading it would tell.
  package let size: Int?
  /// Reads the content.
  package let read: @Sendable () throws -> [UInt8]

  /// Creates a file; its identity is equal if and only if the bytes are, and its size saves reading what is too large
  /// to be compared.
  package init(
    identity: String, isExecutable: Bool = false, size: Int? = nil,
    read: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.identity = identity
    self.isExecutable = isExecutable
    self.size = size
    self.read = read
  }

  /// Compares the content, by its identity, and the executable bit.
  package static func == (left: PackageFile, right: PackageFile) -> Bool {
    left.identity == right.identity && left.isExecutable == right.isExecutable
  }
}

extension PackageMember {
  /// The member in few words, for a decision.
  var words: String {
    switch self {
    case .file(let file): file.isExecutable ? "executable file" : "file"
    case .symbolicLink(let target): "link to \(excerpt(target))"
    case .folder: "folder"
    }
  }
}
