internal import DocumentVersions
internal import Foundation

/// A version in the reports of all commands.
///
/// | key | value |
/// | --- | --- |
/// | `id` | the identifier, 40 hexadecimal digits |
/// | `date` | the time when the contents were modified, in UTC with milliseconds; `saved`: the time of the save |
/// | `author`, `device` | the author of the edits, and the device of the save |
/// | `kind` | save, restore, merge, resolve, join, delete, rename (also to another folder), move (here from another container), add, import, remove, undo |
/// | `name` | the document's name at the time |
/// | `note` | the author’s note, or null |
/// | `bytes`, `package` | the size of all files, and whether the document is a folder |
/// | `current`, `conflict`, `resolved`, `local`, `discardable`, `pinned` | as in `FileVersion` |
/// | `parents` | the identifiers of the versions that it is based on |
struct VersionReport: Encodable, Sendable {
  private enum Key: CodingKey {
    case id, date, saved, author, device, kind, name, note, bytes, package
    case current, conflict, resolved, local, discardable, pinned, parents
  }

  let version: FileVersion

  init(_ version: FileVersion) {
    self.version = version
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(version.id.description, forKey: .id)
    try container.encode(Timestamp.text(version.modificationDate), forKey: .date)
    try container.encode(Timestamp.text(version.savingDate), forKey: .saved)
    try container.encode(version.author, forKey: .author)
    try container.encode(version.savingDevice, forKey: .device)
    try container.encode(version.kind.rawValue, forKey: .kind)
    try container.encode(version.localizedName, forKey: .name)
    try container.encode(version.note, forKey: .note)
    try container.encode(version.size, forKey: .bytes)
    try container.encode(version.isPackage, forKey: .package)
    try container.encode(version.isCurrent, forKey: .current)
    try container.encode(version.isConflict, forKey: .conflict)
    try container.encode(version.isResolved, forKey: .resolved)
    try container.encode(version.hasLocalContents, forKey: .local)
    try container.encode(version.isDiscardable, forKey: .discardable)
    try container.encode(version.isPinned, forKey: .pinned)
    try container.encode(version.parents.map(\.description), forKey: .parents)
  }
}

/// The versions that a command affected: `{"document", "versions"}`, the path and the versions.
struct VersionsReport: Encodable {
  let document: String
  let versions: [VersionReport]

  init(document: String, _ versions: [FileVersion]) {
    self.document = document
    self.versions = versions.map(VersionReport.init)
  }
}

/// The present version of a document: `{"document", "version"}`, for commands that delete or rename it.
struct CurrentReport: Encodable {
  let document: String
  let version: VersionReport

  /// - Parameter path: the document's path afterward; `nil` for its present path.
  init(_ version: FileVersion, at path: String? = nil) {
    document = path ?? version.documentURL.path
    self.version = VersionReport(version)
  }
}
