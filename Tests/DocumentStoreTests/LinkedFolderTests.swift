import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Links in the places of folders with documents.
@Suite("A link in the place of a folder")
struct LinkedFolderTests {
  private let desk: Device
  private let files = FileManager.default

  init() throws {
    desk = try Device()
    try desk.store.makeContainer(desk.container)
  }

  @Test("The versions stay, go on with the files that the link leads to, and survive their end")
  func outside() throws {
    try desk.save("1", as: "d/in/n.md")
    let out = try ScratchFolder()
    try files.moveItem(at: desk["d"], to: out["d"])
    try files.createSymbolicLink(at: desk["d"], withDestinationURL: out["d"])
    try desk.write("2", to: "d/in/n.md")
    #expect(try desk.store.state(of: desk["d/in/n.md"]) == .edited)
    try desk.store.save(desk["d/in/n.md"])
    #expect(try desk.texts("d/in/n.md") == ["2", "1"])
    #expect(try files.contentsOfDirectory(atPath: out["d"].path) == ["in"])
    try files.removeItem(at: out["d"])
    #expect(try desk.texts("d/in/n.md") == ["2", "1"])
    try desk.expectSound()
  }

  @Test("A document goes with its file to another folder of the container", arguments: [1, 20])
  func inside(count: Int) throws {
    let names = (1...count).map { "\($0).md" }
    for name in names { try desk.write("text of \(name)", to: "d/\(name)") }
    for outcome in desk.store.saveEach(names.map { desk["d/\($0)"] }) { _ = try outcome.get() }
    try files.moveItem(at: desk["d"], to: desk["moved"])
    try files.createSymbolicLink(atPath: desk["d"].path, withDestinationPath: "moved")
    for outcome in desk.store.saveEach(names.map { desk["moved/\($0)"] }) { _ = try outcome.get() }
    for name in names {
      #expect(try desk.texts("moved/\(name)") == ["text of \(name)", "text of \(name)"])
    }
    #expect(try desk.store.documents(below: desk.container)?.count == count)
    try desk.expectSound()
  }
}
