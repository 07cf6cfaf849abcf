internal import DocumentFiles

/// The change of one member of a package, or of a document that is a file, between two contents.
///
/// Members are files, links and empty folders, and folders that were renamed as a whole.
package struct MemberChange: Sendable, Hashable {
  /// The kind of difference.
  package enum Kind: String, Sendable, Codable {
    case added, removed, changed
    /// It has another name, or is in another folder; its contents may differ too.
    case renamed
  }

  /// The kind of difference.
  package let kind: Kind
  /// The member before; `nil` for an added member.
  package let before: PackageMemberInfo?
  /// The member afterward; `nil` for a removed member.
  package let after: PackageMemberInfo?
  /// Whether it holds other bytes than before, or is another kind of item.
  package let isContentChanged: Bool
  /// Files and links of a folder that was renamed as a whole; 1 for all others.
  package let memberCount: Int

  /// The path in the package, printable, with "/" between folders; the former one of a removed member, and
  /// empty for the document itself.
  package var path: String { (after ?? before)?.path ?? "" }

  /// The path before, where it was another one.
  package var formerPath: String? {
    guard let before, let after, !before.path.hasBytes(of: after.path) else { return nil }
    return before.path
  }

  /// Whether it is another kind of item: a link or a folder in place of a file.
  ///
  /// Of the document itself that means that it became a package, or ceased to be one.
  package var isOtherKind: Bool {
    guard let before, let after else { return false }
    return before.isFile ? !after.isFile : before.kind != after.kind
  }

  /// Whether a file may be run that could not be before.
  package var becameExecutable: Bool { before?.kind == "file" && after?.kind == "executable" }

  /// Whether a file cannot be run any more.
  package var ceasedToBeExecutable: Bool { before?.kind == "executable" && after?.kind == "file" }
}

extension PackageMemberInfo {
  /// Whether it is a file, one that may be run or another.
  var isFile: Bool { kind == "file" || kind == "executable" }
}

/// A change, with access to the bytes before and after.
///
/// Valid while ``VersionStore/comparing(_:_:)`` runs.
package struct MemberDifference {
  package let change: MemberChange
  let before: LocatedMember?
  let after: LocatedMember?

  /// The member's bytes before; a link's target.
  ///
  /// - Parameter limit: how many there may be.
  /// - Returns: `nil` for what is larger, and for folders.
  package func bytesBefore(upTo limit: Int) throws -> [UInt8]? {
    try before?.bytes(upTo: limit)
  }

  /// The same afterwards.
  package func bytesAfter(upTo limit: Int) throws -> [UInt8]? {
    try after?.bytes(upTo: limit)
  }
}

extension ChangeCounts {
  /// Counts members; of a folder that was renamed those that it holds.
  package init(_ changes: [MemberChange]) {
    func count(_ kind: MemberChange.Kind) -> Int {
      changes.reduce(0) { $1.kind == kind ? $0 + $1.memberCount : $0 }
    }
    self.init(
      membersAdded: count(.added), removed: count(.removed), changed: count(.changed),
      renamed: count(.renamed))
  }
}
