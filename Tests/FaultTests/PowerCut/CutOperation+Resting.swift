import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Operations on documents without stores, which rest on a copy of a remote or are only listed.
extension CutOperation {
  static let withoutStores = [
    CutOperation(
      "sync after which many rest", "sync --in desk", documents: CutDesk.resting, isOneByOne: true
    ) { desk in
      try desk.makeRemote()
      return []
    },
    CutOperation(
      "sync for what rests", "sync --in desk", documents: CutDesk.resting, isOneByOne: true
    ) { desk in
      try desk.makeRemote()
      try desk.rest()
      try desk.publish("third")
      return []
    },
    CutOperation("save of what rests", "save desk/n1.md", documents: CutDesk.resting) { desk in
      try desk.makeRemote()
      try desk.rest()
      return try desk.write("an edit\n", to: "desk/n1.md")
    },
    CutOperation(
      "rename of what rests", "rename desk/n1.md plan.md",
      documents: CutDesk.resting + ["desk/plan.md"]
    ) { desk in
      try desk.makeRemote()
      try desk.rest()
      return []
    },
    CutOperation(
      "removal of the remote", "remote remove origin --in desk", documents: CutDesk.resting
    ) { desk in
      try desk.makeRemote()
      try desk.rest()
      return []
    },
  ]
}

extension CutDesk {
  /// Copies the present remote under a number; returns nothing if there is no remote.
  func copyOfRemote(_ number: Int) throws -> [URL] {
    guard FileManager.default.fileExists(atPath: remote.path) else { return [] }
    let copy = scratch["remote-\(number)"]
    try FileManager.default.copyItem(at: remote, to: copy)
    return [copy]
  }

  private static let names = (1...9).map { "n\($0).md" }
  /// Enough documents for them to rest when they arrive.
  fileprivate static let resting = names.map { "desk/\($0)" }

  /// Makes a remote at which Tom has left documents of two versions each.
  fileprivate func makeRemote() throws {
    try publish("first")
    try publish("second")
    let desk = root.appending(path: "desk")
    try store("desk").makeContainer(desk)
    try store("desk").addRemote(
      Remote(name: "origin", address: BedRemote.address(of: "remote")), to: desk)
  }

  /// Lets Tom save all documents and send them.
  fileprivate func publish(_ edition: String) throws {
    let tom = scratch["tom"]
    try FileManager.default.createDirectory(at: tom, withIntermediateDirectories: true)
    let documents = try Self.names.map { name in
      let file = try scratch.write("the \(edition) \(name)\n", to: "tom/\(name)")
      // The files are old, because files that were just changed may not rest.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: file.path)
      return file
    }
    for saved in store("tom").saveEach(documents) { _ = try saved.get() }
    try store("tom").exchange(tom, through: remote)
  }

  /// Syncs, after which the documents rest.
  fileprivate func rest() throws {
    _ = try run(["sync", "--in", "desk"])
    let resting = try RestingDocuments.of(root.appending(path: "desk").filePath)
    try #require(Array(resting.all).count == Self.names.count)
  }
}
