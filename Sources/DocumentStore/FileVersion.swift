internal import DocumentGit
public import Foundation

/// A snapshot of one document at one moment: who saved what, when, on which device.
///
/// The Linux counterpart of `NSFileVersion`. A value: it says what was true when it was asked for; ask again
/// to see what happened since. Two values are equal when they stand for the same version.
///
/// The functions that read or write wait for the disk, and for at most ``VersionStore/lockTimeout``
/// for other processes. Called from `async` code, their asynchronous twins are used, which wait
/// on a thread of their own.
public struct FileVersion: Sendable, Identifiable {
  /// The version's identity, stable across processes and devices (`persistentIdentifier`).
  public let persistentIdentifier: PersistentIdentifier
  /// The document.
  public let documentURL: URL
  /// What made the version.
  public let kind: VersionKind
  /// The document's name at the time, which a later rename does not change (`localizedName`).
  public let localizedName: String
  /// The document's path in its container at the time, with "/" between folders.
  public let path: String
  /// When the document's contents were modified (`modificationDate`).
  public let modificationDate: Date
  /// When the version was made; always later than the versions that it was made from.
  public let savingDate: Date
  /// The person who edited.
  public let author: String
  /// The device that saved (`localizedNameOfSavingComputer`); not updated when the device is renamed.
  public let savingDevice: String
  /// What the person said about the version.
  public let note: String?
  /// Bytes of all files.
  public let size: Int
  /// Files and links; 1 for a document that is a file, 0 for a deletion.
  public let fileCount: Int
  /// Whether the document was a folder.
  public let isPackage: Bool
  /// Whether the version stands for the document's deletion, whatever made it: it has no contents.
  public let isDeletion: Bool
  /// The versions that this one was made from; the first is the line that it continues.
  public let parents: [PersistentIdentifier]

  /// Whether it is the document's current version, the same one on every device.
  ///
  /// That is not always the newest one.
  public let isCurrent: Bool
  /// Whether a conflict made this version an alternative to the current one; never turns false again.
  public let isConflict: Bool
  /// False for a conflict version until it is marked as resolved; true for all others.
  public let isResolved: Bool
  /// Whether the contents may be dropped when space is needed.
  public let isDiscardable: Bool
  /// Whether the contents are kept on this device until somebody unpins them.
  public let isPinned: Bool
  /// Whether the contents are on this device.
  public var hasLocalContents: Bool { content != nil }

  /// The content commit when the version was listed, where the contents were on this device.
  let content: ObjectID?
  /// The heads when it was listed: as long as they stay, so does the content.
  let state: VersionIndex.State

  /// The store through which the version was found.
  let store: VersionStore

  /// The same as ``persistentIdentifier``.
  public var id: PersistentIdentifier { persistentIdentifier }

  /// The device that saved the version, under Apple's name.
  public var localizedNameOfSavingComputer: String { savingDevice }

  /// The person who edited, unless it is the one who asks (`originatorNameComponents`).
  ///
  /// Part of the program that asks: others are not linked with all that Foundation knows of names.
  @_alwaysEmitIntoClient
  public var originatorNameComponents: PersonNameComponents? {
    guard isOfAnother else { return nil }
    var names = author.split(separator: " ").map(String.init)
    var components = PersonNameComponents()
    if names.count > 1 { components.familyName = names.removeLast() }
    components.givenName = names.joined(separator: " ")
    return components
  }

  @usableFromInline var isOfAnother: Bool { author != store.identity.author }

  /// The version's identity: the hash of its record.
  public struct PersistentIdentifier: Hashable, Sendable, Codable, CustomStringConvertible {
    let objectID: ObjectID

    /// 40 hexadecimal digits.
    public var description: String { objectID.description }

    /// Reads an identifier; nil unless it is 40 hexadecimal digits.
    public init?(_ text: String) {
      guard let id = ObjectID(hexadecimal: text) else { return nil }
      self.init(id)
    }

    init(_ id: ObjectID) {
      objectID = id
    }

    /// Reads the 40 digits.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let identifier = Self(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "A version’s identifier has 40 hexadecimal digits.")
      }
      self = identifier
    }

    /// Writes the 40 digits.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }

    /// The first digits, as people type them.
    public var short: String { String(description.prefix(7)) }
  }
}

extension FileVersion: Hashable {
  /// Whether both stand for the same version.
  public static func == (left: FileVersion, right: FileVersion) -> Bool {
    left.persistentIdentifier == right.persistentIdentifier
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(persistentIdentifier)
  }
}
