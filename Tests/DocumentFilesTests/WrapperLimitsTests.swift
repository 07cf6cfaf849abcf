import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentFiles

@Suite("Document wrappers, as deep as can be read")
struct WrapperLimitsTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Folders in one another.
  private func folders(_ count: Int) throws -> DocumentWrapper {
    var folder = try DocumentWrapper(directoryWithFileWrappers: [:])
    for _ in 1..<count { folder = try DocumentWrapper(directoryWithFileWrappers: ["d": folder]) }
    return folder
  }

  @Test("What is too deep to be read is neither written nor serialized", arguments: [1_002, 3_000])
  func tooDeep(count: Int) throws {
    let folder = try folders(count)
    expectFileError(.tooLarge) { try folder.write(to: place.scratch["Deep"]) }
    expectFileError(.tooLarge) { _ = try folder.serializedRepresentation }
    #expect(try place.names().isEmpty)
  }

  @Test("What is just not too deep is serialized, made again, and may be written")
  func deep() throws {
    let folder = try folders(DocumentLimits().depth + 1)
    // Writing it takes more of the stack than a build with a sanitizer has.
    try WrapperTree(folder).checkLimits(at: .at(place["Deep"]))
    let bytes = try folder.serializedRepresentation
    #expect(try DocumentWrapper(serializedRepresentation: bytes).serializedRepresentation == bytes)
  }

  @Test("What is deep is written as it is")
  func written() throws {
    let url = place.scratch["Deep"]
    try folders(200).write(to: url)
    let again = try DocumentWrapper(url: url)
    #expect(try again.matchesContents(of: url))
    try again.write(to: url, options: .atomic, originalContentsURL: url)
    #expect(try DocumentWrapper(url: url).serializedRepresentation.count > 200)
  }
}
