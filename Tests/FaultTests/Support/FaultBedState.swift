internal import DocumentTestSupport
internal import Foundation

/// `docversions log --json`, as far as verdicts need it.
struct VersionList: Decodable, Sendable {
  struct Version: Decodable, Sendable, Hashable {
    let id: String
    let kind: String
    let name: String
    let bytes: Int
    let current: Bool
    let conflict: Bool
    let resolved: Bool
    let local: Bool
    let package: Bool

    /// What is the same in every run.
    var summary: String {
      let flags = [
        current ? "current" : "", conflict ? "conflict" : "", resolved ? "resolved" : "",
        local ? "local" : "",
      ]
      return "\(kind) \(name) \(bytes) \(flags.joined(separator: " "))"
    }
  }

  let versions: [Version]

  init(_ json: String) throws {
    self = try JSONDecoder().decode(VersionList.self, from: Data(json.utf8))
  }
}

/// A document that an operation works on, under the names that it may have before and after.
struct DocumentNames: Sendable {
  let names: [String]

  init(_ names: String...) { self.names = names }
}

/// What a user of a bed sees: read by fresh processes, without faults.
struct FaultBedState: Sendable {
  /// A document's versions and what each holds.
  struct Document: Sendable {
    var versions: [VersionList.Version] = []
    /// By identifier; versions whose contents are not on the device are not in it.
    var contents: [String: Snapshot] = [:]
    /// The items under all its names.
    var items: [Snapshot] = []
    /// Why it could not be listed, or a version not be shown.
    var failures: [String] = []
  }

  private(set) var documents: [Document] = []

  /// Looks at the documents of a bed.
  ///
  /// - Parameter showsContents: whether every version is shown, and not only listed.
  init(of bed: FaultBed, _ documents: [DocumentNames], showsContents: Bool = true) throws {
    self.documents = try documents.map {
      try Self.document($0, in: bed, showsContents: showsContents)
    }
  }

  /// What is the same in every run that came to the same end.
  var summary: [[String]] { documents.map { $0.versions.map(\.summary) } }

  /// The items under all names of all documents.
  var items: [[Snapshot]] { documents.map(\.items) }

  /// All versions of all documents.
  var identifiers: Set<String> { Set(documents.flatMap { $0.versions.map(\.id) }) }

  private static func document(
    _ document: DocumentNames, in bed: FaultBed, showsContents: Bool
  ) throws -> Document {
    var state = Document()
    for name in document.names {
      state.items.append(try Snapshot(of: bed[name]))
      guard state.versions.isEmpty else { continue }
      let log = try bed.run(["log", name, "--json"], minute: 50)
      // 3: there is no document of this name, or none yet.
      if log.exitCode == 3 { continue }
      guard log.exitCode == 0 else {
        state.failures.append("log \(name): \(log.ending) \(log.errorOutput)")
        continue
      }
      state.versions = try VersionList(log.text).versions
      guard showsContents else { continue }
      for version in state.versions where version.local && version.kind != "delete" {
        do {
          state.contents[version.id] = try contents(of: version, name: name, in: bed)
        } catch let error as FaultError {
          state.failures.append("show \(name) \(version.id): \(error)")
        }
      }
    }
    return state
  }

  private static func contents(
    of version: VersionList.Version, name: String, in bed: FaultBed
  ) throws -> Snapshot {
    guard version.package else {
      let shown = try bed.run(["show", name, version.id], minute: 50)
      guard shown.exitCode == 0 else { throw FaultError("\(shown.ending) \(shown.errorOutput)") }
      return Snapshot(contents: shown.result.bytes)
    }
    let place = bed.elsewhere("shown")
    let restored = try bed.run(
      ["restore", name, version.id, "--to", place.path], minute: 50)
    guard restored.exitCode == 0 else {
      throw FaultError("\(restored.ending) \(restored.errorOutput)")
    }
    defer { removeTree(place) }
    return try Snapshot(of: place).contentsOnly
  }

  /// Removes what may be read-only.
  private static func removeTree(_ place: URL) {
    // A folder that is left behind fails the next look, visibly.
    do { try FileManager.default.removeItem(at: place) } catch {}
  }
}
