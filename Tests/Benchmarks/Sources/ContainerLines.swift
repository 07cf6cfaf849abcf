import DocumentVersions
import Foundation

/// A vault of notes beside one repository of git with the same files.
extension Line {
  static func containers(_ count: Int) -> [Line] {
    [
      firstSave(count), firstSync(count), cloning(count), cloning(count, listing: true),
      syncOfNothing(count), sendingOne(of: count), receivingOne(of: count), status(of: count),
      space(of: count, in: "bytes", target: 2), space(of: count, in: "inodes", target: 1.2),
    ]
  }

  /// Returns the server with a number of published notes.
  private static func server(_ count: Int, _ bench: Bench) async throws -> SyncServer {
    var made: SyncServer?
    try await bench.shared("\(count) notes at a server") {
      let server = try SyncServer(bench)
      try await server.publish(count)
      try bench.git("push", "-q", server.makeRepository("git"), "HEAD:refs/heads/main")
      try bench.git("branch", "-q", "-M", "main")
      try bench.git("remote", "add", "origin", server.address("git"))
      try bench.git("fetch", "-q")
      try bench.git("branch", "-q", "-u", "origin/main")
      made = server
    }
    if let made { bench.servers[count] = made }
    guard let server = bench.servers[count] else { throw BenchError("there is no server") }
    return server
  }

  /// Clones of both, which several lines share.
  private static func clones(_ count: Int, _ bench: Bench) async throws -> SyncServer {
    let server = try await server(count, bench)
    let place = bench.ours.appending(path: "../second-ours").path
    if !FileManager.default.fileExists(atPath: place) {
      try bench.docversions("clone", server.address("ours"), "../second-ours")
      try bench.git("clone", "-q", "-b", "main", server.address("git"), "../second-git")
    }
    return server
  }

  private static func firstSave(_ count: Int) -> Line {
    Line(
      name: "first save of \(count) notes", peer: "git init, add -A and commit (not durable)",
      target: 2
    ) { bench in
      _ = try await server(count, bench)
      /// Copies only the files, into an unknown folder.
      func copy(_ number: Int, _ folder: String, without own: String) throws -> String {
        let copy = "../first-\(folder)-\(number)"
        try bench.run(
          "sh", "-c", "cp -R ../\(folder) \(copy) && rm -rf \(copy)/\(own) && sync -f \(copy)")
        return copy
      }
      return (
        { number in
          let copy = try copy(number, "ours", without: ".docversions")
          try bench.docversions("container", "init", copy)
          return try bench.docversions("save", "--all", copy)
        },
        { number in
          let copy = try copy(number, "git", without: ".git")
          return try bench.git("init", "-q", in: copy) + bench.git("add", "-A", in: copy)
            + bench.git("commit", "-qm", "all", in: copy)
        }
      )
    }
  }

  private static func firstSync(_ count: Int) -> Line {
    Line(
      name: "first sync of \(count) notes", peer: "git push of one repository with them",
      target: count > 1_000 ? 3 : 1.3
    ) { bench in
      let server = try await server(count, bench)
      return (
        { number in
          let address = try server.makeRepository("ours\(number)")
          try bench.docversions("remote", "add", "r\(number)", address)
          let timing = try bench.docversions("sync", "r\(number)")
          try bench.docversions("remote", "remove", "r\(number)")
          return timing
        },
        { number in
          let address = try server.makeRepository("git\(number)")
          return try bench.git("push", "-q", address, "HEAD:refs/heads/main")
        }
      )
    }
  }

  private static func cloning(_ count: Int, listing isListing: Bool = false) -> Line {
    let words = isListing ? "lazy clone" : "clone"
    return Line(
      name: "\(words) of \(count) notes", peer: "git clone of one repository with them",
      target: count > 1_000 ? 2 : 1.5
    ) { bench in
      let server = try await server(count, bench)
      let folder = "../\(words.replacing(" ", with: "-"))-"
      return (
        { number in
          try bench.docversions(
            ["clone", server.address("ours"), "\(folder)ours-\(number)"]
              + (isListing ? ["--lazy"] : []))
        },
        { number in
          try bench.git(
            "clone", "-q", "-b", "main", server.address("git"), "\(folder)git-\(number)")
        }
      )
    }
  }

  private static func syncOfNothing(_ count: Int) -> Line {
    Line(
      name: "sync of \(count) notes, nothing new", peer: "git ls-remote", target: 1.2
    ) { bench in
      let server = try await server(count, bench)
      return (
        { _ in try bench.docversions("sync") },
        { _ in try bench.git("ls-remote", "-q", server.address("ours")) }
      )
    }
  }

  private static func sendingOne(of count: Int) -> Line {
    Line(
      name: "save and sync of one of \(count) notes", peer: "git commit -a and push", target: 2
    ) { bench in
      _ = try await server(count, bench)
      return (
        { number in
          try edit(number, below: bench.ours)
          return try bench.docversions("save", note) + bench.docversions("sync")
        },
        { number in
          try edit(number, below: bench.git)
          return try bench.git("commit", "-qam", "one") + bench.git("push", "-q")
        }
      )
    }
  }

  /// Receiving a version of another device, where all documents rest.
  private static func receivingOne(of count: Int) -> Line {
    Line(
      name: "sync for one of \(count) notes that arrives", peer: "git pull", target: 2
    ) { bench in
      _ = try await clones(count, bench)
      return (
        { number in
          try edit(number + 1_000, below: bench.ours)
          try bench.docversions("save", note)
          try bench.docversions("sync")
          return try bench.docversions("sync", "--in", "../second-ours")
        },
        { number in
          try edit(number + 1_000, below: bench.git)
          try bench.git("commit", "-qam", "one")
          try bench.git("push", "-q")
          return try bench.git("pull", "-q", in: "../second-git")
        }
      )
    }
  }

  private static func status(of count: Int) -> Line {
    Line(name: "status of \(count) cloned notes", peer: "git status", target: 3) { bench in
      _ = try await clones(count, bench)
      return (
        { _ in try bench.docversions("status", "../second-ours") },
        { _ in try bench.git("status", "-s", in: "../second-git") }
      )
    }
  }

  /// The disk space of a cloned note, with its file.
  private static func space(of count: Int, in unit: String, target: Double) -> Line {
    Line(
      name: "\(unit) of each of \(count) cloned notes", peer: "git clone", target: target,
      counts: .amount(unit)
    ) { bench in
      _ = try await clones(count, bench)
      func measured(_ folder: String) throws -> Timing {
        let (bytes, inodes) = try Bench.room(of: bench.ours.appending(path: "../\(folder)"))
        return .counted((unit == "bytes" ? bytes : inodes) / Double(count))
      }
      return ({ _ in try measured("second-ours") }, { _ in try measured("second-git") })
    }
  }

  /// The note that is edited.
  private static let note = "7/7.txt"

  private static func edit(_ number: Int, below folder: URL) throws {
    try Data("edit \(number), \(UUID())\n".utf8).write(to: folder.appending(path: note))
  }
}

extension Bench {
  /// Returns the disk space of a folder in bytes, and the number of its files and folders.
  static func room(of folder: URL) throws -> (bytes: Double, inodes: Double) {
    let names = FileManager.default.enumerator(atPath: folder.path) ?? .init()
    return try names.reduce((0.0, 0.0)) { total, name in
      var status = stat()
      guard lstat(folder.appending(path: "\(name)").path, &status) == 0 else {
        throw BenchError("can’t look at \(name)")
      }
      return (total.0 + Double(status.st_blocks) * 512, total.1 + 1)
    }
  }
}
