import Foundation
import Testing

@testable import DocumentSync

@Suite("Outcomes of several exchanges")
struct ExchangeOutcomeTests {
  private func exchange(
    _ name: String, from former: String? = nil, ownPlace: String? = nil, received: Int
  ) -> DocumentExchange {
    func url(_ name: String) -> URL { URL(filePath: "/notes/\(name)") }
    var result = DocumentExchange(document: url(name), received: received)
    result.formerDocument = former.map(url)
    result.ownPlace = ownPlace.map(url)
    return result
  }

  private func outcome(_ documents: DocumentExchange...) -> ExchangeOutcome {
    ExchangeOutcome(
      documents: documents, sentBytes: 0, receivedBytes: 0, arriving: [],
      removedContentsStay: false, hasFetchedEverything: false)
  }

  @Test("Documents that change places are reported with the places where they began and ended")
  func exchangedPlaces() {
    let first = outcome(
      exchange("a 2.md", from: "a.md", received: 1),
      exchange("a.md", ownPlace: "a.md", received: 10), exchange("b.md", received: 100))
    let second = outcome(
      exchange("a.md", from: "a 2.md", received: 2), exchange("a 2.md", from: "a.md", received: 20),
      exchange("c.md", from: "b.md", received: 200), exchange("b.md", received: 1_000))
    let both = first.followed(by: second).documents
    #expect(both.map(\.document.lastPathComponent) == ["a 2.md", "a.md", "b.md", "c.md"])
    #expect(both.map(\.received) == [30, 3, 1_000, 300])
    #expect(both.map { $0.formerDocument?.lastPathComponent } == [nil, nil, nil, "b.md"])
    #expect(both.map { $0.ownPlace?.lastPathComponent } == ["a.md", nil, nil, nil])
  }
}
