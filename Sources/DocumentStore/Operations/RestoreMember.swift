internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// Puts one member of a version back into the package on disk, as a new version; all other members stay as they
  /// are on disk.
  ///
  /// Edits that were not saved become a version first, and the new version follows it. Missing folders on the way
  /// are made; a folder comes back with what it held then, and nothing else. Where something else is in the
  /// member's place, it is replaced. Either all of it is done, or nothing.
  ///
  /// - Parameters:
  ///   - version: the version that has the member.
  ///   - member: the member's path in the package, with "/" between folders; as it is, or as listings show it.
  ///   - document: the document, where it was renamed since the version was listed.
  /// - Returns: ``RestoreOutcome/isNew`` is false when the member on disk is the same already.
  /// - Throws: ``VersionError`` with code `noSuchMember`, or `contentsNotLocal` when the version's contents are
  ///   not on this device; ``FileError`` with code `notFound` when the document is not on disk, and with
  ///   `unsupportedKind` when it is no package now, or when a folder on the way is a file or a link now.
  @discardableResult
  public func restore(
    _ version: FileVersion, member: String, of document: URL? = nil
  ) throws -> RestoreOutcome {
    try changing(document ?? version.documentURL) { store in
      let wanted = try store.localRecord(version)
      let found = try store.member(member, of: wanted)
      let (present, root) = try packageOnDisk(in: store)
      let restoration = try MemberRestoration(found, of: wanted, into: root, of: store)
      if isDryRun { return RestoreOutcome(version: version, isNew: false, keptEdits: nil) }
      let kept = try store.keepEdits(present)
      let former = try store.referenceState()
      let base = try store.base() ?? store.current()
      var record = base
      if !restoration.content.isSame(as: present.content) {
        let staged = try StagedVersion(
          restoration.item, isPackage: true, replacing: present, in: store)
        var facts = try store.facts(.restore, following: base, content: restoration.content)
        facts.from = wanted.id.description
        record = try store.append(facts, to: base, of: present, and: restoration.objects)
        try store.show(record, replacing: present, staged: staged, orElse: former)
      }
      return RestoreOutcome(
        version: try store.version(record.id, for: self), isNew: record.id != base.id,
        keptEdits: try kept.map { try store.version($0.id, for: self) })
    }
  }

  /// The package as it is on disk.
  private func packageOnDisk(
    in store: OpenStore
  ) throws -> (present: WorkingCopy, root: MemberNode) {
    let place = store.location.document
    guard let present = try store.workingCopy() else {
      throw FileError(
        .notFound, path: place,
        message: """
          “\(place.printable)” is not on disk, so no member can be restored into it; restore the whole version first.
          """)
    }
    guard present.content.isPackage else {
      throw FileError(
        .unsupportedKind, path: place,
        message: "“\(place.printable)” is a file now, so no member can be restored into it.")
    }
    return (present, present.root)
  }
}
