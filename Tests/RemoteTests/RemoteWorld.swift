import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Devices with a container each, and a git server through which they sync.
struct RemoteWorld {
  let world: World
  let server: GitServer

  init(_ kind: GitServer.Kind = .git, mostBlocks: Int? = nil) throws {
    world = try World()
    server = try GitServer(kind, mostBlocks: mostBlocks)
    try server.makeRepository("docs")
  }

  /// The access with which the server lets a device in.
  var access: RemoteAccess { Self.access(to: server) }

  static func access(to server: GitServer) -> RemoteAccess {
    var access = RemoteAccess()
    access.sshCommand = server.sshCommand
    access.environment = ["PATH": "/usr/bin:/bin"]
    access.certificates = server.kind == .https ? server.certificates : nil
    access.credential = { _ in Credential(user: GitServer.user, password: GitServer.password) }
    // Hundreds of tests may run at the same time.
    access.connectTimeout = .seconds(240)
    access.idleTimeout = .seconds(240)
    return access
  }

  /// A device that has the server as its remote.
  ///
  /// - Parameter address: another address of the server.
  func device(_ name: String, address: String? = nil) throws -> Device {
    let device = try world.device(name)
    if try device.store.remotes(of: device.container).isEmpty {
      try device.store.makeContainer(device.container)
      try device.store.addRemote(
        Remote(name: "origin", address: address ?? server.address(of: "docs")),
        to: device.container)
    }
    return device
  }

  /// Syncs a device, ten seconds after the previous step.
  @discardableResult
  func sync(_ name: String, access: RemoteAccess? = nil) throws -> ExchangeOutcome {
    world.clock.advance(bySeconds: 10)
    let device = try device(name)
    return try device.store.sync(device.container, access: access ?? self.access)
  }

  /// Syncs devices in turn, twice, and expects that nothing is left out.
  func meet(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    for name in names + names {
      for document in try sync(name).documents {
        #expect(document.failure == nil, sourceLocation: sourceLocation)
      }
    }
  }

  /// The references of devices in the repository, with their objects.
  ///
  /// - Parameter hasPage: whether the branch with the front page is among them.
  func references(withPage hasPage: Bool = false) throws -> [String: String] {
    let lines = try server.git(
      ["-C", server.folder("docs").path, "for-each-ref", "--format=%(refname) %(objectname)"])
    return Dictionary(
      uniqueKeysWithValues: lines.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0], words[1])
      }
    ).filter { hasPage || !FrontPage.branches.contains($0.key) }
  }

  /// Expects that git finds no problem in the repository and on the devices.
  func expectSound(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(
      try GitCheck.problems(inStore: server.folder("docs")).isEmpty, sourceLocation: sourceLocation)
    for name in names {
      #expect(
        try GitCheck.problems(inContainer: world.scratch[name]).isEmpty,
        sourceLocation: sourceLocation)
    }
  }

  /// Expects that devices have the same versions of a document, and show the same one.
  func expectAgreement(
    about document: String, among names: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let histories = try names.map { try world.history(document, on: $0) }
    let ids = histories.map { Set($0.versions.map(\.id)) }
    #expect(ids.allSatisfy { $0 == ids.first }, sourceLocation: sourceLocation)
    let texts = try names.map { try world.read(document, on: $0) }
    #expect(texts.allSatisfy { $0 == texts.first }, sourceLocation: sourceLocation)
  }
}
