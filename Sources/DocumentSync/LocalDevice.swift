internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// This device in a container: its identity, and the states that it has published.
///
/// If a peer has a state of this device that is not among these, another device with the same
/// identity published it: a copy of the container, or this one before it was restored from a
/// backup. The device then takes a new identity.
struct LocalDevice {
  private(set) var identifier: DeviceIdentifier
  /// The last part of the name of its branch: the device's name when the branch began, and the
  /// first digits of its identity.
  private(set) var branch: String
  private let container: FilePath

  /// Reads the identity of a container's device, or creates one.
  init(in container: FilePath, named name: String) throws {
    self.container = container
    try Folder.create(SyncFile.folder(of: container))
    let file = SyncFile.device.path(in: container)
    let lines = String(decoding: try SmallFile.read(file) ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
    if lines.count == 2, let known = DeviceIdentifier(lines[0]), DeviceReference.isBranch(lines[1])
    {
      identifier = known
      branch = lines[1]
    } else {
      identifier = .random()
      branch = ""
      try renew(named: name)
    }
  }

  /// Takes a new identity.
  mutating func renew(named name: String) throws {
    identifier = .random()
    branch = "\(Self.plain(name))-\(identifier.short)"
    try SmallFile.replace(
      SyncFile.device.path(in: container), Array("\(identifier)\n\(branch)\n".utf8))
  }

  // MARK: Published states

  /// Returns whether this device has published a state.
  func hasPublished(_ state: ObjectID) throws -> Bool {
    let bytes = try SmallFile.read(published, limit: 256 << 20) ?? []
    let line = Array("\(state)".utf8)
    return stride(from: 0, to: bytes.count - 40, by: 41).contains {
      bytes[$0..<$0 + 40] == line[...]
    }
  }

  /// Records a state that is about to be published; the entry is on disk when this returns.
  func recordPublishing(_ state: ObjectID) throws {
    let line = Array("\(state)\n".utf8)
    guard try !AppendOnlyFile.append(line, ifThere: published, isDurable: true) else { return }
    try SmallFile.replace(published, line)
  }

  private var published: FilePath { SyncFile.published.path(in: container) }

  // MARK: Names

  /// Returns a name in the form that a reference may have: lowercase letters, digits and hyphens.
  private static func plain(_ name: String) -> String {
    let plain = name.lowercased().utf8.map { byte in
      isPlain(byte) ? Character(Unicode.Scalar(byte)) : "-"
    }
    let words = String(plain).split(separator: "-").joined(separator: "-")
    return words.isEmpty ? "device" : String(words.prefix(40))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
