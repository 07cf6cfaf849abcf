internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import SystemPackage

/// Documents of a bed without stores, which rest on a copy of a remote or are only listed.
extension FaultBed {
  /// Enough documents for them to rest when they arrive.
  static let restingNames = (1...9).map { "n\($0).md" }

  /// Some of them; the operation changes the first one.
  static let restingDocuments = ["n1.md", "n2.md", "n9.md"].map { DocumentNames($0) }

  /// A time long ago; recently changed files may not rest, because a further change might not show.
  private static let longAgo = -2_000_000

  /// A device saves all of the documents.
  private func saveAll(_ edition: String, minute: Int, as person: String) throws {
    for name in Self.restingNames {
      try write("\(edition) \(name)\n", to: "../\(person)/\(name)", minute: Self.longAgo + minute)
    }
    try expect(["save"] + Self.restingNames, minute: minute, as: person)
  }

  /// Makes Tom send documents with one version each, which can rest on Mira's shelf.
  func manyBegin() throws {
    try saveAll("the first", minute: 1, as: "tom")
    try expect(["exchange", "../cloud"], minute: 3, as: "tom")
    try save("Mira’s own\n", as: "own.md", minute: 4)
  }

  /// Gives Mira a remote with Tom's documents.
  ///
  /// - Parameter isLazy: whether Mira's device only lists new documents.
  func manyArrive(isLazy: Bool = false) throws {
    try saveAll("the first", minute: 1, as: "tom")
    try saveAll("the second", minute: 2, as: "tom")
    try expect(["exchange", "../cloud"], minute: 3, as: "tom")
    try save("Mira’s own\n", as: "own.md", minute: 4)
    try expect(["remote", "add", "origin", BedRemote.address(of: "cloud")], minute: 4)
    if isLazy { try expect(["sync", "--lazy"], minute: 5) }
  }

  /// Makes Tom's documents rest on Mira's device.
  func manyRest() throws {
    try manyArrive()
    try expect(["sync"], minute: 5)
    let resting = try Array(RestingDocuments.of(home.filePath).all).count
    guard resting == Self.restingNames.count else { throw FaultError("\(resting) documents rest") }
  }

  /// Makes Tom send new versions of the documents that rest on Mira's device.
  func manyMoveOn() throws {
    try manyRest()
    try saveAll("the third", minute: 6, as: "tom")
    try expect(["exchange", "../cloud"], minute: 7, as: "tom")
  }

  /// Updates the list of resting documents for a copied bed, whose files differ.
  func recordCopiedFiles() throws {
    let container = try home.filePath
    let present = try RestingDocuments.of(container).all.filter { !$0.isOnShelf }
    guard !present.isEmpty else { return }
    let copied = try present.compactMap { document -> RestingDocument? in
      let place = container.appending(document.path)
      guard let status = try FileStatus.of(place) else { return nil }
      return try RestingDocument(
        path: document.path, identity: document.identity, mirror: document.mirror,
        head: document.head, contents: document.contents, versions: document.versions,
        staged: status, at: place)
    }
    try RestingDocuments.changing(in: container) {
      try RestingDocuments.add(copied, in: container)
    }
  }
}
