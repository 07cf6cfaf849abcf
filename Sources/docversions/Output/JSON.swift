internal import DocumentVersions
internal import Foundation

/// JSON as every command writes it: one line, sorted keys.
enum JSON {
  /// The value as one line, with what could steer a terminal escaped.
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// All that is outside ASCII stands in strings, where an escape means the same.
  private static func escaped(_ text: String) -> String {
    guard Printable.text(text) != text else { return text }
    return text.unicodeScalars.map { scalar in
      let character = String(scalar)
      guard Printable.text(character) != character else { return character }
      return character.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }
}

/// A value that is written as null where there is none, so that the keys are always the same.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension Nullable: Sendable where Value: Sendable {}

/// A version, as every command writes it.
///
/// | key | value |
/// | --- | --- |
/// | `id` | the identifier, 40 hexadecimal digits |
/// | `date` | when the contents were modified, in UTC with milliseconds; `saved`: when the version was made |
/// | `author`, `device` | who edited, and which device saved |
/// | `kind` | save, restore, merge, resolve, join, delete, rename, add, import, undo |
/// | `name` | the document's name at the time |
/// | `note` | what the person said, or null |
/// | `bytes`, `package` | the size of all files, and whether the document is a folder |
/// | `current`, `conflict`, `resolved`, `local`, `discardable`, `pinned` | as `FileVersion` has them |
/// | `parents` | the identifiers of the versions that it was made from |
struct VersionJSON: Encodable, Sendable {
  let id, date, saved, author, device, kind, name: String
  @Nullable var note: String?
  let bytes: Int
  let package, current, conflict, resolved, local, discardable, pinned: Bool
  let parents: [String]

  init(_ version: FileVersion) {
    id = version.id.description
    date = Timestamp.text(version.modificationDate)
    saved = Timestamp.text(version.savingDate)
    author = version.author
    device = version.savingDevice
    kind = version.kind.rawValue
    name = version.localizedName
    note = version.note
    bytes = version.size
    package = version.isPackage
    current = version.isCurrent
    conflict = version.isConflict
    resolved = version.isResolved
    local = version.hasLocalContents
    discardable = version.isDiscardable
    pinned = version.isPinned
    parents = version.parents.map(\.description)
  }
}
