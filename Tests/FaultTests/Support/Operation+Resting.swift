internal import DocumentTestSupport
internal import Foundation

/// Operations on documents without stores.
extension Operation {
  static let withoutStores: [Operation] = [
    Operation(
      "sync, many arrive and rest", documents: FaultBed.restingDocuments, exchangeFolder: "cloud",
      ["sync"]
    ) { try $0.manyArrive() },
    Operation(
      "exchange, many arrive and rest", documents: FaultBed.restingNames.map { DocumentNames($0) },
      exchangeFolder: "cloud", letsRest: true,
      ["exchange", "../cloud"]
    ) { try $0.manyBegin() },
    Operation(
      "sync, what rests moves on", documents: FaultBed.restingDocuments, exchangeFolder: "cloud",
      ["sync"]
    ) { try $0.manyMoveOn() },
    Operation(
      "save what rests", documents: [DocumentNames("n1.md")], exchangeFolder: "cloud",
      ["save", "n1.md"]
    ) {
      try $0.manyRest()
      try $0.write("a raft\n", to: "n1.md", minute: 8)
    },
    Operation("restore what rests", documents: FaultBed.restingDocuments) {
      ["restore", "n1.md", try $0.identifiers(of: "n1.md").last ?? ""]
    } prepare: {
      try $0.manyRest()
    },
    Operation(
      "rename what rests", documents: [DocumentNames("n1.md", "plan.md")],
      ["rename", "n1.md", "plan.md"]
    ) { try $0.manyRest() },
    Operation("delete what rests", documents: [DocumentNames("n1.md")], ["delete", "n1.md"]) {
      try $0.manyRest()
    },
    Operation(
      "remote remove", documents: FaultBed.restingDocuments, ["remote", "remove", "origin"]
    ) { try $0.manyRest() },
    Operation(
      "download", documents: FaultBed.restingDocuments, exchangeFolder: "cloud",
      ["download", "n1.md"]
    ) { try $0.manyArrive(isLazy: true) },
    Operation(
      "download all, which rest", documents: FaultBed.restingDocuments, exchangeFolder: "cloud",
      ["download", "."]
    ) { try $0.manyArrive(isLazy: true) },
    Operation(
      "evict", documents: [DocumentNames("own.md")], exchangeFolder: "cloud", ["evict", "own.md"]
    ) { try $0.manyArrive(isLazy: true) },
    Operation(
      "evict what rests", documents: FaultBed.restingDocuments, exchangeFolder: "cloud",
      ["evict", "n1.md"]
    ) {
      try $0.manyRest()
      try $0.expect(["sync", "--lazy"], minute: 6)
    },
    Operation(
      "move to another container", documents: [DocumentNames("trip.md", "../tom/trip.md")],
      ["move", "trip.md", "../tom"]
    ) { try $0.twoContainers() },
    Operation(
      "undo a move", documents: [DocumentNames("trip.md", "../tom/trip.md")],
      ["undo", "../tom/trip.md"]
    ) {
      try $0.twoContainers()
      try $0.expect(["move", "trip.md", "../tom"], minute: 4)
    },
    Operation(
      "move what rests", documents: [DocumentNames("n1.md", "../ida/n1.md")],
      ["move", "n1.md", "../ida"]
    ) {
      try $0.manyRest()
      try $0.save("Ida’s\n", as: "other.md", minute: 6, as: "ida")
    },
  ]
}

extension FaultBed {
  /// A document of two versions, and another container beside it.
  fileprivate func twoContainers() throws {
    try save("a tent\n", as: "trip.md", minute: 1)
    try save("a tent\na map\n", as: "trip.md", minute: 2)
    try save("Tom’s\n", as: "other.md", minute: 3, as: "tom")
  }
}
