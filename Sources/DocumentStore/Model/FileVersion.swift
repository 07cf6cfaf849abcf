package import DocumentGit
public import Foundation

/// A snapshot of one document at one moment, with its author, its device and its time.
///
/// The Linux counterpart of `NSFileVersion`. A value: it holds the state at the time of the request; ask again for a
/// later one. Two values are equal when they stand for the same version.
///
/// The functions that read or write wait for the disk, and for at most ``VersionStore/lockTimeout``
/// for other processes, on a thread of their own.
public struct FileVersion: Sendable, Identifiable {
  let listed: ListedVersion
  let listing: Listing
  /// Whether it is a side of an unresolved conflict.
  let isUnresolved: Bool
  /// Whether it is the document's current version, the same one on every device.
  ///
  /// That is not always the newest one.
  public let isCurrent: Bool

  /// The facts that versions of one list share.
  final class Listing: Sendable {
    let document: URL
    /// The heads when they were listed: as long as they stay, so do the contents.
    let state: ReferenceDigest
    /// The environment in which they were found.
    let environment: StoreEnvironment

    init(of document: URL, at state: ReferenceDigest, environment: StoreEnvironment) {
      self.document = document
      self.state = state
      self.environment = environment.afterOperation
    }

    fileprivate init(_ other: Listing, in environment: StoreEnvironment) {
      document = other.document
      state = other.state
      self.environment = environment
    }
  }

  /// The same version, for operations in another environment.
  func inEnvironment(_ environment: StoreEnvironment) -> FileVersion {
    FileVersion(
      listed: listed, listing: Listing(listing, in: environment), isUnresolved: isUnresolved,
      isCurrent: isCurrent)
  }

  /// The version's identity, stable across processes and devices (`persistentIdentifier`).
  public var persistentIdentifier: PersistentIdentifier { PersistentIdentifier(listed.id) }
  /// The document.
  public var documentURL: URL { listing.document }
  /// The operation that made the version.
  public var kind: VersionKind { listed.kind }
  /// The document's name at the time, which a later rename does not change (`localizedName`).
  public var localizedName: String { ContainerPath.name(of: path) }
  /// The document's path in its container at the time, with "/" between folders.
  package var path: String { listed.names.path }
  /// When the document's contents were modified (`modificationDate`).
  public var modificationDate: Date { Date(milliseconds: listed.modified) }
  /// When the version was made; always later than the versions that it was made from.
  public var savingDate: Date { Date(milliseconds: listed.date) }
  /// The person who edited.
  public var author: String { listed.names.author }
  /// The device that saved (`localizedNameOfSavingComputer`); not updated when the device is renamed.
  public var savingDevice: String { listed.names.device }
  /// The person's note about the version.
  public var note: String? { listed.note }
  /// Bytes of all files.
  public var size: Int { listed.bytes }
  /// Files and links; 1 for a document that is a file, 0 for a deletion.
  package var fileCount: Int { listed.files }
  /// Whether the document was a folder.
  package var isPackage: Bool { listed.flags.contains(.package) }
  /// Whether the version stands for the document's deletion, whatever made it: it has no contents.
  public var isDeletion: Bool { listed.flags.contains(.deletion) }
  /// The versions that this one was made from; the first is the line that it continues.
  package var parents: [PersistentIdentifier] { listed.parents.map(PersistentIdentifier.init) }

  /// Whether a conflict made this version an alternative to the current one; never turns false again.
  public var isConflict: Bool { isUnresolved || listed.flags.contains(.settled) }
  /// Whether the version isn't in an unresolved conflict: false for a conflict version until it is marked as resolved.
  public var isResolved: Bool { !isUnresolved }
  /// Whether the contents may be dropped when space is needed.
  public var isDiscardable: Bool { listed.flags.contains(.discardable) }
  /// Whether the contents are kept on this device until the version is unpinned.
  public var isPinned: Bool { listed.flags.contains(.pinned) }
  /// Whether the contents are on this device.
  public var hasLocalContents: Bool { listed.content != nil }

  var environment: StoreEnvironment { listing.environment }

  /// The same as ``persistentIdentifier``.
  public var id: PersistentIdentifier { persistentIdentifier }

  /// The person who edited, unless that is the present user (`originatorNameComponents`).
  ///
  /// Compiled into the calling program, so that other programs do not link Foundation's code for names.
  @_alwaysEmitIntoClient
  public var originatorNameComponents: PersonNameComponents? {
    guard isOfAnother else { return nil }
    var names = author.split(separator: " ").map(String.init)
    var components = PersonNameComponents()
    if names.count > 1 { components.familyName = names.removeLast() }
    components.givenName = names.joined(separator: " ")
    return components
  }

  @usableFromInline var isOfAnother: Bool { author != environment.identity.author }

  /// The version's identity: the hash of its record.
  public struct PersistentIdentifier: Hashable, Sendable, Codable, CustomStringConvertible {
    package let objectID: ObjectID

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
    package var short: String { objectID.digits(7) }
  }
}

extension Date {
  /// A time as records have it.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The same, in milliseconds since 1970; the nearest that a record can have for what no clock shows.
  package var milliseconds: Int64 {
    let latest = Double(Record.Facts.latestDate)
    let time = (timeIntervalSince1970 * 1_000).rounded()
    return time.isNaN ? 0 : Int64(min(max(time, -latest), latest))
  }
}

extension FileVersion: Hashable {
  /// Returns whether both stand for the same version.
  public static func == (left: FileVersion, right: FileVersion) -> Bool {
    left.persistentIdentifier == right.persistentIdentifier
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(persistentIdentifier)
  }
}
