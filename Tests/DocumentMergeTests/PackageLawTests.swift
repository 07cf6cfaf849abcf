import DocumentMerge
import DocumentTestSupport
import Testing

@Suite("Laws of merging packages, on random ones")
struct PackageLawTests {
  private typealias Members = [String: PackageMember]

  private func comment(_ seed: Int, _ packages: RandomPackages) -> Comment {
    let told = [packages.base, packages.ours, packages.theirs].map(\.told)
    return "seed \(seed)\n\(told.joined(separator: "\n-----\n"))"
  }

  private func shown(_ members: Members) throws -> [String: String] {
    try members.mapValues { try MergedMember.kept($0).shown }
  }

  @Test("An unchanged side, and equal sides, give the other side", arguments: MergeCases.batches)
  func identities(seeds: Range<Int>) throws {
    for seed in seeds {
      let packages = RandomPackages(seed: seed)
      for side in [packages.ours, packages.theirs] {
        let wanted = try shown(side)
        for outcome in [
          try mergePackages(packages.base, side, packages.base),
          try mergePackages(packages.base, packages.base, side),
          try mergePackages(packages.base, side, side),
        ] {
          #expect(try outcome.contents == wanted, comment(seed, packages))
          #expect(outcome.isComplete, comment(seed, packages))
        }
      }
    }
  }

  @Test("Swapped sides give the same package, and swapped decisions", arguments: MergeCases.batches)
  func symmetry(seeds: Range<Int>) throws {
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    for seed in seeds {
      let packages = RandomPackages(seed: seed)
      let open = try openMerge(packages.base, packages.ours, packages.theirs)
      let swapped = try openMerge(packages.base, packages.theirs, packages.ours)
      #expect(open.clashes.isEmpty == swapped.clashes.isEmpty, comment(seed, packages))
      // Of two new names ours is taken: what is in its way is not in the way of theirs'.
      let isRenamedTwice = (open.clashes + swapped.clashes).contains {
        $0.decision.explanation.contains("and theirs to ")
      }
      if isRenamedTwice { continue }
      #expect(open.clashes.count == swapped.clashes.count, comment(seed, packages))
      if open.clashes.isEmpty {
        let (outcome, other) = (try open.outcome(), try swapped.outcome())
        #expect(try outcome.contents == other.contents, comment(seed, packages))
        func told(
          _ outcome: PackageMergeOutcome, _ kind: (MergeDecision.Kind) -> MergeDecision.Kind
        ) -> [String] {
          outcome.decisions.map { "\(kind($0.kind)) \($0.place.member.map(\.description) ?? "")" }
            .sorted()
        }
        #expect(
          told(outcome) { $0 } == told(other) { mirror[$0] ?? $0 }, comment(seed, packages))
      } else {
        // What ours is in one is theirs in the other.
        func answers(_ answer: MergeAnswer) -> [Int: MergeAnswer] {
          Dictionary(uniqueKeysWithValues: open.clashes.indices.map { ($0, answer) })
        }
        let names = try [
          open.outcome(answers: answers(.ours)), swapped.outcome(answers: answers(.theirs)),
        ]
        .map { outcome in try outcome.contents.values.sorted() }
        #expect(names[0] == names[1], comment(seed, packages))
      }
    }
  }

  @Test("The package can be, and nothing that a side wrote is lost", arguments: MergeCases.batches)
  func soundness(seeds: Range<Int>) throws {
    for seed in seeds {
      let packages = RandomPackages(seed: seed)
      let outcome = try mergePackages(packages.base, packages.ours, packages.theirs)
      let comment = comment(seed, packages)
      for path in outcome.members.keys {
        let isBelow = outcome.members.keys.contains { $0.bytes.starts(with: path.bytes + [0x2F]) }
        #expect(!isBelow, comment)
      }
      let result = try outcome.marks
      let (base, ours, theirs) = (packages.base.marks, packages.ours.marks, packages.theirs.marks)
      for (mark, paths) in ours where base[mark] == nil && result[mark] == nil {
        #expect(outcome.clashes(about: paths), "\(mark) of ours is lost, \(comment)")
      }
      for (mark, paths) in theirs where base[mark] == nil && result[mark] == nil {
        #expect(outcome.clashes(about: paths), "\(mark) of theirs is lost, \(comment)")
      }
      for (mark, paths) in base {
        guard let byOurs = ours[mark], let byTheirs = theirs[mark], result[mark] == nil else {
          continue
        }
        #expect(
          outcome.clashes(about: paths.union(byOurs).union(byTheirs)),
          "\(mark) of all is lost, \(comment)")
      }
    }
  }

  @Test("A clash in one place leaves the others merged", arguments: MergeCases.batches)
  func others(seeds: Range<Int>) throws {
    for seed in seeds {
      let packages = RandomPackages(seed: seed)
      let contents = try mergePackages(packages.base, packages.ours, packages.theirs).contents
      #expect(contents["zz/ours"] == (try shown(packages.ours))["zz/ours"])
      #expect(contents["zz/theirs"] == (try shown(packages.theirs))["zz/theirs"])
    }
  }

  @Test("Every answer settles its own clash, and no other", arguments: MergeCases.batches)
  func answers(seeds: Range<Int>) throws {
    for seed in seeds {
      let packages = RandomPackages(seed: seed)
      try checkPackageAnswers(
        try openMerge(packages.base, packages.ours, packages.theirs), comment(seed, packages))
    }
  }

  @Test(
    "A complete result merged again with either side stays, or is asked about",
    arguments: MergeCases.batches)
  func idempotence(seeds: Range<Int>) throws {
    var (merges, asked) = (0, 0)
    for seed in seeds {
      let packages = RandomPackages(seed: seed, copies: false)
      let outcome = try mergePackages(packages.base, packages.ours, packages.theirs)
      guard outcome.isComplete else { continue }
      for side in [packages.ours, packages.theirs] {
        merges += 1
        let again = try mergePackages(packages.base, outcome.package, side)
        if again.isComplete {
          #expect(try again.contents == outcome.contents, comment(seed, packages))
        } else {
          // What one side renamed and the other made a link is no renamed file any more.
          asked += 1
        }
      }
    }
    #expect(asked * 10 <= merges, "\(asked) of \(merges)")
  }

  @Test("Random merges are of all sorts")
  func coverage() throws {
    var (complete, renamed, words) = (0, 0, "")
    for seed in 0..<1000 {
      let packages = RandomPackages(seed: seed)
      let outcome = try mergePackages(packages.base, packages.ours, packages.theirs)
      complete += outcome.isComplete ? 1 : 0
      let explanations = outcome.decisions.map(\.explanation).joined()
      renamed += explanations.contains("renamed") ? 1 : 0
      words += explanations
    }
    #expect(complete > 300 && complete < 900 && renamed > 200, "\(complete), \(renamed)")
    for phrase in [
      "Only ours renamed", "Only theirs renamed", "Both sides renamed", "and theirs to ",
      "theirs deleted", "renamed its folder", "Each side has another member",
    ] {
      #expect(words.contains(phrase), "\(phrase)")
    }
  }
}

