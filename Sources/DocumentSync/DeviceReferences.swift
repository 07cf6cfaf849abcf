internal import DocumentGit
internal import DocumentStore

/// The two references of a device.
struct DeviceReferences: Hashable, Sendable {
  /// The commit of its state.
  var records: ObjectID
  /// The last commit of its branch; nil if that has not arrived.
  var contents: ObjectID?
}

extension DeviceReferences {
  /// The references of all devices among those of a peer.
  ///
  /// - Parameters:
  ///   - all: the references of the peer, by their full names; others, such as conflicted copies,
  ///     are ignored.
  ///   - objects: the objects of the peer; the state of a device names its branch.
  static func devices(
    among all: [String: ObjectID], in objects: ObjectStore
  ) -> [DeviceIdentifier: DeviceReferences] {
    var found: [DeviceIdentifier: DeviceReferences] = [:]
    for (name, target) in all {
      guard let device = DeviceReference.device(ofRecords: name) else { continue }
      let branch = branch(of: device, at: target, among: all, in: objects)
      found[device] = DeviceReferences(records: target, contents: branch)
    }
    return found
  }

  /// The last commit of a device's branch; nil if the state or the branch has not arrived.
  private static func branch(
    of device: DeviceIdentifier, at state: ObjectID, among all: [String: ObjectID],
    in objects: ObjectStore
  ) -> ObjectID? {
    let candidates = all.filter {
      $0.key.hasPrefix(DeviceReference.contents) && $0.key.hasSuffix("-\(device.short)")
    }
    if candidates.count == 1 { return candidates.first?.value }
    do {
      let info = try StateTree(at: state, in: objects).info()
      return all[DeviceReference.contents(of: info.branch)]
    } catch { return nil }
  }
}

/// The names of a device's references.
enum DeviceReference {
  static let records = "refs/\(ExchangeFolder.references)/"
  static let contents = "refs/heads/\(ExchangeFolder.references)/"

  static func records(of device: DeviceIdentifier) -> String { "\(records)\(device)/records" }

  static func contents(of branch: String) -> String { contents + branch }

  /// The references of all devices in a repository, by their full names; files without a reference
  /// are ignored.
  static func all(in repository: borrowing Repository) throws -> [String: ObjectID] {
    try repository.references.all(below: records)
      .merging(repository.references.all(below: contents)) { $1 }
  }

  /// Returns whether a reference may be a device's.
  static func isOne(_ name: String) -> Bool {
    name.hasPrefix(contents) && isBranch(name.dropFirst(contents.count))
      || device(ofRecords: name) != nil
  }

  /// Returns whether a text may be the last part of a branch's name: small letters, digits and hyphens.
  static func isBranch(_ text: some StringProtocol) -> Bool {
    (1..<80).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// The device whose state a reference is; nil for any other name, such as that of a conflicted copy.
  static func device(ofRecords name: String) -> DeviceIdentifier? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, name.hasPrefix(records), parts[3] == "records" else { return nil }
    return DeviceIdentifier(String(parts[2]))
  }
}
