import DocumentVersions
import Foundation

/// An app's document as the guides recommend it: a note with a picture and metadata, each a member of a package.
///
/// Only members that have changed since the package was read are created, when it is written.
final class ImageNotes {
  static let textKey = "Text.txt"
  static let imageKey = "Image.png"
  static let metadataKey = "Metadata.plist"
  /// The newest form of the package that this app knows.
  static let knownFormat = 2

  /// The reason why a package isn't opened.
  enum Refusal: Error, Equatable {
    /// A member that every note has is missing or unreadable.
    case damaged(String)
    /// A member is unknown, or has the wrong kind.
    case untrusted(String)
    /// A newer app wrote it: it can be read, and must not be written.
    case newerFormat(Int)
  }

  private struct Metadata: Codable {
    var format: Int
    var isTextHidden: Bool
  }

  private let wrapper: DocumentWrapper
  private var metadata: Metadata
  let isReadOnly: Bool

  /// A new note.
  init() throws {
    wrapper = try DocumentWrapper(directoryWithFileWrappers: [:])
    metadata = Metadata(format: Self.knownFormat, isTextHidden: false)
    isReadOnly = false
  }

  /// Opens a note that may come from anywhere.
  init(opening url: URL) throws {
    wrapper = try DocumentWrapper(url: url)
    guard wrapper.isDirectory else { throw Refusal.untrusted("") }
    for (name, member) in try wrapper.fileWrappers {
      let isKnown = [Self.textKey, Self.imageKey, Self.metadataKey].contains(name)
      guard isKnown, member.isRegularFile else { throw Refusal.untrusted(name) }
    }
    guard let member = try wrapper.fileWrappers[Self.metadataKey] else {
      throw Refusal.damaged(Self.metadataKey)
    }
    do {
      metadata = try PropertyListDecoder().decode(Metadata.self, from: member.regularFileContents)
    } catch is DecodingError {
      throw Refusal.damaged(Self.metadataKey)
    }
    isReadOnly = metadata.format > Self.knownFormat
  }

  var text: String {
    get throws {
      guard let member = try wrapper.fileWrappers[Self.textKey] else { return "" }
      return String(decoding: try member.regularFileContents, as: UTF8.self)
    }
  }

  var image: Data? {
    get throws { try wrapper.fileWrappers[Self.imageKey]?.regularFileContents }
  }

  var isTextHidden: Bool { metadata.isTextHidden }

  func setText(_ text: String) throws { try set(Data(text.utf8), for: Self.textKey) }

  func setImage(_ image: Data) throws { try set(image, for: Self.imageKey) }

  func setTextHidden(_ isHidden: Bool) throws {
    metadata.isTextHidden = isHidden
    try invalidate(Self.metadataKey)
  }

  /// Writes the note in place, or for the first time.
  func save(to url: URL) throws {
    guard !isReadOnly else { throw Refusal.newerFormat(metadata.format) }
    if try wrapper.fileWrappers[Self.metadataKey] == nil {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .xml
      try set(encoder.encode(metadata), for: Self.metadataKey)
    }
    let isThere = FileManager.default.fileExists(atPath: url.path)
    try wrapper.write(
      to: url, options: [.atomic, .withNameUpdating], originalContentsURL: isThere ? url : nil)
  }

  private func set(_ data: Data, for key: String) throws {
    try invalidate(key)
    try wrapper.addRegularFile(withContents: data, preferredFilename: key)
  }

  /// Removes an outdated member; the next save creates it again.
  private func invalidate(_ key: String) throws {
    if let member = try wrapper.fileWrappers[key] { try wrapper.removeFileWrapper(member) }
  }
}
