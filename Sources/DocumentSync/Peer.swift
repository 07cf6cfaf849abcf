internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport

/// A bare git repository in which each device has two references, and writes only its own.
///
/// ```
/// refs/docversions/<device>/records       the device's state; records are its parents
/// refs/heads/docversions/<name>-<id8>     the device's documents; the contents of versions are its parents
/// ```
protocol Peer: AnyObject {
  /// The unique name of the peer in a container.
  var key: String { get }
  /// The objects, as far as they have arrived.
  var objects: PeerObjects { get }
  /// The references of all devices.
  func references() throws -> [DeviceIdentifier: DeviceReferences]
  /// True if new branches of other devices are left out, because contents are fetched one by one.
  var leavesBranchesOut: Bool { get }
  /// The name of this device's copy of the peer, on which documents may rest; nil if there is none.
  var mirrorName: String? { get }
  /// Gives up this device's copy of the peer if bytes in it were found to be damaged; it is created
  /// again when the peer is next opened.
  ///
  /// - Returns: whether the copy was given up.
  func givesUpDamagedCopy() throws -> Bool
  /// Fetches published contents that are not here.
  func fetch(contents: Set<ObjectID>) throws
  /// Returns whether the peer has the contents of versions, each by the commit under which it is
  /// published; false also if that is unknown.
  func holds(_ contents: [ObjectID: ObjectID]) throws -> Bool
  /// Writes objects, and then moves a device's references, each only if it still has the expected value.
  func publish(
    _ batch: ObjectBatch, of device: DeviceIdentifier, branch: String,
    from former: DeviceReferences?, to new: DeviceReferences
  ) throws
  /// Removes the references of a forgotten device if they still have these values.
  func remove(_ references: [String: ObjectID]) throws
  /// The packs on the peer, with their sizes in bytes.
  func packs() throws -> [String: Int]
  /// True if the devices compact its packs; a server does that itself.
  var isTidiedByDevices: Bool { get }
  /// The bytes received and sent so far, if they are counted.
  var traffic: Traffic { get }
}

extension Peer {
  var leavesBranchesOut: Bool { false }
  var mirrorName: String? { nil }
  func givesUpDamagedCopy() throws -> Bool { false }
  func fetch(contents: Set<ObjectID>) throws {}

  /// Returns whether local branches have the contents of versions.
  func publishes(_ contents: [ObjectID: ObjectID], on branches: [ObjectID]) throws -> Bool {
    let branch = ContentBranch(objects: objects.repository.objects)
    let published = try branches.reduce(into: Set<ObjectID>()) { found, end in
      found.formUnion(try branch.walk(from: end).transports.map(\.version))
    }
    return published.isSuperset(of: contents.keys)
  }
}

/// The identity of a device.
struct DeviceIdentifier: RandomIdentifier {
  let description: String

  init(digits: String) { description = digits }

  /// The digits at the end of the name of the device's branch.
  var short: String { String(description.prefix(8)) }
}
