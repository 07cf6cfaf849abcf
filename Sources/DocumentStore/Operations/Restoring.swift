internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// The outcome of restoring a version.
public struct RestoreOutcome: Sendable {
  /// The new current version, with the restored contents.
  public let version: FileVersion
  /// True if a version was made; false if the current version already had these contents.
  public let isNew: Bool
  /// The version that was made of the document's unsaved edits; `nil` if there were none.
  public let keptEdits: FileVersion?
}

/// Restores earlier contents as new versions.
struct Restoring {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Restores a version; see ``VersionStore/restore(_:of:)``.
  func restore(_ version: FileVersion, of document: URL? = nil) throws -> RestoreOutcome {
    try environment.changing(document ?? version.documentURL) { reader in
      let wanted = try reader.localRecord(version)
      _ = try reader.contents.item(of: wanted)
      let present = try reader.document.copy()
      if wanted.content.map({ present?.content.isSame(as: $0) != true }) == true {
        try LiveDatabase.refuseWriting(reader.location.document)
      }
      return StorePlan(
        preview: RestoreOutcome(version: version, isNew: false, keptEdits: nil)
      ) { writer in
        let kept = try writer.keepEdits(present, isWrittenOver: true)
        let staged = try writer.stage(wanted, replacing: present)
        let current = try reader.heads.current()
        let former = try writer.referenceState()
        var record = current
        if wanted.content != current.content {
          var facts = try reader.facts(
            .restore, following: current, content: wanted.content,
            modified: wanted.facts.modified)
          facts.from = wanted.id.description
          facts.permissions = try reader.permissions(of: wanted, replacing: present)
          record = try writer.append(facts, to: current, isInCharge: true)
        }
        try writer.show(record, replacing: present, staged: staged, orElse: former)
        return try outcome(record, after: current, keeping: kept, in: reader)
      }
    }
  }

  /// Restores one member of a package; see ``VersionStore/restore(_:member:of:)``.
  func restore(
    _ version: FileVersion, member: String, of document: URL? = nil
  ) throws -> RestoreOutcome {
    try environment.changing(document ?? version.documentURL) { reader in
      let wanted = try reader.localRecord(version)
      let found = try reader.contents.member(member, of: wanted)
      let (present, root) = try packageOnDisk(in: reader)
      let restoration = try MemberRestoration(found, of: wanted, into: root, in: reader)
      return StorePlan(
        preview: RestoreOutcome(version: version, isNew: false, keptEdits: nil)
      ) { writer in
        let kept = try writer.keepEdits(present)
        let former = try writer.referenceState()
        let base = try reader.heads.base() ?? reader.heads.current()
        var record = base
        if !restoration.content.isSame(as: present.content) {
          let staged = try StagedVersion(
            restoration.item.recorded(wanted.facts.permissions), isPackage: true,
            replacing: present, modified: wanted.facts.modifiedInNanoseconds, in: reader)
          var facts = try reader.facts(.restore, following: base, content: restoration.content)
          facts.from = wanted.id.description
          facts.permissions = try reader.permissions(of: wanted, replacing: present)
          record = try writer.append(
            facts, to: base, of: present, and: restoration.objects, isInCharge: true)
          try writer.show(record, replacing: present, staged: staged, orElse: former)
        }
        return try outcome(record, after: base, keeping: kept, in: reader)
      }
    }
  }

  private func outcome(
    _ record: Record, after former: Record, keeping kept: Record?, in reader: StoreReader
  ) throws -> RestoreOutcome {
    RestoreOutcome(
      version: try reader.version(record.id), isNew: record.id != former.id,
      keptEdits: try kept.map { try reader.version($0.id) })
  }

  /// Reads the package on disk.
  private func packageOnDisk(
    in reader: StoreReader
  ) throws -> (present: WorkingCopy, root: MemberNode) {
    let place = reader.location.document
    guard let present = try reader.document.copy() else {
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
