internal import DocumentTestSupport
internal import DocumentVersions
internal import DocumentWorld
internal import Foundation

/// A document that an operation works on, under the names that it may have before and after.
struct DocumentNames: Sendable {
  let names: [String]

  init(_ names: String...) { self.names = names }
}

/// The state of a bed for its user, read without faults, as a newly started process sees it.
struct FaultBedState: Sendable {
  /// A document's versions and their contents.
  struct Document: Sendable {
    var versions: [FileVersion] = []
    /// The contents by identifier, without versions whose contents aren't on the device.
    var contents: [FileVersion.ID: Snapshot] = [:]
    /// The items under all its names.
    var items: [Snapshot] = []
    /// The reasons why it couldn't be listed, or a version couldn't be shown.
    var failures: [String] = []
  }

  private(set) var documents: [Document] = []

  /// Reads the documents of a bed.
  ///
  /// - Parameter showsContents: whether every version is shown, and not only listed.
  init(of bed: FaultBed, _ documents: [DocumentNames], showsContents: Bool = true) throws {
    let device = try bed.device()
    self.documents = try documents.map {
      try Self.document($0, on: device, showsContents: showsContents)
    }
  }

  /// The part of the state that is the same in every run with the same result.
  var summary: [[String]] { documents.map { $0.versions.map(Self.summary) } }

  /// The items under all names of all documents.
  var items: [[Snapshot]] { documents.map(\.items) }

  /// All versions of all documents.
  var identifiers: Set<FileVersion.ID> { Set(documents.flatMap { $0.versions.map(\.id) }) }

  private static func summary(of version: FileVersion) -> String {
    let flags = [
      version.isCurrent ? "current" : "", version.isConflict ? "conflict" : "",
      version.isResolved ? "resolved" : "", version.hasLocalContents ? "local" : "",
    ]
    return "\(version.kind.rawValue) \(version.localizedName) \(version.size) "
      + flags.joined(separator: " ")
  }

  private static func document(
    _ document: DocumentNames, on device: Device, showsContents: Bool
  ) throws -> Document {
    var state = Document()
    for name in document.names {
      state.items.append(try Snapshot(of: device[name]))
      guard state.versions.isEmpty else { continue }
      do {
        state.versions = try device.history(name).versions
      } catch let error as VersionError where error.code == .noVersions {
        continue
      } catch let error as FileError where error.code == .notFound {
        continue
      } catch {
        state.failures.append("log \(name): \(error)")
        continue
      }
      guard showsContents else { continue }
      for version in state.versions where version.hasLocalContents && !version.isDeletion {
        do {
          state.contents[version.id] = try contents(of: version, on: device)
        } catch {
          state.failures.append("show \(name) \(version.id): \(error)")
        }
      }
    }
    return state
  }

  private static func contents(of version: FileVersion, on device: Device) throws -> Snapshot {
    guard version.isPackage else {
      return Snapshot(contents: try device.store.contents(of: version, member: nil))
    }
    let scratch = try ScratchFolder(isInMemory: true)
    try device.store.export(version, to: scratch["shown"])
    return try Snapshot(of: scratch["shown"]).contentsOnly
  }
}
