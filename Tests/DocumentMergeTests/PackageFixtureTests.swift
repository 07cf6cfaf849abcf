import DocumentMerge
import Foundation
import Testing

/// A merge of packages as folders: `base` (missing if both sides are new), `ours`, `theirs`, the `expected`
/// package, and a file `decisions` with a line for each: its kind, and its place.
///
/// Folders that git wouldn't keep have a file `.empty`; a missing `expected` is created, to be reviewed.
struct PackageFixture: Sendable, CustomTestStringConvertible {
  let folder: URL
  var testDescription: String { folder.lastPathComponent }

  static let all = MergeFixture.folders(in: MergeFixture.root.appending(path: "package"))
    .map(PackageFixture.init)

  /// Returns the members of one of its packages; nil if it has none with this name.
  func members(_ name: String) throws -> [String: PackageMember]? {
    let root = folder.appending(path: name, directoryHint: .isDirectory)
    guard FileManager.default.fileExists(atPath: root.path) else { return nil }
    var members: [String: PackageMember] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let place = root.appending(path: path).path
      let attributes = try FileManager.default.attributesOfItem(atPath: place)
      switch attributes[.type] as? FileAttributeType {
      case .typeSymbolicLink:
        members[path] = link(try FileManager.default.destinationOfSymbolicLink(atPath: place))
      case .typeRegular:
        if let slash = path.range(of: "/.empty") {
          members[String(path[..<slash.lowerBound])] = .folder
          continue
        }
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: place)))
        let mode = attributes[.posixPermissions] as? Int ?? 0
        members[path] = .file(
          PackageFile(
            identity: Data(bytes).base64EncodedString(), isExecutable: mode & 0o100 != 0,
            size: bytes.count
          ) { bytes })
      default: break
      }
    }
    return members
  }

  func merge() throws -> OpenPackageMerge {
    let sides = MergeSides(
      base: try members("base").map(package),
      ours: try package(try #require(try members("ours"))),
      theirs: try package(try #require(try members("theirs"))))
    return try PackageMergeEngine(choosing: {
      MergeEngines().engine(forFileName: $0.description)
    }).openMerge(of: sides, options: MergeOptions())
  }

  /// The contents of the file `decisions`.
  var decisions: String {
    get throws { try String(contentsOf: folder.appending(path: "decisions"), encoding: .utf8) }
  }

  static func told(_ decisions: [MergeDecision]) -> String {
    decisions.map { "\($0.kind.rawValue) \($0.place)\n" }.joined()
  }

  /// Writes the engine's result.
  func record(_ outcome: PackageMergeOutcome) throws {
    let files = FileManager.default
    for (path, member) in outcome.members {
      let place = folder.appending(path: "expected/\(path)")
      try files.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      switch member {
      case .kept(.symbolicLink(let target)):
        try files.createSymbolicLink(
          atPath: place.path, withDestinationPath: String(decoding: target, as: UTF8.self))
      case .kept(.folder):
        try files.createDirectory(at: place, withIntermediateDirectories: true)
        try Data().write(to: place.appending(path: ".empty"))
      case .kept(.file(let file)):
        try write(try file.read(), file.isExecutable, to: place)
      case .merged(let bytes, let isExecutable):
        try write(bytes, isExecutable, to: place)
      }
    }
    try Data(Self.told(outcome.decisions).utf8).write(to: folder.appending(path: "decisions"))
  }

  private func write(_ bytes: [UInt8], _ isExecutable: Bool, to place: URL) throws {
    try Data(bytes).write(to: place)
    try FileManager.default.setAttributes(
      [.posixPermissions: isExecutable ? 0o755 : 0o644], ofItemAtPath: place.path)
  }
}

@Suite("Packages merged as in Fixtures/merges/package")
struct PackageFixtureTests {
  @Test("Every merge gives the expected result", arguments: PackageFixture.all)
  func replay(_ fixture: PackageFixture) throws {
    let outcome = try fixture.merge().outcome()
    guard let expected = try fixture.members("expected") else {
      try fixture.record(outcome)
      Issue.record("\(fixture.testDescription) told no outcome; it is recorded now, to be read")
      return
    }
    let wanted = try package(expected).map { ($0.description, try MergedMember.kept($1).shown) }
    #expect(try outcome.contents == Dictionary(uniqueKeysWithValues: wanted))
    #expect(PackageFixture.told(outcome.decisions) == (try fixture.decisions))
  }

  @Test("Every question can be answered on its own", arguments: PackageFixture.all)
  func answers(_ fixture: PackageFixture) throws {
    try checkPackageAnswers(try fixture.merge(), "\(fixture.testDescription)")
  }

  @Test("There are as many as an engine needs")
  func count() { #expect(PackageFixture.all.count >= 12) }
}
