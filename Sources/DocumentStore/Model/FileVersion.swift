package import DocumentGit
public import Foundation

/// A snapshot of one document at one moment, with its author, device and time.
///
/// This type corresponds to `NSFileVersion`. It is a value that holds the state at the time of the request; ask again
/// for the present state. Two values are equal if they represent the same version.
///
/// Methods that read or write wait for the disk on a separate thread, and wait at most ``VersionStore/lockTimeout`` for
/// other processes.
public struct FileVersion: Sendable, Identifiable {
  let listed: ListedVersion
  let listing: Listing
  /// True if the version is a side of an unresolved conflict.
  let isUnresolved: Bool
  /// True if this is the document's current version, which is the same on every device.
  ///
  /// The current version isn't always the newest one.
  public let isCurrent: Bool

  /// The facts that versions of one list share.
  final class Listing: Sendable {
    let document: URL
    /// The heads at the time of the listing; while they stay the same, so do the contents.
    let state: ReferenceDigest
    /// The environment of the listing.
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

  /// Returns the same version for operations in another environment.
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
  /// The document's name at that time, which a later rename doesn't change (`localizedName`).
  public var localizedName: String { ContainerPath.name(of: path) }
  /// The document's path in its container at the time, with "/" between folders.
  package var path: String { listed.names.path }
  /// The modification date of the document's contents (`modificationDate`).
  public var modificationDate: Date { Date(milliseconds: listed.modified) }
  /// The date on which the version was made, which is always later than its parents'.
  public var savingDate: Date { Date(milliseconds: listed.date) }
  /// The author of the version.
  public var author: String { listed.names.author }
  /// The device that saved the version, by its name at that time (`localizedNameOfSavingComputer`).
  public var savingDevice: String { listed.names.device }
  /// The author's note about the version.
  public var note: String? { listed.note }
  /// The size of all files, in bytes.
  public var size: Int { listed.bytes }
  /// The number of files and links: 1 for a document that is a file, 0 for a deletion.
  package var fileCount: Int { listed.files }
  /// True if the document was a folder.
  package var isPackage: Bool { listed.flags.contains(.package) }
  /// True if the version represents the document's deletion, and so has no contents.
  public var isDeletion: Bool { listed.flags.contains(.deletion) }
  /// The versions that this one is based on; it continues the line of the first one.
  package var parents: [PersistentIdentifier] { listed.parents.map(PersistentIdentifier.init) }

  /// True if a conflict made this version an alternative to the current one; once `true`, this never changes.
  public var isConflict: Bool { isUnresolved || listed.flags.contains(.settled) }
  /// True if the version isn't in an unresolved conflict; `false` for a conflict version until it is marked as
  /// resolved.
  public var isResolved: Bool { !isUnresolved }
  /// True if the system may drop the contents when it needs space.
  public var isDiscardable: Bool { listed.flags.contains(.discardable) }
  /// True if this device keeps the contents until the version is unpinned.
  public var isPinned: Bool { listed.flags.contains(.pinned) }
  /// True if the contents are on this device.
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

    /// The identifier as 40 hexadecimal digits.
    public var description: String { objectID.description }

    /// Creates an identifier from text; `nil` unless the text has 40 hexadecimal digits.
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
  /// Creates a date from a time in a record.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The time in milliseconds since 1970, limited to the range of records.
  package var milliseconds: Int64 {
    let latest = Double(Record.Facts.latestDate)
    let time = (timeIntervalSince1970 * 1_000).rounded()
    return time.isNaN ? 0 : Int64(min(max(time, -latest), latest))
  }
}

extension FileVersion: CustomStringConvertible {
  /// The identifier, the name, the author and the device, for logs and debuggers.
  public var description: String {
    "\(persistentIdentifier) \(localizedName) (\(kind.rawValue), \(author), \(savingDevice))"
  }
}

extension FileVersion: Hashable {
  /// Returns whether both values represent the same version.
  public static func == (left: FileVersion, right: FileVersion) -> Bool {
    left.persistentIdentifier == right.persistentIdentifier
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(persistentIdentifier)
  }
}
