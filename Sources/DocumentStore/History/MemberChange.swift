internal import DocumentFiles

/// The change of one member of a package, or of a document that is a file, between two contents.
///
/// Members are files, links and empty folders, and folders that were renamed with all their contents.
package struct MemberChange: Sendable, Hashable {
  /// The kind of difference.
  package enum Kind: String, Sendable, Codable {
    case added, removed, changed
    /// The member was renamed or moved; its contents may differ, too.
    case renamed
  }

  /// The kind of difference.
  package let kind: Kind
  /// The member before; `nil` for an added member.
  package let before: PackageMemberInfo?
  /// The member afterward; `nil` for a removed member.
  package let after: PackageMemberInfo?
  /// True if the bytes or the kind of the item differ.
  package let isContentChanged: Bool
  /// The number of files and links in a folder that was renamed with all its contents; 1 for all others.
  package let memberCount: Int

  /// The path in the package, printable, with "/" between folders; the former path of a removed member; empty for the
  /// document itself.
  package var path: String { (after ?? before)?.path ?? "" }

  /// The former path, if it was different.
  package var formerPath: String? {
    guard let before, let after, !before.path.hasBytes(of: after.path) else { return nil }
    return before.path
  }

  /// True if the kind of the item differs, such as a link or a folder in place of a file.
  ///
  /// For the document itself, this means that it became a package or a file.
  package var isOtherKind: Bool {
    guard let before, let after else { return false }
    return before.isFile ? !after.isFile : before.kind != after.kind
  }

  /// True if a file became executable.
  package var becameExecutable: Bool { before?.kind == "file" && after?.kind == "executable" }

  /// True if a file is no longer executable.
  package var ceasedToBeExecutable: Bool { before?.kind == "executable" && after?.kind == "file" }
}

extension PackageMemberInfo {
  /// True if it is a file, executable or not.
  var isFile: Bool { kind == "file" || kind == "executable" }
}

/// A change, with access to the bytes before and after.
///
/// Valid while ``VersionStore/comparing(_:_:)`` runs.
package struct MemberDifference {
  package let change: MemberChange
  let before: LocatedMember?
  let after: LocatedMember?

  /// Returns the member's former bytes, or a link's former target.
  ///
  /// - Parameter limit: the maximum number of bytes.
  /// - Returns: the bytes; `nil` if there are more, and for folders.
  package func bytesBefore(upTo limit: Int) throws -> [UInt8]? {
    try before?.bytes(upTo: limit)
  }

  /// Returns the member's new bytes, or a link's new target.
  package func bytesAfter(upTo limit: Int) throws -> [UInt8]? {
    try after?.bytes(upTo: limit)
  }
}

extension ChangeCounts {
  /// Counts members; for a renamed folder, its members.
  package init(_ changes: [MemberChange]) {
    func count(_ kind: MemberChange.Kind) -> Int {
      changes.reduce(0) { $1.kind == kind ? $0 + $1.memberCount : $0 }
    }
    self.init(
      membersAdded: count(.added), removed: count(.removed), changed: count(.changed),
      renamed: count(.renamed))
  }
}
