import CHash
import DocumentTestSupport
import DocumentVersions
import Foundation

/// The documents of three devices, with the stores that an earlier program made for them.
///
/// `Fixture/make.py` creates them.
struct OldStores {
  static let devices = ["mira", "tom", "lena"]

  /// A document that was damaged and repaired, without one of its versions; and the device that has it.
  static let repaired = "repaired.md"
  static let deviceWithRepairs = "lena"

  let scratch: ScratchFolder

  /// Unpacks them into a separate folder.
  init() throws {
    scratch = try ScratchFolder(isInMemory: true)
    let result = try Command.run(
      "tar", ["-xzf", Self.fixture.appending(path: "OldStores.tar.gz").path], in: scratch.url)
    guard result.exitCode == 0 else { throw UnpackingError(description: result.errorOutput) }
  }

  private static let fixture = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "Fixture")

  private struct UnpackingError: Error {
    let description: String
  }

  func container(of device: String) -> URL { scratch[device] }

  func document(_ path: String, of device: String) -> URL {
    container(of: device).appending(path: path)
  }

  /// Returns the store of a document whose folders have unescaped names.
  func storeFolder(of document: String, on device: String) -> URL {
    let path = document.replacing(".git/", with: ".git~/")
    return container(of: device).appending(path: ".docversions/documents/\(path).git")
  }

  /// Returns the store in use on a device, a week after the stores were made.
  func store(of device: String) -> SynchronousStore {
    SynchronousStore(identity: Identity(author: device.capitalized, device: "\(device)-laptop")) {
      Date(timeIntervalSince1970: 1_795_737_600)
    }
  }

  /// The same through a folder, for exchanges.
  var cloud: URL { scratch["cloud"] }

  // MARK: What is expected

  /// One line of `Fixture/Expectations.txt`.
  struct Version: Hashable {
    let device, document, id, kind, flags, contents, name, note: String

    /// True if it was removed and can be restored.
    var isRemoved: Bool { kind == "removed" }
  }

  /// All versions, in the order in which they are listed.
  static let expected: [Version] = {
    guard let data = FileManager.default.contents(atPath: fixture.path + "/Expectations.txt") else {
      return []
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap(Version.init)
  }()

  /// Returns the documents of which a device has versions.
  static func documents(of device: String) -> [String] {
    var seen: Set<String> = []
    return expected.filter { $0.device == device && seen.insert($0.document).inserted }
      .map(\.document)
  }

  static func versions(of document: String, on device: String, removed: Bool = false) -> [Version] {
    expected.filter {
      $0.document == document && $0.device == device && $0.isRemoved == removed
    }
  }
}

extension OldStores.Version {
  /// Reads a line of the list.
  init?(_ line: Substring) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map {
      String($0).replacing("\\n", with: "\n")
    }
    guard parts.count == 8 else { return nil }
    self.init(
      device: parts[0], document: parts[1], id: parts[2], kind: parts[3], flags: parts[4],
      contents: parts[5], name: parts[6], note: parts[7])
  }

  /// Creates the line for a version.
  init(_ version: FileVersion, of document: String, on device: String, contents: String) {
    let flags = [
      ("current", version.isCurrent), ("conflict", version.isConflict),
      ("resolved", version.isResolved), ("local", version.hasLocalContents),
      ("discardable", version.isDiscardable), ("pinned", version.isPinned),
      ("package", version.isPackage),
    ]
    self.init(
      device: device, document: document, id: version.id.description, kind: version.kind.rawValue,
      flags: flags.filter(\.1).map(\.0).joined(separator: ","), contents: contents,
      name: version.localizedName, note: version.note ?? "")
  }
}

/// The SHA-256 of items, as `Fixture/make.py` computes it.
enum ItemDigest {
  /// Returns the digest of a file's bytes, of a link's target, or of the list of a folder's members.
  static func of(_ item: URL) throws -> String {
    switch try kind(of: item) {
    case "link":
      return sha256(
        Data(try FileManager.default.destinationOfSymbolicLink(atPath: item.path).utf8))
    case "folder": return sha256(Data(try list(item).joined().utf8))
    default: return sha256(try Data(contentsOf: item))
    }
  }

  /// Returns a line for each member of a folder, in the order of their bytes.
  static func list(_ folder: URL) throws -> [String] {
    let lines = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .compactMap { path -> String? in
        let item = folder.appending(path: path)
        let kind = try kind(of: item)
        guard kind == "folder" else { return "\(kind) \(path) \(try of(item))\n" }
        let isEmpty = try FileManager.default.contentsOfDirectory(atPath: item.path).isEmpty
        return isEmpty ? "folder \(path)\n" : nil
      }
    return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func kind(of item: URL) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: item.path)
    switch attributes[.type] as? FileAttributeType {
    case .typeSymbolicLink?: return "link"
    case .typeDirectory?: return "folder"
    default:
      let permissions = attributes[.posixPermissions] as? Int ?? 0
      return permissions & 0o100 == 0 ? "file" : "program"
    }
  }

  private static func sha256(_ data: Data) -> String {
    var hash = docversions_sha256_begin()
    data.withUnsafeBytes { docversions_sha256_add(&hash, $0.baseAddress, $0.count) }
    var digest = [UInt8](repeating: 0, count: 32)
    docversions_sha256_end(&hash, &digest)
    return digest.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0\(digits)" : digits
    }.joined()
  }
}
