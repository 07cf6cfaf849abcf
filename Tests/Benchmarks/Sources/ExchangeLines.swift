import DocumentVersions
import Foundation

/// Exchanging versions with other devices, through a folder on the same disk.
extension Line {
  static let exchanges = [
    exchangeOfOne("exchange of an edited document", versions: 1),
    exchangeOfOne("exchange of an edited document with 2,000 versions", versions: 2_000),
    exchangeOfNothing, exchangeOfOneAmongMany,
  ]

  /// One document, edited and saved before.
  private static func exchangeOfOne(_ name: String, versions: Int) -> Line {
    Line(name: name, peer: "git push", target: 0.6) { bench in
      try bench.git("init", "-q", "--bare", "../cloud.git")
      try bench.git("init", "-q")
      try bench.git("remote", "add", "origin", "../cloud.git")
      let store = VersionStore()
      func save() async throws {
        try bench.editText()
        try await store.save(bench.ours.appending(path: "a.txt"))
      }
      func commit() throws {
        try bench.editText()
        try bench.git("add", "-A")
        try bench.git("commit", "-qm", "edit")
      }
      for _ in 1...versions {
        try await save()
        try commit()
      }
      for _ in 1...2 { try bench.docversions("exchange", "../cloud") }
      try bench.git("push", "-q", "origin", "HEAD")
      return (
        { _ in
          try await save()
          return try bench.docversions("exchange", "../cloud")
        },
        { _ in
          try commit()
          return try bench.git("push", "-q", "origin", "HEAD")
        }
      )
    }
  }

  // MARK: 1,000 documents

  private static let exchangeOfNothing = Line(
    name: "exchange of 1,000 documents, nothing new", peer: "git fetch of 1,000 branches",
    target: 1
  ) { bench in
    try await prepareMany(bench)
    return (
      { _ in try bench.docversions("exchange", "../cloud") },
      { _ in try bench.git("fetch", "-q", in: "../clone") }
    )
  }

  private static let exchangeOfOneAmongMany = Line(
    name: "exchange of 1,000 documents, another device edited one",
    peer: "git fetch of 1,000 branches, one moved", target: 1
  ) { bench in
    try await prepareMany(bench)
    let (store, cloud) = (VersionStore(), bench.ours.appending(path: "../cloud"))
    let other = bench.ours.appending(path: "../other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    try await store.exchange(other, through: cloud)
    return (
      { number in
        let document = other.appending(path: "\(number).txt")
        try Data("edited \(number)".utf8).write(to: document)
        try await store.save(document)
        try await store.exchange(other, through: cloud)
        return try bench.docversions("exchange", "../cloud")
      },
      { number in
        try bench.git("commit", "-q", "--allow-empty", "-m", "edit \(number)")
        try bench.git("branch", "-f", "b\(number)")
        return try bench.git("fetch", "-q", in: "../clone")
      }
    )
  }

  /// Documents that were exchanged a while ago, and a repository with as many branches and a clone of it.
  private static func prepareMany(_ bench: Bench) async throws {
    let documents = (0..<1_000).map { bench.ours.appending(path: "\($0).txt") }
    for document in documents {
      try Data(document.lastPathComponent.utf8).write(to: document)
    }
    for outcome in await VersionStore().saveEach(documents) { _ = try outcome.get() }
    try bench.docversions("exchange", "../cloud")
    // A file that changed less than two seconds ago may change without a trace.
    try await Task.sleep(for: .seconds(2.1))
    for _ in 0..<2 { try bench.docversions("exchange", "../cloud") }

    try bench.git("init", "-q")
    try bench.git("commit", "-q", "--allow-empty", "-m", "first")
    try await bench.gitImport { write in
      for number in 0..<1_000 { try write("reset refs/heads/b\(number)\nfrom HEAD\n\n") }
    }
    try bench.git("clone", "-q", ".", "../clone")
  }
}
