internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

extension Saving {
  /// Makes a version of a document's contents from before another program wrote or removed its file.
  ///
  /// If the document shows the version that these contents are based on, it shows the new version from then
  /// on, and the present file is an edit of it.
  ///
  /// - Parameters:
  ///   - document: the document, which need not be on disk.
  ///   - base: the version that the contents are based on; `nil` if there is none.
  ///   - isRead: whether the other program certainly read these contents before it wrote; otherwise, a text
  ///     that shows nothing of them counts as based on `base`.
  ///   - write: writes the contents to a path without an item.
  /// - Returns: the version; an existing one if it has the same contents.
  func saveFormer(
    of document: URL, base: FileVersion?, isRead: Bool, write: (URL) throws -> Void
  ) throws -> SaveOutcome {
    let location = try DocumentLocation(of: document)
    return try environment.reportingErrors(of: location) {
      let folder = ContainerFile.temporary.path(in: location.container)
        .appending(DocumentIdentifier.random().description)
      try Folder.create(folder, permissions: 0o700)
      defer { tidyUp { try Folder.removeTree(folder) } }
      let place = folder.appending("contents")
      try write(URL(filePath: place.string))
      let copy = try WorkingCopy.read(
        place, named: ContainerPath.name(of: location.path),
        leavingOut: IgnoreRules(forMembersOf: location), clock: environment.fileClock,
        meter: environment.meter)
      if try !location.hasVersions(by: environment.fileClock) {
        _ = try beginStore(of: location, base: base, identifier: .random(), holding: copy)
      }
      return try environment.changing(location) { reader in
        let base = try base.map { try reader.knownRecord($0) }
        let shown = try reader.heads.base()
        // Another program may have made a version of them in the meantime. An older version with the same
        // contents doesn't count.
        let same = try
          ([base, shown].compactMap { $0 }
          + reader.chain.contents().keys.map { try reader.record($0) })
          .first { record in
            guard copy.content.isSame(as: record.content) else { return false }
            guard let base, record.id != base.id else { return true }
            return try !reader.objects.isAncestor(record.id, of: base.id)
          }
        var facts = try reader.facts(
          .save, following: base, content: copy.content, modified: copy.modified)
        if let permissions = copy.permissions { facts.permissions = permissions }
        func outcome(_ id: ObjectID?) throws -> SaveOutcome {
          SaveOutcome(
            version: try id.map { try reader.version($0) } ?? reader.currentVersion(),
            isNew: same == nil, missedVersion: nil,
            isInConflict: try reader.heads.divergent().count > 1)
        }
        return StorePlan(preview: try outcome(same?.id)) { [facts] writer in
          if let same { return try outcome(same.id) }
          let isShown = base?.id == shown?.id
          let record = try writer.append(facts, to: base, of: copy)
          if isShown {
            if !isRead { try Arrivals.record(record, in: reader) }
            try writer.setBase(record)
          }
          return try outcome(record.id)
        }
      }
    }
  }
}
