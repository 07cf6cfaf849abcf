import DocumentVersions
import Foundation

extension Line {
  /// A package of 10,000 files of which one of 20 KB changes.
  static let packages = [
    Line(
      name: "package of 10,000: save", peer: "git add -A && git commit", target: 0.5
    ) { bench in
      try await preparePackage(bench)
      return ({ try saving(bench, $0) }, { try committing(bench, $0) })
    },
    Line(
      name: "package of 10,000: save of a known change", peer: "git add -A && git commit",
      target: 0.1
    ) { bench in
      try await preparePackage(bench)
      return (
        { number in
          try changeMember(bench, number)
          return try bench.docversions("save", package, "--changed", changedMember(number))
        },
        { try committing(bench, $0) }
      )
    },
    saveInProcess("save of a known change", target: 0.025) {
      _ = try await $0.save($1, changed: [changedMember($2)])
    },
    Line(name: "package of 10,000: save", peer: "git status", target: 1.5) { bench in
      try await preparePackage(bench)
      return (
        { try saving(bench, $0) },
        {
          try changeMember(bench, $0)
          let timing = try bench.git("status", in: package)
          try bench.git("add", "-A", in: package)
          return timing
        }
      )
    },
    saveInProcess("save", target: 1.0 / 3) { store, document, _ in
      _ = try await store.save(document)
    },
    Line(name: "package of 10,000: status", peer: "git status", target: 1.5) { bench in
      try await preparePackage(bench)
      return (
        { _ in try bench.docversions("status", package) },
        { _ in try bench.git("status", in: package) }
      )
    },
    restore(of: "all members", target: 0.6) { bench in
      for number in 0..<1_000 { try bench.write(bench.bytes(10_000), to: member(number)) }
    },
    restore(of: "one member’s difference", target: 3) { bench in
      try changeMember(bench, 1, count: 1_000)
    },
  ]

  private static func saveInProcess(
    _ what: String, target: Double,
    save: @escaping @Sendable (VersionStore, URL, Int) async throws -> Void
  ) -> Line {
    Line(
      name: "package of 10,000: \(what) in process", peer: "git add -A && git commit",
      target: target
    ) { bench in
      try await preparePackage(bench)
      let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop"))
      return (
        { number in
          try changeMember(bench, number)
          return try await Timing.of {
            try await save(store, bench.ours.appending(path: package), number)
          }
        },
        { try committing(bench, $0) }
      )
    }
  }

  /// A package of 1,000 members that goes back and forth between two versions.
  private static func restore(
    of what: String, target: Double, edit: @escaping @Sendable (Bench) throws -> Void
  ) -> Line {
    Line(name: "package of 1,000: restore of \(what)", peer: "git checkout", target: target) {
      bench in
      try await preparePackage(bench, count: 1_000)
      try bench.git("tag", "before", in: package)
      try edit(bench)
      try bench.docversions("save", package)
      try bench.git("add", "-A", in: package)
      try bench.git("commit", "-qm", "edit", in: package)
      try bench.git("tag", "after", in: package)
      return (
        { _ in try bench.docversions("restore", package, "~1") },
        {
          let tag = $0.isMultiple(of: 2) ? "before" : "after"
          return try bench.git("checkout", "-q", tag, in: package)
        }
      )
    }
  }

  private static let package = "Large.notes"

  private static func member(_ number: Int) -> String {
    "\(package)/folder \(number / 100)/\(number).txt"
  }

  /// Makes the package, and its first version in both.
  private static func preparePackage(
    _ bench: Bench, count: Int = 10_000
  ) async throws {
    for number in 0..<count {
      let text = String(repeating: "member \(number)\n", count: 100)
      try bench.write(Data(text.utf8), to: member(number))
    }
    try bench.git("init", "-q", in: package)
    try bench.git("add", "-A", in: package)
    try bench.git("commit", "-qm", "first", in: package)
    try bench.docversions("save", package)
    // Both skip files that they know to be unchanged for a while.
    try await Task.sleep(for: .seconds(3))
    try bench.docversions("save", package)
    try bench.git("status", in: package)
  }

  private static func saving(_ bench: Bench, _ number: Int) throws -> Timing {
    try changeMember(bench, number)
    return try bench.docversions("save", package)
  }

  private static func committing(_ bench: Bench, _ number: Int) throws -> Timing {
    try changeMember(bench, number)
    return try bench.git("add", "-A", in: package)
      + bench.git("commit", "-qm", "edit", in: package)
  }

  /// Returns the path of the member that ``changeMember(_:_:count:)`` changes.
  private static func changedMember(_ number: Int) -> String {
    String(member(number * 7_919 % 10_000).dropFirst(package.count + 1))
  }

  private static func changeMember(_ bench: Bench, _ number: Int, count: Int = 10_000) throws {
    try bench.write(bench.bytes(20_000), to: member(number * 7_919 % count))
    // As when a person saves, this isn't within the same tick of the file system's clock.
    usleep(20_000)
  }
}
