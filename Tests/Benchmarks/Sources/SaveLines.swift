import DocumentVersions
import Foundation

/// Saving documents that are files.
extension Line {
  /// Every line, in the order of the table.
  static let all =
    saves + lists + exchanges + syncs + containers(1_000) + containers(10_000) + packages + large
    + space + merges + documents + coordination + watching + searches

  /// Lines that take minutes to prepare.
  static let huge =
    [
      log(of: 100_000, target: 0.7, .clock),
      list(newest: 100, of: 100_000, target: 0.1), list(newest: nil, of: 100_000, target: 0.15),
      show(back: 50_000, of: 100_000), contents(back: 50_000, of: 100_000),
      saveOfOld(after: 100_000), firstSaves, statusOfMany,
      conflicts(among: 10_000, target: 60),
      conflictsInProcess(among: 10_000, again: false, target: 50),
      conflictsInProcess(among: 10_000, again: true, target: 5),
      memory(of: "save", 2_000, target: 100), memory(of: "restore", 2_000, target: 100),
    ] + searchesOfMany + containers(100_000)

  private static let saves = [
    saveOfFile(peer: "git add && git commit (not durable)", target: 0.6),
    saveOfFile(peer: "git add && git commit, core.fsync=all", target: 0.3, "-c", "core.fsync=all"),
    saveInProcess, saveByHand, saveOfOld(after: 10_000), thousandsOfSaves, saveOfMany, status,
  ]

  /// A text of 10 KB, saved after an edit.
  private static func saveOfFile(peer: String, target: Double, _ settings: String...) -> Line {
    Line(name: "save of 10 KB", peer: peer, target: target) { bench in
      try bench.git("init", "-q")
      try bench.editText()
      try bench.docversions("save", "a.txt")
      return (
        { _ in
          try bench.editText()
          return try bench.docversions("save", "a.txt")
        },
        { _ in
          try bench.editText()
          return try bench.git(settings + ["add", "-A"])
            + bench.git(settings + ["commit", "-qm", "edit"])
        }
      )
    }
  }

  private static let saveInProcess = Line(
    name: "save of 10 KB in process", peer: "git add && git commit (not durable)", target: 0.3
  ) { bench in
    try bench.git("init", "-q")
    let document = bench.ours.appending(path: "a.txt")
    return (
      { _ in try await saving(document, bench) },
      { _ in
        try bench.editText()
        return try bench.git("add", "-A") + bench.git("commit", "-qm", "edit")
      }
    )
  }

  /// A save, compared with the minimum that git's format and durability require.
  private static let saveByHand = Line(
    name: "save of 10 KB in process", peer: "a pack made by hand, as durable", target: 1.4,
    counts: .processor
  ) { bench in
    try bench.git("init", "-q", "--bare")
    let document = bench.ours.appending(path: "a.txt")
    let repository = try HandMadeRepository(bench.git)
    return (
      { _ in try await saving(document, bench) },
      { number in
        let text = try bench.editText(bench.git.appending(path: "a.txt"))
        return try await Timing.of { try repository.save([UInt8](text), number: number) }
      }
    )
  }

  /// A save of a document with many versions, compared with one with few.
  static func saveOfOld(after count: Int) -> Line {
    Line(
      name: "save of 10 KB in process after \(count) versions", peer: "the same after 20",
      target: 1.1
    ) { bench in
      try await prepareHistory(bench, count: count)
      let (old, young) = (
        bench.ours.appending(path: "a.txt"), bench.git.appending(path: "young.txt")
      )
      for _ in 0..<20 { _ = try await (saving(old, bench), saving(young, bench)) }
      return (
        { _ in try await saving(old, bench) }, { _ in try await saving(young, bench) }
      )
    }
  }

  /// Thousands of saves, including all maintenance of the store in the meantime.
  private static let thousandsOfSaves = Line(
    name: "3,000 saves of 10 KB in process: a hundred of the last thousand",
    peer: "a hundred of the first thousand", target: 1.2
  ) { bench in
    let document = bench.ours.appending(path: "a.txt")
    var hundreds: [Timing] = []
    for _ in 0..<30 {
      var hundred = Timing.counted(0)
      for _ in 0..<100 { hundred = try await hundred + saving(document, bench) }
      hundreds.append(hundred)
    }
    return ({ [hundreds] in hundreds[20 + $0 % 10] }, { [hundreds] in hundreds[$0 % 10] })
  }

  /// Saves a document in this process, after an edit that does not count.
  private static func saving(_ document: URL, _ bench: Bench) async throws -> Timing {
    try bench.editText(document)
    let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
    return try await Timing.of { try await store.save(document) }
  }

  /// 100 texts of 10 KB, each edited, saved in one call.
  private static let saveOfMany = Line(
    name: "save of 100 documents of 10 KB", peer: "git add && git commit (not durable)", target: 0.6
  ) { bench in
    try bench.git("init", "-q")
    let names = (0..<100).map { "\($0).txt" }
    func edit() throws { for name in names { try bench.editText(name) } }
    let save = { try bench.docversions(["save"] + names) }
    try edit()
    _ = try save()
    return (
      { _ in
        try edit()
        return try save()
      },
      { _ in
        try edit()
        return try bench.git("add", "-A") + bench.git("commit", "-qm", "edit")
      }
    )
  }

  /// Documents without versions in a separate folder, saved in one call; the time grows in proportion.
  private static let firstSaves = Line(
    name: "first saves of 5,000 documents", peer: "first saves of 1,000 documents", target: 5.5,
    counts: .processor
  ) { bench in
    func save(_ count: Int, in folder: String) throws -> Timing {
      try bench.docversions(["save"] + documents(count, in: folder, bench))
    }
    return ({ try save(5_000, in: "many\($0)") }, { try save(1_000, in: "few\($0)") })
  }

  private static let statusOfMany = Line(
    name: "status of 5,000 documents", peer: "git status", target: 20
  ) { bench in
    try bench.git("init", "-q")
    let names = try documents(5_000, in: "many", bench)
    for name in names { try bench.editText(bench.git.appending(path: name)) }
    try bench.docversions(["save"] + names)
    try bench.git("add", "-A")
    return ({ _ in try bench.docversions("status", "many") }, { _ in try bench.git("status") })
  }

  /// Writes texts into a new folder, and a folder for the versions beside them.
  private static func documents(
    _ count: Int, in folder: String, _ bench: Bench
  ) throws -> [String] {
    for parent in [bench.ours, bench.git] {
      try FileManager.default.createDirectory(
        at: parent.appending(path: folder), withIntermediateDirectories: true)
    }
    let names = (0..<count).map { "\(folder)/\($0).txt" }
    for name in names { try bench.editText(bench.ours.appending(path: name)) }
    return names
  }

  private static let status = Line(
    name: "status of 10 KB", peer: "git status", target: 4, counts: .processor
  ) {
    bench in
    try bench.git("init", "-q")
    try bench.editText()
    try bench.docversions("save", "a.txt")
    try bench.git("add", "-A")
    return ({ _ in try bench.docversions("status", "a.txt") }, { _ in try bench.git("status") })
  }
}
