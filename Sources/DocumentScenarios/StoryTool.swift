internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Another program of a device, which coordinates its accesses with the apps.
final class StoryTool: Sendable {
  private let held = Mutex<HeldAccess?>(nil)
  func perform(_ deed: ScenarioStep.ToolDeed, on device: Device) async throws {
    // The wait is long for apps that answer, and short for an app that is stopped.
    let patience = device.app.isStopped ? Duration.milliseconds(400) : .seconds(600)
    switch deed {
    case .read(let name, let file):
      let found = try await FileCoordinator(patience: patience)
        .coordinate(readingItemAt: device.url(name)) { try ItemContents(at: $0) }
      guard let file, try device.contents(file) != found else { return }
      throw Mismatch("it read something else than “\(file)”")
    case .write(let name, let file):
      try await write(file, as: name, on: device, by: FileCoordinator(patience: patience))
    case .takeOver(let name, let file):
      try await write(
        file, as: name, on: device, by: FileCoordinator(patience: patience, takesOver: true))
    case .delete(let name):
      try await FileCoordinator(patience: patience)
        .coordinate(writingItemAt: device.url(name), options: .forDeleting) {
          try FileManager.default.removeItem(at: $0)
        }
    case .rename(let name, let new):
      let coordinator = FileCoordinator(patience: patience)
      try await coordinator.coordinate(
        writingItemAt: device.url(name), options: .forMoving,
        writingItemAt: device.url(new), options: .forReplacing
      ) { former, target in
        try FileManager.default.moveItem(at: former, to: target)
        try coordinator.item(at: former, didMoveTo: target)
      }
    case .hold(let name):
      let url = try device.url(name)
      let access = try await device.store.perform { _ in
        try FileCoordinator(patience: patience).beginWriting(url)
      }
      held.withLock { $0 = access }
    case .letGo: try await end { $0.end() }
    // The system closes the files of a process that ends; the process sends no further messages.
    case .crash: try await end { _ in }
    }
  }

  private func end(_ body: @escaping @Sendable (HeldAccess) -> Void) async throws {
    let access = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let access else { throw Mismatch("the tool is at nothing") }
    await BlockingPool.shared.run { body(access) }
  }

  /// Writes a document as the commands of docversions do: apps save first.
  private func write(
    _ file: String, as name: String, on device: Device, by coordinator: FileCoordinator
  ) async throws {
    let (contents, time) = (try device.contents(file), device.time)
    try await coordinator.coordinate(writingItemAt: device.url(name), options: .forMerging) {
      try contents.write(to: $0, modified: time)
    }
  }
}
