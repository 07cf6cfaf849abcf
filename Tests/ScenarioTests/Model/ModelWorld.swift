import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation

/// A device, and its state in the model.
struct ModelledDevice {
  var device: Device
  var model = ModelDevice()

  var name: String { device.name }
}

/// Real stores on several devices, and a model that predicts their contents.
///
/// Every deed is done to both.
struct ModelWorld {
  typealias ID = ModelGraph.ID

  /// The devices' scratch folder, clock, and exchange folder.
  let world: World
  private let server: GitServer?
  var devices: [ModelledDevice] = []
  var graph = ModelGraph()
  var folder = ModelFolder()
  /// The steps so far, for the message of a failure.
  var story: [String] = []

  static let document = "plan.txt"

  /// An error for stores that differ from the model.
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter server: the server through which the devices exchange; nil for the folder.
  init(clockOffsets: [Double], server: GitServer? = nil) throws {
    self.server = server
    world = try World()
    for (index, offset) in clockOffsets.enumerated() {
      devices.append(ModelledDevice(device: try world.device("d\(index)", clockOffset: offset)))
    }
  }

  var clock: FixedClock { world.clock }
  /// The repository through which the devices exchange.
  var cloud: URL { server?.folder("docs") ?? world.cloud }

  /// Exchanges one device with the others.
  func meet(_ index: Int) throws -> [DocumentExchange] {
    let device = devices[index].device
    guard let server else {
      return try device.store.exchange(device.container, through: world.cloud).documents
    }
    if try device.store.remotes(of: device.container).isEmpty {
      try device.store.makeContainer(device.container)
      let remote = try Remote(name: "origin", address: server.address(of: "docs"))
      try device.store.addRemote(remote, to: device.container)
    }
    return try device.store.sync(device.container).documents
  }

  func store(_ index: Int) -> SynchronousStore { devices[index].device.store }

  func url(_ index: Int) -> URL {
    devices[index].device[Self.document]
  }

  func history(_ index: Int) throws -> DocumentHistory {
    try store(index).history(of: url(index))
  }

  func version(_ id: ID, on index: Int) throws -> FileVersion {
    guard let version = try history(index).versions.first(where: { $0.id == id }) else {
      throw mismatch("\(devices[index].name) does not list \(id.short)")
    }
    return version
  }

  func text(of version: FileVersion) throws -> String {
    String(decoding: try version.contents(), as: UTF8.self)
  }

  func mismatch(_ text: String) -> Mismatch {
    Mismatch(description: text)
  }

  // MARK: New versions

  /// Records a version that a store has made, and checks its parents.
  mutating func note(
    _ version: FileVersion, parents: Set<ID>, content: String?
  ) throws {
    story.append("  \(version.kind.rawValue) \(version.id.short) of \(short(Set(version.parents)))")
    guard Set(version.parents) == parents else {
      throw mismatch(
        """
        \(version.kind.rawValue) \(version.id.short) was made from \(short(Set(version.parents))), \
        not from \(short(parents))
        """)
    }
    guard version.isDeletion == (content == nil) else {
      throw mismatch("\(version.id.short) is a deletion, or is not")
    }
    for parent in version.parents {
      guard let date = graph.versions[parent]?.date, date < version.savingDate else {
        throw mismatch("\(version.id.short) is not later than \(parent.short)")
      }
    }
    graph.add(
      version.id, .init(parents: version.parents, content: content, date: version.savingDate))
  }

  /// Records the version that unsaved edits became before another operation.
  mutating func noteKeptEdits(_ index: Int, _ version: FileVersion?) throws {
    guard let edits = devices[index].model.unsaved else {
      guard version == nil else { throw mismatch("edits were kept where there are none") }
      return
    }
    guard let version else { throw mismatch("edits were not kept") }
    let base = origin(of: version, on: devices[index].model.base)
    try note(version, parents: Set([base].compactMap(\.self)), content: edits)
    devices[index].model.follow(base, with: version.id)
    devices[index].model.base = version.id
    devices[index].model.unsaved = nil
  }

  func short(_ ids: Set<ID>) -> String {
    "{\(ids.map(\.short).sorted().joined(separator: " "))}"
  }

  // MARK: Comparing

  /// Compares a device with the model.
  func compare(_ index: Int, reading: Bool = false) throws {
    let model = devices[index].model
    guard !model.heads.isEmpty else { return }
    let name = devices[index].name
    let history = try history(index)
    let current = history.versions.filter(\.isCurrent).map(\.id)
    let heads = Set(current + history.unresolvedConflicts.map(\.id))
    guard heads == model.heads else {
      throw mismatch("\(name) has the heads \(short(heads)), not \(short(model.heads))")
    }
    guard current == Array(graph.ranked(model.heads).prefix(1)) else {
      throw mismatch("\(name) has the wrong current version \(short(Set(current)))")
    }
    let listed = Set(history.versions.map(\.id))
    let expected = graph.ancestors(of: model.heads).subtracting(model.removed)
    guard listed == expected else {
      throw mismatch(
        """
        \(name) lists \(short(listed.subtracting(expected))) too many, \
        and \(short(expected.subtracting(listed))) too few
        """)
    }
    for version in history.versions where !version.isDeletion {
      guard version.hasLocalContents == model.contents.contains(version.id) else {
        throw mismatch("\(name) has the contents of \(version.id.short), or has not")
      }
      guard reading, version.hasLocalContents else { continue }
      guard try text(of: version) == graph.content(of: version.id) else {
        throw mismatch("\(name) has other contents of \(version.id.short)")
      }
    }
    try compareFile(index)
  }

  private func compareFile(_ index: Int) throws {
    let model = devices[index].model
    let expected = model.unsaved ?? model.base.flatMap(graph.content)
    let found = FileManager.default.contents(atPath: url(index).path)
      .map { String(decoding: $0, as: UTF8.self) }
    guard found == expected else {
      throw mismatch(
        "\(devices[index].name) shows “\(found ?? "nothing")”, not “\(expected ?? "nothing")”")
    }
  }
}
