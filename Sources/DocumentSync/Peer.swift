internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport

/// A peer: a bare git repository in which each device has two references, and writes only its own.
///
/// ```
/// refs/docversions/<device>/records       the device's state; records are its parents
/// refs/heads/docversions/<name>-<id8>     the device's documents; the contents of versions are its parents
/// ```
protocol Peer: AnyObject {
  /// The name that tells the peer from all others of a container.
  var key: String { get }
  /// The objects, as far as they have arrived.
  var objects: PeerObjects { get }
  /// The references of all devices.
  func references() throws -> [DeviceIdentifier: DeviceReferences]
  /// Whether the branches of other devices are left out, as far as they are new: contents are fetched one by one.
  var leavesBranchesOut: Bool { get }
  /// The name of this device's copy of the peer, on which documents may rest; nil if there is none.
  var mirrorName: String? { get }
  /// Gives up this device's copy of the peer if bytes in it were found to be damaged; it is made anew when the peer is opened
  /// again.
  ///
  /// - Returns: whether it was given up.
  func givesUpDamagedCopy() throws -> Bool
  /// Fetches published contents, as far as they are not here.
  func fetch(contents: Set<ObjectID>) throws
  /// Returns whether the peer has the contents of versions, each by the commit under which it is published; false also if
  /// it can't say.
  func holds(_ contents: [ObjectID: ObjectID]) throws -> Bool
  /// Writes objects, and then moves a device's references, each only from the value that it has.
  func publish(
    _ batch: ObjectBatch, of device: DeviceIdentifier, branch: String,
    from former: DeviceReferences?, to new: DeviceReferences
  ) throws
  /// Removes references that have these values: those of a device that is forgotten.
  func remove(_ references: [String: ObjectID]) throws
  /// The packs that are there, with the bytes of their files.
  func packs() throws -> [String: Int]
  /// Whether the devices keep its packs in order: a server does that itself.
  var isTidiedByDevices: Bool { get }
  /// Bytes that were received and sent so far, where these are counted.
  var traffic: Traffic { get }
}

extension Peer {
  var leavesBranchesOut: Bool { false }
  var mirrorName: String? { nil }
  func givesUpDamagedCopy() throws -> Bool { false }
  func fetch(contents: Set<ObjectID>) throws {}

  /// Returns whether branches that are here have the contents of versions.
  func publishes(_ contents: [ObjectID: ObjectID], on branches: [ObjectID]) throws -> Bool {
    let branch = ContentBranch(objects: objects.repository.objects)
    let published = try branches.reduce(into: Set<ObjectID>()) { found, end in
      found.formUnion(try branch.walk(from: end).transports.map(\.version))
    }
    return published.isSuperset(of: contents.keys)
  }
}

/// The random identity of a device: 32 hexadecimal digits.
struct DeviceIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  let description: String

  /// Reads an identity; nil for any other text.
  init?(_ text: String) {
    guard text.utf8.count == 32,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    description = text
  }

  /// A new identity.
  static func random() -> DeviceIdentifier {
    let digits = (0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" }
    return DeviceIdentifier(unchecked: String(digits))
  }

  private init(unchecked text: String) { description = text }

  /// The digits at the end of the name of the device's branch.
  var short: String { String(description.prefix(8)) }

  static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
