package import DocumentStore
package import DocumentTestSupport
package import Foundation

/// A device in a test: a container, a person who saves there, and a clock that may be wrong.
package struct Device: Sendable {
  package let name: String
  package let scratch: ScratchFolder
  package let clock: FixedClock
  /// The seconds by which this device's clock is ahead.
  package let clockOffset: Double
  package let container: URL
  package var store: SynchronousStore

  /// Creates an independent device.
  ///
  /// - Parameter fileClock: the clock that files' times are compared with; nil for the system's.
  package init(_ name: String = "Mira", fileClock: MovableFileClock? = nil) throws {
    try self.init(name, in: ScratchFolder(), clock: FixedClock(), fileClock: fileClock)
  }

  /// Creates a device that shares a folder and a clock with others.
  ///
  /// - Parameters:
  ///   - name: the name of the person and of the container.
  ///   - scratch: the folder that the container is in.
  ///   - clock: the clock of all.
  ///   - offset: the seconds by which this device's clock is ahead.
  ///   - fileClock: the clock that files' times are compared with; nil for the system's.
  package init(
    _ name: String, in scratch: ScratchFolder, clock: FixedClock, clockOffset offset: Double = 0,
    fileClock: MovableFileClock? = nil
  ) throws {
    try self.init(
      name, at: scratch[name], in: scratch, clock: clock, clockOffset: offset,
      fileClock: fileClock)
  }

  /// Creates a device whose container may be anywhere.
  package init(
    _ name: String, at container: URL, in scratch: ScratchFolder, clock: FixedClock,
    clockOffset: Double = 0, fileClock: MovableFileClock? = nil
  ) throws {
    self.name = name
    self.scratch = scratch
    self.clock = clock
    self.clockOffset = clockOffset
    self.container = container
    store = Self.store(of: name, clock: clock, offset: clockOffset, fileClock: fileClock)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
  }

  /// Returns the store that a person uses.
  package static func store(
    of name: String, clock: FixedClock, offset: Double = 0, fileClock: MovableFileClock? = nil
  ) -> SynchronousStore {
    var store = SynchronousStore(identity: Identity(author: name, device: "\(name)’s laptop")) {
      clock.now + offset
    }
    if let fileClock { store.environment.fileClock = fileClock.clock }
    return store
  }

  /// Copies the container with everything in it, and creates a device of the same person with the copy.
  package func copied(to container: URL) throws -> Device {
    try FileManager.default.copyItem(at: self.container, to: container)
    var copy = try Device(name, at: container, in: scratch, clock: clock, clockOffset: clockOffset)
    copy.store = store
    return copy
  }

  /// Creates Mira's and Tom's devices, which share a folder and a clock.
  package static func pair(in scratch: ScratchFolder) throws -> (mira: Device, tom: Device) {
    let clock = FixedClock()
    return (
      try Device("Mira", in: scratch, clock: clock), try Device("Tom", in: scratch, clock: clock)
    )
  }

  /// The location of a document.
  package subscript(_ name: String) -> URL { container.appending(path: name) }

  // MARK: Documents

  /// Writes a document without saving it.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> URL {
    try FileManager.default.createDirectory(
      at: self[name].deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: self[name])
    return self[name]
  }

  /// Writes and saves a document, a minute after the previous step.
  @discardableResult
  package func save(
    _ text: String, as name: String, note: String? = nil, base: FileVersion? = nil
  ) throws -> FileVersion {
    clock.advance(bySeconds: 60)
    return try store.save(write(text, to: name), note: note, base: base).version
  }

  /// The text of a document.
  package func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: self[name]), as: UTF8.self)
  }

  /// The versions of a document.
  package func history(_ name: String) throws -> DocumentHistory {
    try store.history(of: self[name])
  }

  /// The texts of the versions, newest first.
  package func texts(_ name: String) throws -> [String] {
    try history(name).versions.map { String(decoding: try $0.contents(), as: UTF8.self) }
  }

  /// Creates a conflict: two versions that are based on the same first one.
  ///
  /// The last is current.
  @discardableResult
  package func conflict(
    base: String, other: String, current: String, as name: String
  ) throws -> (base: FileVersion, other: FileVersion, current: FileVersion) {
    let first = try save(base, as: name)
    let second = try save(other, as: name)
    let third = try save(current, as: name, base: first)
    return (first, second, third)
  }

  // MARK: Stores

  /// The store of a document.
  package func storeFolder(of name: String) -> URL {
    self[".docversions/documents/\(name).git"]
  }

  /// The problems that stock git finds in the stores.
  package func problems() throws -> [String] {
    try GitCheck.problems(inContainer: container)
  }
}