/// Checks that every clash can be answered, each for itself, that nothing is left when all are, and that no answer
/// makes a package that cannot be.
func checkPackageAnswers(_ open: OpenPackageMerge, _ comment: Comment) throws {
  func places(_ decisions: [MergeDecision]) -> [String] {
    decisions.filter { $0.kind == .clash }.map(\.place.description)
  }
  #expect(places(try open.outcome().decisions) == places(open.clashes.map(\.decision)), comment)
  func check(_ answers: [Int: MergeAnswer]) throws {
    let answered = try open.outcome(answers: answers)
    let left = open.clashes.indices.filter { answers[$0] == nil }
    #expect(
      answered.decisions.count { $0.kind == .clash } == left.count, "\(answers) \(comment)")
    let paths = Set(answered.members.keys)
    for path in paths {
      #expect(
        !paths.contains { $0.bytes.starts(with: path.bytes + [0x2F]) }, "\(answers) \(comment)")
    }
  }
  for number in open.clashes.indices {
    for choice in open.clashes[number].choices {
      if let answer = MergeAnswer(choice) { try check([number: answer]) }
    }
  }
  for answer in [MergeAnswer.ours, .theirs] {
    try check(Dictionary(uniqueKeysWithValues: open.clashes.indices.map { ($0, answer) }))
  }
}

extension PackageMergeOutcome {
  /// The merged package, as a side of another merge.
  fileprivate var package: [String: PackageMember] {
    let named = members.map { path, member in
      switch member {
      case .kept(let kept): (path.description, kept)
      case .merged(let bytes, let isExecutable):
        (path.description, file(String(decoding: bytes, as: UTF8.self), isExecutable: isExecutable))
      }
    }
    return Dictionary(uniqueKeysWithValues: named)
  }

  /// The lines and link targets of all members.
  fileprivate var marks: [String: Set<String>] {
    get throws {
      var marks: [String: Set<String>] = [:]
      for (path, text) in try contents {
        for line in text.trimmingPrefix("*").trimmingPrefix("->").split(separator: "\n") {
          marks[String(line), default: []].insert(path)
        }
      }
      return marks
    }
  }

  /// Whether a clash names one of the members, or a folder that one is in.
  fileprivate func clashes(about paths: Set<String>) -> Bool {
    // A renamed member clashes where it is now.
    let moved = decisions.filter { decision in
      paths.contains { [decision.base, decision.ours, decision.theirs].contains($0) }
    }.compactMap { $0.place.member?.description }
    return clashes.map(\.description).contains { clash in
      paths.union(moved).contains { $0 == clash || $0.hasPrefix(clash + "/") }
    }
  }
}
