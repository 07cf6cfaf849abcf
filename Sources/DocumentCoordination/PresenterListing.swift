internal import DocumentFiles
internal import DocumentStore
package import Foundation
internal import SystemPackage

/// The programs that have documents open, and the messages between them.
package enum PresenterListing {
  /// A program that presents items.
  package struct Program: Sendable {
    package let name: String
    package let process: Int32
    /// True if a signal stopped it, so that it can't answer until it is continued.
    package let isStopped: Bool
    /// The presented items.
    package let items: [URL]
  }

  /// A message and its outcome.
  package struct Message: Sendable {
    package let date: Date
    /// The identifier of the access.
    package let access: String
    package let number: Int
    package let sender: (name: String, process: Int32)
    /// The receiver; `nil` for an entry without a message, such as a move.
    package let receiver: (name: String, process: Int32)?
    package let kind: String
    package let items: [URL]
    /// The new location, for a move.
    package let target: URL?
    /// The time until the answer, in seconds.
    package let duration: Double?
    /// The failure; `nil` for success.
    package let failure: String?
  }

  /// Returns the programs that present an item, or something in it; blocks.
  package static func programs(at url: URL) throws -> [Program] {
    let place = try ItemLocation(of: url, in: .forPlaces)
    var found: [String: Program] = [:]
    for container in place.containers {
      for process in try PresenterFolder(of: container).processes() where found[process.name] == nil
      {
        let paths = process.paths.filter { $0.starts(with: place.path) }
        guard !paths.isEmpty else { continue }
        let program = process.program
        found[process.name] = Program(
          name: program.name, process: program.process, isStopped: program.isStopped,
          items: paths.map { URL(filePath: $0.string) }.sorted { $0.path < $1.path })
      }
    }
    return found.values.sorted { ($0.name, $0.process) < ($1.name, $1.process) }
  }

  /// Returns the items that any program presents, or a folder around them; blocks.
  static func presented(among items: [URL]) throws -> [URL] {
    // Usually there is no such program, and very many items are in few folders.
    let folders = Set(items.map { $0.deletingLastPathComponent() })
    let watched = try folders.filter(isAnythingPresented)
    return try items.filter {
      try watched.contains($0.deletingLastPathComponent()) && isPresented($0)
    }
  }

  private static func isAnythingPresented(around folder: URL) throws -> Bool {
    try ItemLocation(of: folder, in: .forPlaces).containers.contains {
      try !PresenterFolder(of: $0).processes().isEmpty
    }
  }

  private static func isPresented(_ url: URL) throws -> Bool {
    let place = try ItemLocation(of: url, in: .forPlaces)
    let reach = ItemReach(place.path, isOfAllInside: false)
    return try place.containers.contains { container in
      try PresenterFolder(of: container).processes().contains { $0.isConcerned(by: [reach]) }
    }
  }

  /// Returns the newest messages about an item or its contents, oldest first; blocks.
  package static func messages(at url: URL, newest count: Int) throws -> [Message] {
    let place = try ItemLocation(of: url, in: .forPlaces)
    guard let container = place.containers.first else { return [] }
    let entries = try MessageLog(of: container).entries(newest: .max).filter { entry in
      entry.items.contains {
        $0.path.starts(with: place.path) || place.path.starts(with: $0.path)
      }
    }
    return entries.suffix(count).map { entry in
      Message(
        date: Date(timeIntervalSince1970: entry.time), access: entry.access, number: entry.number,
        sender: (entry.from.name, entry.from.process),
        receiver: entry.to.map { ($0.name, $0.process) }, kind: entry.kind,
        items: entry.items.map(\.url), target: entry.target?.url, duration: entry.duration,
        failure: entry.failure)
    }
  }
}
