import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Devices that exchange through a folder, in front of one clock.
struct Office {
  let scratch: ScratchFolder
  let clock = FixedClock()

  init() throws {
    scratch = try ScratchFolder()
  }

  func store(_ name: String) -> VersionStore {
    let clock = clock
    return VersionStore(identity: Identity(author: name, device: "\(name)-laptop")) { clock.now }
  }

  func url(_ device: String, _ document: String) -> URL {
    scratch["\(device)/\(document)"]
  }

  @discardableResult
  func save(_ text: String, as document: String, on device: String) throws -> FileVersion {
    clock.advance(bySeconds: 60)
    return try store(device).save(scratch.write(text, to: "\(device)/\(document)")).version
  }

  @discardableResult
  func exchange(_ devices: String...) throws -> [DocumentExchange] {
    var results: [DocumentExchange] = []
    for device in devices + devices {
      clock.advance(bySeconds: 1)
      try FileManager.default.createDirectory(
        at: scratch[device], withIntermediateDirectories: true)
      results = try store(device).exchange(scratch[device], through: scratch["cloud"])
      for result in results { #expect(result.failure == nil) }
    }
    return results
  }

  func history(_ document: String, on device: String) throws -> DocumentHistory {
    try store(device).history(of: url(device, document))
  }

  func read(_ document: String, on device: String) throws -> String {
    try scratch.read("\(device)/\(document)")
  }

  func resolver(_ strategy: ResolutionStrategy, on device: String) -> ConflictResolver {
    clock.advance(bySeconds: 60)
    return ConflictResolver(strategy, store: store(device))
  }

  /// Makes mira and tom disagree: tom saves last, so his version is current.
  func disagree(
    about document: String = "a.md", base: String, mira: String, tom: String
  ) throws {
    try save(base, as: document, on: "mira")
    try exchange("mira", "tom")
    try save(mira, as: document, on: "mira")
    try save(tom, as: document, on: "tom")
    try exchange("mira", "tom")
  }

  func expectSound(_ devices: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    for device in devices {
      #expect(
        try GitCheck.problems(inContainer: scratch[device]).isEmpty, sourceLocation: sourceLocation)
    }
    #expect(
      try GitCheck.problems(inStore: scratch["cloud"]).isEmpty, sourceLocation: sourceLocation)
  }
}
