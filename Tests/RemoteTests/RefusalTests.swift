import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Synchronization
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Servers that refuse, and invalid addresses.
@Suite("A remote that refuses harms nothing here", .blocks)
struct RefusalTests {
  /// Syncs, and expects a failure without any change of the device.
  private func failure(
    _ world: RemoteWorld, address: String? = nil, access: RemoteAccess? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> VersionError? {
    let mira = try world.device("mira", address: address)
    try world.world.save("one\n", as: "a.md", on: "mira")
    let failure = #expect(throws: VersionError.self, sourceLocation: sourceLocation) {
      try mira.store.sync(mira.container, access: access ?? world.access)
    }
    #expect(try world.world.read("a.md", on: "mira") == "one\n", sourceLocation: sourceLocation)
    #expect(
      try world.world.history("a.md", on: "mira").versions.count == 1,
      sourceLocation: sourceLocation)
    return failure
  }

  @Test("A missing repository is reported as missing", arguments: GitServer.Kind.available)
  func missing(kind: GitServer.Kind) throws {
    let world = try RemoteWorld(kind)
    let failure = try failure(world, address: world.server.address(of: "nothing"))
    #expect(failure?.code == .remoteRefused)
    #expect(failure?.message.contains("repository") == true)
  }

  @Test("A clone that was refused leaves nothing, and can be made again", arguments: [true, false])
  func refusedClone(isNew: Bool) throws {
    let world = try RemoteWorld()
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira")
    let folder = world.world.scratch["ida"]
    if !isNew {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    let store = world.world.store("ida")
    #expect(throws: VersionError.self) {
      try store.clone(
        Remote(name: "origin", address: world.server.address(of: "nothing")), to: folder,
        access: world.access)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path) == !isNew)
    let inside = world.world.scratch["mira/inside"]
    #expect(throws: VersionError.self) {
      try store.clone(
        Remote(name: "origin", address: world.server.address(of: "docs")), to: inside,
        access: world.access)
    }
    #expect(!FileManager.default.fileExists(atPath: inside.path))
    try store.clone(
      Remote(name: "origin", address: world.server.address(of: "docs")), to: folder,
      access: world.access)
    #expect(try world.world.read("a.md", on: "ida") == "one\n")
  }

  @Test("A folder that is not there is not cloned")
  func missingFolder() throws {
    let world = try RemoteWorld().world
    let stick = world.scratch["stick"]
    let refused = #expect(throws: VersionError.self) {
      try world.store("ida").clone(
        Remote(name: "stick", address: stick.absoluteString), to: world.scratch["ida"])
    }
    #expect(refused?.code == .remoteRefused)
    for place in [stick, world.scratch["ida"]] {
      #expect(!FileManager.default.fileExists(atPath: place.path))
    }
  }

  @Test(
    "No repository is made where a disk is not mounted that was synced with",
    arguments: ["disk", "disk/r.git"])
  func unmounted(_ place: String) throws {
    let (world, files) = (try RemoteWorld().world, FileManager.default)
    let (disk, aside) = (world.scratch["disk"], world.scratch["aside"])
    try files.createDirectory(at: disk, withIntermediateDirectories: false)
    try world.save("one\n", as: "a.md", on: "mira")
    let (store, mira) = (world.store("mira"), world.scratch["mira"])
    try store.addRemote(
      Remote(name: "disk", address: world.scratch[place].absoluteString), to: mira)
    #expect(try store.sync(mira, with: "disk").sent == 1)
    try files.moveItem(at: disk, to: aside)
    try files.createDirectory(at: disk, withIntermediateDirectories: false)
    try world.save("two\n", as: "a.md", on: "mira")
    let failure = #expect(throws: VersionError.self) { try store.sync(mira, with: "disk") }
    #expect(failure?.code == .remoteUnreachable)
    #expect(failure?.message.contains("may not be mounted") == true)
    #expect(try files.contentsOfDirectory(atPath: disk.path).isEmpty)
    try files.removeItem(at: disk)
    try files.moveItem(at: aside, to: disk)
    #expect(try store.sync(mira, with: "disk").sent == 1)
  }

  @Test("A server that is not there can be tried again", arguments: GitServer.Kind.available)
  func unreachable(kind: GitServer.Kind) throws {
    let world = try RemoteWorld(kind)
    let port = try Loopback.freePort()
    let failure = try failure(world, address: world.server.address(of: "docs", port: port))
    #expect(failure?.code == .remoteUnreachable)
    #expect(failure?.recovery == .tryAgain)
  }

  @Test("A wrong password is asked for three times, and then refused")
  func wrongPassword() throws {
    let world = try RemoteWorld(.https)
    let asked = Counter()
    var access = world.access
    access.credential = { _ in
      asked.add()
      return Credential(user: "anna", password: "wrong")
    }
    #expect(try failure(world, access: access)?.code == .remoteRefused)
    #expect(asked.count == 3)
    access.credential = { _ in nil }
    #expect(try failure(world, access: access)?.message.contains("name and a password") == true)
  }

  @Test("An unknown authority is refused, and so is another host's certificate")
  func certificates() throws {
    let world = try RemoteWorld(.https)
    var access = world.access
    access.certificates = nil
    #expect(try failure(world, access: access)?.message.contains("not trusted") == true)
    let other = try RemoteWorld(.https)
    let address = other.server.address(of: "docs").replacing("localhost", with: "127.0.0.1")
    #expect(try failure(other, address: address)?.message.contains("not trusted") == true)
  }

  @Test(
    "An unknown host key is refused with the line that makes it known",
    .enabled(if: GitServer.Kind.available.contains(.ssh)))
  func hostKey() throws {
    let world = try RemoteWorld(.ssh)
    var access = world.access
    access.sshCommand = world.server.sshCommand.map { word in
      word.hasPrefix("-oUserKnownHostsFile=") ? "-oUserKnownHostsFile=/dev/null" : word
    }
    let failure = try failure(world, access: access)
    #expect(failure?.code == .remoteRefused)
    #expect(
      failure?.recovery
        == .trustHost("\(NSUserName())@127.0.0.1", port: world.server.port))
  }

  @Test("A web server may send to another path, but to no other host")
  func redirections() throws {
    let world = try RemoteWorld(.https)
    let address = world.server.address(of: "docs")
    let mira = try world.device("mira", address: address.replacing("/git/", with: "/moved/"))
    try world.world.save("one\n", as: "a.md", on: "mira")
    #expect(try mira.store.sync(mira.container, access: world.access).sent == 1)

    let other = try RemoteWorld(.https)
    let away = other.server.address(of: "docs").replacing("/git/", with: "/away/")
    #expect(try failure(other, address: away)?.message.contains("another place") == true)
  }

  @Test("A body that is too large for a web server says where its limit is")
  func tooLarge() throws {
    let world = try RemoteWorld(.https)
    let mira = try world.device("mira")
    var random = SeededGenerator(seed: 1)
    let noise = Data((0..<6_000_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    try noise.write(to: mira["large.bin"])
    try mira.store.save(mira["large.bin"])
    let failure = #expect(throws: VersionError.self) {
      try mira.store.sync(mira.container, access: world.access)
    }
    #expect(failure?.code == .remoteRefused)
    #expect(failure?.message.contains("413") == true)
  }

  @Test("A full disk at the server is a failure here, and all goes well afterwards")
  func fullDisk() throws {
    let world = try RemoteWorld(.git, mostBlocks: 1)
    let mira = try world.device("mira")
    var random = SeededGenerator(seed: 2)
    let noise = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    try noise.write(to: mira["a.bin"])
    try mira.store.save(mira["a.bin"])
    #expect(throws: VersionError.self) {
      try mira.store.sync(mira.container, access: world.access)
    }
    #expect(try world.references().isEmpty)
    // Space was freed.
    let larger = try GitServer(.git)
    let address = try larger.makeRepository("docs")
    try mira.store.addRemote(Remote(name: "larger", address: address), to: mira.container)
    #expect(try mira.store.sync(mira.container, with: "larger", access: world.access).sent == 1)
  }

  @Test("A repository that has lost objects is replaced by an empty one, as the failures say")
  func lostObjects() throws {
    let (world, files) = (try RemoteWorld(), FileManager.default)
    try world.world.save("one\n", as: "a.md", on: "mira")
    try world.meet("mira", "tom")
    try world.world.save("two\n", as: "a.md", on: "tom")
    try world.sync("tom")
    let objects = world.server.folder("docs").appending(path: "objects")
    for name in try files.contentsOfDirectory(atPath: objects.path) where name != "info" {
      try files.removeItem(at: objects.appending(path: name))
    }
    try files.createDirectory(
      at: objects.appending(path: "pack"), withIntermediateDirectories: false)
    try world.world.save("b\n", as: "b.md", on: "tom")
    for name in ["mira", "tom"] {
      let failure = #expect(throws: VersionError.self) { try world.sync(name) }
      #expect(failure?.code == .remoteRefused, "\(failure?.message ?? "")")
      #expect(failure?.hint?.contains("make an empty one in its place") == true)
    }
    try files.moveItem(at: world.server.folder("docs"), to: world.server.folder("away"))
    try world.server.makeRepository("docs")
    try world.meet("mira", "tom")
    try world.expectAgreement(about: "a.md", among: ["mira", "tom"])
    #expect(try world.world.read("a.md", on: "mira") == "two\n")
    #expect(try world.world.read("b.md", on: "mira") == "b\n")
    try world.expectSound("mira", "tom")
  }

  @Test("References that a host protects are named", arguments: ["docversions", "heads"])
  func protected(what: String) throws {
    let world = try RemoteWorld()
    let hook = world.server.folder("docs").appending(path: "hooks/update")
    let pattern = what == "heads" ? "refs/heads/*" : "refs/docversions/*"
    try Script.write(
      "case \"$1\" in \(pattern)) echo 'protected branch' >&2; exit 1;; esac\n", to: hook)
    let failure = try failure(world)
    #expect(failure?.code == .remoteRefused)
    #expect(failure?.message.contains("refs/\(what)") == true)
    #expect(try world.references().isEmpty)
    try FileManager.default.removeItem(at: hook)
    try world.meet("mira", "tom")
    #expect(try world.world.read("a.md", on: "tom") == "one\n")
  }

  @Test("A repository with source code is refused until it may be shared, and keeps what it has")
  func otherThings() throws {
    let world = try RemoteWorld()
    let folder = world.server.folder("docs").path
    let tree = try world.server.git(["-C", folder, "hash-object", "-w", "-t", "tree", "/dev/null"])
    let commit = try world.server.git(
      [
        "-C", folder, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "source",
        tree.trimmingCharacters(in: .newlines),
      ])
    let id = commit.trimmingCharacters(in: .newlines)
    try world.server.git(["-C", folder, "update-ref", "refs/heads/main", id])
    let failure = try failure(world)
    #expect(failure?.code == .remoteRefused)
    let mira = try world.device("mira")
    try mira.store.removeRemote(named: "origin", from: mira.container)
    try mira.store.addRemote(
      Remote(name: "origin", address: world.server.address(of: "docs"), isShared: true),
      to: mira.container)
    #expect(try mira.store.sync(mira.container, access: world.access).sent == 1)
    #expect(try world.references(withPage: true)["refs/heads/main"] == id)
  }

  @Test(
    "What is no address is refused",
    arguments: [
      "", "docs", "/srv/docs", "ext::sh -c id", "ext::sh", "ssh://-oProxyCommand=id/docs",
      "ssh://host", "-oProxyCommand=id:docs", "host:-docs", "user@-host:docs", "-user@host:docs",
      "ssh://-user@host/docs", "https://anna:secret@host/docs", "ssh://anna:secret@host/docs",
      "https://", "https:///docs", "https://host", "https://ho st/docs", "https://host/do\ncs",
      "ftp://host/docs", "https://host:0/docs", "https://host:99999/docs",
      "https://host:x/docs", "ssh://host/%00", "ssh://host/%2", "file://host/docs", "host::docs",
      "http://host@-evil/docs", "ssh://host:22:33/docs", "git://host/\u{7F}",
    ])
  func noAddress(text: String) {
    #expect(throws: RemoteAddress.Refusal.self) { try RemoteAddress(text) }
    #expect(throws: VersionError.self) { try Remote(name: "origin", address: text) }
  }

  @Test("A path is no address, and the refusal says the one that would do")
  func pathAsAddress() {
    let refusal = #expect(throws: RemoteAddress.Refusal.self) {
      try RemoteAddress("/media/stick/my notes.git")
    }
    #expect(refusal?.hint.hasSuffix("file:///media/stick/my%20notes.git") == true)
    #expect(throws: RemoteAddress.Refusal.self) { try RemoteAddress("../notes.git") }
  }

  @Test("Addresses are read as git reads them")
  func addresses() throws {
    func parts(_ text: String) throws -> [String?] {
      let address = try RemoteAddress(text)
      return [
        address.scheme.rawValue, address.user, address.host, address.port.map(String.init),
        address.path,
      ]
    }
    #expect(try parts("https://host/a/b.git") == ["https", nil, "host", nil, "/a/b.git"])
    #expect(try parts("HTTPS://anna@host:8443/a") == ["https", "anna", "host", "8443", "/a"])
    #expect(try parts("ssh://git@host:22/~anna/a") == ["ssh", "git", "host", "22", "~anna/a"])
    #expect(try parts("ssh://host/a%20b") == ["ssh", nil, "host", nil, "/a b"])
    #expect(try parts("git@host:a/b.git") == ["ssh", "git", "host", nil, "a/b.git"])
    #expect(try parts("host:/a") == ["ssh", nil, "host", nil, "/a"])
    #expect(try parts("git@[::1]:a") == ["ssh", "git", "::1", nil, "a"])
    #expect(try parts("ssh://[::1]:2222/a") == ["ssh", nil, "::1", "2222", "/a"])
    #expect(try parts("git://host:9999/a") == ["git", nil, "host", "9999", "/a"])
    #expect(try parts("file:///srv/a%20b") == ["file", nil, "", nil, "/srv/a b"])
  }

  @Test("Names of remotes are words", arguments: ["", "-x", ".x", "a b", "a/b", "a\n", "*"])
  func names(name: String) {
    #expect(throws: VersionError.self) { try Remote(name: name, address: "git://host/a") }
  }
}

/// Counts from any thread.
private final class Counter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func add() { value.withLock { $0 += 1 } }
}
