import DocumentMerge
import DocumentTestSupport
import Testing

/// Packages.
struct PackageSubject: LawSubject {
  typealias Document = [String: PackageMember]

  var testDescription: String { "package" }
  var mergesWithoutBase: Bool { false }

  func count(of law: MergeLaw) -> Int {
    switch law {
    case .identity, .symmetry, .soundness, .idempotence, .answers, .own: caseCount(400)
    case .coverage: 1
    case .damage: 0
    }
  }

  private func sides(_ packages: RandomPackages) -> MergeSides<Document> {
    MergeSides(base: packages.base, ours: packages.ours, theirs: packages.theirs)
  }

  func sides(seed: Int) -> MergeSides<Document>? { sides(RandomPackages(seed: seed)) }

  func clearSides(seed: Int) -> MergeSides<Document>? {
    sides(RandomPackages(seed: seed, copies: false))
  }

  func merge(_ sides: MergeSides<Document>) throws -> OpenPackageMerge {
    try openMerge(sides.base, sides.ours, sides.theirs)
  }

  func isComplete(_ merge: OpenPackageMerge) -> Bool { merge.clashes.isEmpty }
  func document(of merge: OpenPackageMerge) throws -> Document { try merge.outcome().package }
  func areSame(_ one: Document, _ other: Document) throws -> Bool {
    try contents(one) == contents(other)
  }
  func shown(_ document: Document) -> String { document.told }

  private func contents(_ members: Document) throws -> [String: String] {
    try members.mapValues { try MergedMember.kept($0).shown }
  }

  func checkSwapped(
    _ open: OpenPackageMerge, _ swapped: OpenPackageMerge, of merge: LawMerge<Self>
  ) throws {
    // Of two new names, ours is taken; an item in its way isn't in the way of theirs.
    let isRenamedTwice = (open.clashes + swapped.clashes).contains {
      $0.decision.explanation.contains("and theirs to ")
    }
    if isRenamedTwice { return }
    #expect(open.clashes.count == swapped.clashes.count, merge.comment)
    if open.clashes.isEmpty {
      let (outcome, other) = (try open.outcome(), try swapped.outcome())
      #expect(try outcome.contents == other.contents, merge.comment)
      let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
      func decisions(
        _ outcome: PackageMergeOutcome, _ kind: (MergeDecision.Kind) -> MergeDecision.Kind
      ) -> [String] {
        outcome.decisions.map { "\(kind($0.kind)) \($0.place.member.map(\.description) ?? "")" }
          .sorted()
      }
      #expect(decisions(outcome) { $0 } == decisions(other) { mirror[$0] ?? $0 }, merge.comment)
    } else {
      // Ours in one merge is theirs in the other.
      func answers(_ answer: MergeAnswer) -> [Int: MergeAnswer] {
        Dictionary(uniqueKeysWithValues: open.clashes.indices.map { ($0, answer) })
      }
      let names = try [
        open.outcome(answers: answers(.ours)), swapped.outcome(answers: answers(.theirs)),
      ]
      .map { outcome in try outcome.contents.values.sorted() }
      #expect(names[0] == names[1], merge.comment)
    }
  }

  /// The package is possible, and nothing that a side wrote is lost.
  func checkSound(_ open: OpenPackageMerge, of merge: LawMerge<Self>) throws {
    let outcome = try open.outcome()
    let comment = merge.comment
    for path in outcome.members.keys {
      let isBelow = outcome.members.keys.contains { $0.bytes.starts(with: path.bytes + [0x2F]) }
      #expect(!isBelow, comment)
    }
    let result = try outcome.marks
    let base = try merge.base.marks
    let (ours, theirs) = (merge.sides.ours.marks, merge.sides.theirs.marks)
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

  /// A file that one side renamed and the other replaced by a link no longer counts as renamed.
  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) { (merges / 10, 0) }

  func checkAnswers(of merge: LawMerge<Self>) throws {
    try checkPackageAnswers(try self.merge(merge.sides), merge.comment)
  }

  func checkDamage(seed: Int) -> Bool { false }

  /// A clash in one place leaves the others merged.
  func checkOwn(seed: Int) throws {
    let packages = RandomPackages(seed: seed)
    let contents = try merge(sides(packages)).outcome().contents
    #expect(contents["zz/ours"] == (try self.contents(packages.ours))["zz/ours"])
    #expect(contents["zz/theirs"] == (try self.contents(packages.theirs))["zz/theirs"])
  }

  func checkCoverage() throws {
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

/// Checks that every clash can be answered separately, that none is left when all are answered, and that no
/// answer gives an impossible package.
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

  /// Returns whether a clash names one of the members, or a folder around one.
  fileprivate func clashes(about paths: Set<String>) -> Bool {
    // A renamed member clashes at its new path.
    let moved = decisions.filter { decision in
      paths.contains { [decision.base, decision.ours, decision.theirs].contains($0) }
    }.compactMap { $0.place.member?.description }
    return clashes.map(\.description).contains { clash in
      paths.union(moved).contains { $0 == clash || $0.hasPrefix(clash + "/") }
    }
  }
}
