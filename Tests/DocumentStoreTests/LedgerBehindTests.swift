import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("A ledger without the last change")
struct LedgerBehindTests {
  @Test("Removed versions that were brought back stay, whatever the ledger says")
  func undeleted() throws {
    let desk = try Device()
    for number in 1...4 { try desk.save("\(number)", as: "a.md") }
    let versions = try desk.history("a.md").versions
    try desk.store.remove(Array(versions.suffix(2)), of: desk["a.md"])
    let ledger = desk[".docversions/documents/a.md.git/ledger"]
    let before = try Data(contentsOf: ledger)
    _ = try desk.store.undelete(of: desk["a.md"])
    // As if the process had been killed right after the reference moved.
    try before.write(to: ledger)
    let verification = try desk.store.verify(desk["a.md"])
    #expect(!verification.findings.contains { $0.code == .lostReference })
    _ = try desk.store.repair(desk["a.md"])
    #expect(try desk.texts("a.md") == ["4", "3", "2", "1"])
    try desk.expectSound()
  }
}
