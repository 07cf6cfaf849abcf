package import DocumentStore
package import DocumentSync
package import DocumentTestSupport
package import Foundation
package import Testing

/// Devices with a container each, in one folder and with one clock, and the folder through which they
/// exchange.
///
/// ```swift
/// let world = try World()
/// try world.save("one\n", as: "a.md", on: "mira")
/// try world.exchange("mira", "tom")
/// ```
package struct World: Sendable {
  package let scratch: ScratchFolder
  package let clock = FixedClock()
  private let fileClock: MovableFileClock?

  /// Creates a world without documents.
  ///
  /// - Parameter fileClock: the clock that files' times are compared with; nil for the system's.
  package init(isInMemory: Bool = !TestMode.isFull, fileClock: MovableFileClock? = nil) throws {
    scratch = try ScratchFolder(isInMemory: isInMemory)
    self.fileClock = fileClock
  }

  /// The device of a person, such as `mira`; its container is the folder of that name.
  ///
  /// - Parameter offset: the seconds by which the device's clock is ahead.
  package func device(_ name: String, clockOffset offset: Double = 0) throws -> Device {
    try Device(name, in: scratch, clock: clock, clockOffset: offset, fileClock: fileClock)
  }

  /// The store that a device uses.
  package func store(_ name: String) -> SynchronousStore {
    Device.store(of: name, clock: clock, fileClock: fileClock)
  }

  /// Returns the location of a document on a device.
  package func url(_ device: String, _ document: String) -> URL {
    scratch["\(device)/\(document)"]
  }

  /// The folder through which devices exchange.
  package var cloud: URL { scratch["cloud"] }

  // MARK: Documents

  /// Writes and saves a document on a device, a minute after the previous step.
  @discardableResult
  package func save(_ text: String, as document: String, on device: String) throws -> FileVersion {
    try self.device(device).save(text, as: document)
  }

  /// The versions of a document on a device.
  package func history(_ document: String, on device: String) throws -> DocumentHistory {
    try store(device).history(of: url(device, document))
  }

  /// The text of a document on a device.
  package func read(_ document: String, on device: String) throws -> String {
    try scratch.read("\(device)/\(document)")
  }

  // MARK: Exchange

  /// Lets devices exchange in turn, twice, so that the versions of the last one arrive at the first one, too.
  ///
  /// - Returns: the exchange of the last device, document by document.
  @discardableResult
  package func exchange(
    _ names: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [DocumentExchange] {
    var results: [DocumentExchange] = []
    for name in names + names {
      clock.advance(bySeconds: 1)
      let device = try device(name)
      results = try device.store.exchange(device.container, through: cloud).documents
      for result in results { #expect(result.failure == nil, sourceLocation: sourceLocation) }
    }
    return results
  }

  /// Makes Mira and Tom disagree: Tom saves last, so his version is current.
  package func disagree(
    about document: String = "a.md", base: String, mira: String, tom: String
  ) throws {
    try save(base, as: document, on: "mira")
    try exchange("mira", "tom")
    try save(mira, as: document, on: "mira")
    try save(tom, as: document, on: "tom")
    try exchange("mira", "tom")
  }

  /// Expects that stock git finds nothing wrong with devices and the exchange folder.
  package func expectSound(
    _ names: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for name in names {
      let problems = try GitCheck.problems(inContainer: scratch[name])
      #expect(problems.isEmpty, sourceLocation: sourceLocation)
    }
    let problems = try GitCheck.problems(inStore: cloud)
    #expect(problems.isEmpty, sourceLocation: sourceLocation)
  }
}
