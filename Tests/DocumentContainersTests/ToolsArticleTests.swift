import DocumentTestSupport
import DocumentTools
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// The code of the article “Looking after documents”, compiled and run.
///
/// Another test holds the text and this together.
@Suite("Article about tools")
struct ToolsArticleTests {
  @Test("Copies are adopted, a store is checked and repaired, and old versions are thinned")
  func article() async throws {
    var lines: [String] = []
    func log(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    let desk = try Device()
    let folder = desk.container
    let store = VersionStore(desk.store)
    let document = desk["plan.md"]
    try desk.save("Tent\nBoots\n", as: "plan.md")
    try desk.save("Tent\nBoots\nStove\n", as: "plan.md")
    try desk.write("Red tent\nBoots\n", to: syncthingCopy(of: "plan"))

    let adoption = Adoption()
    for try await copy in adoption.copies(in: [folder]) {
      log(copy.url.lastPathComponent, copy.author, copy.device)
    }
    for try await document in adoption.adopt(in: [folder], by: .merge) {
      log(document.document.lastPathComponent, document.isInConflict)
    }
    #expect(try desk.read("plan.md") == "Red tent\nBoots\nStove\n")
    try await adoption.undo(in: folder)
    #expect(try desk.read("plan.md") == "Tent\nBoots\nStove\n")
    #expect(lines.count == 2 && lines[0].hasSuffix("unknown UWZBLXH"))

    let health = try await store.verify(document)
    if !health.isWhole {
      let repairs = try await store.repair(document)
      log(repairs.steps, repairs.losses.map(\.message))
    }
    #expect(health.isWhole)
    #expect(try await store.repair(document).steps.isEmpty)
    #expect(try await store.missingProperties(ofFileSystemAt: folder).isEmpty)

    var rules = RetentionRules()
    rules.last = 10
    rules.daily = 30
    try await store.thin(document, keeping: rules)
    try await store.collect(document)
    let versions = try await store.history(of: document).versions
    let oldest = try #require(versions.last)
    try await store.setPinned(true, [oldest], of: document)
    rules.last = 1
    rules.daily = 0
    #expect(try await !store.thin(document, keeping: rules).contains(oldest))
    try await store.setPinned(false, [oldest], of: document)
    try await store.remove([oldest], of: document)
    #expect(try await store.removedVersions(of: document).contains(oldest))
    #expect(try await store.undelete(of: document).contains(oldest))
  }
}
