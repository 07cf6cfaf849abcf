internal import DocumentVersions
internal import Foundation

/// A version for a page.
struct VersionFacts: Encodable {
  let id, author, device, kind: String
  let note: String?
  let date: Double
  let size: Int
  let isCurrent, isConflict, isDeletion, isLocal, isPinned, isDiscardable: Bool

  init(_ version: FileVersion) {
    id = version.id.description
    author = version.author
    device = version.savingDevice
    kind = version.kind.rawValue
    note = version.note
    date = version.modificationDate.timeIntervalSince1970 * 1000
    size = version.size
    isCurrent = version.isCurrent
    isConflict = version.isConflict
    isDeletion = version.isDeletion
    isLocal = version.hasLocalContents
    isPinned = version.isPinned
    isDiscardable = version.isDiscardable
  }
}

/// The contents of a version that are text.
struct ContentsFacts: Encodable {
  let text: String?
  let size: Int
  /// The first bytes of contents that aren't text.
  let head: String?

  init(_ data: Data) {
    size = data.count
    text = data.count > PageFolder.largestText ? nil : String(validating: data, as: UTF8.self)
    head =
      text == nil
      ? data.prefix(256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
      : nil
  }
}
