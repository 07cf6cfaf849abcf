import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// Structured documents of one format.
struct StructuredSubject: FileSubject {
  let testDescription: String
  let format: any StructuredFormat
  var engine: any MergeEngine
  /// Makes a base and two edited sides; each edit has a mark, `o0` to `o3` and `t0` to `t3`.
  let makeSides: @Sendable (inout SeededGenerator) -> MergeSides<[UInt8]>
  /// Makes sides to be merged again, without indistinguishable members.
  var makeClearSides: (@Sendable (inout SeededGenerator) -> MergeSides<[UInt8]>)?
  /// The quote around a mark that is a value by itself.
  var quote = ""
  /// Returns the parts that are the same for both orders of combined insertions.
  var unordered: @Sendable (_ document: [UInt8]) throws -> [String] = { document in
    String(decoding: document, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
  }
  /// Reads a document.
  var text: @Sendable (_ document: [UInt8]) -> [UInt8] = { $0 }
  /// True if swapped sides are never merged once by lines and once by structure.
  var isSteady = false
  /// Returns whether a clash is allowed when a complete result is merged again.
  var mayAskAgain: @Sendable (_ clash: MergeDecision) -> Bool = { _ in true }
  /// True if no new clash comes up once all are answered.
  var isAnsweredAtOnce = true
  /// The maximum percentage of complete results that may be questions when they are merged again.
  var mostAsked = 0

  func count(of law: MergeLaw) -> Int {
    switch law {
    case .identity, .symmetry, .soundness, .idempotence, .damage: caseCount(400)
    case .answers: isAnsweredAtOnce ? caseCount(100) : 0
    case .coverage: 1
    case .own: 0
    }
  }

  func sides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    return makeSides(&generator)
  }

  func clearSides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    return (makeClearSides ?? makeSides)(&generator)
  }

  func shown(_ document: [UInt8]) -> String { String(decoding: text(document), as: UTF8.self) }

  private func tree(_ document: [UInt8]) throws -> StructureTree {
    try format.parse(text(document))
  }

  /// Swapped sides give the same members, and swapped decisions.
  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) throws {
    let mirror: [MergeDecision.Kind: MergeDecision.Kind] = [.ours: .theirs, .theirs: .ours]
    func decisions(
      _ outcome: MergeOutcome, _ kind: (MergeDecision.Kind) -> MergeDecision.Kind
    ) -> [String] {
      outcome.decisions.map { "\(kind($0.kind)) \($0.place.path ?? "lines")" }.sorted()
    }
    // A clean merge by lines is taken if it has the members in the order of the structure's, ours first.
    let isByLines = [outcome, swapped].map { $0.decisions.allSatisfy { $0.place.path == nil } }
    if isSteady || isByLines[0] == isByLines[1] {
      #expect(
        decisions(outcome) { $0 } == decisions(swapped) { mirror[$0] ?? $0 }, merge.comment)
    }
    guard outcome.isComplete else { return }
    #expect(try unordered(outcome.bytes) == unordered(swapped.bytes), merge.comment)
  }

  /// The result is valid, has nothing twice, nothing new is lost, and each stays in its container.
  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    let known = try merge.sides.all.reduce(into: Set<String>()) { $0.formUnion(try places(in: $1)) }
    let knownDoubled = try merge.sides.map { try doubled(in: $0) }
    let comment: Comment = "\(merge.comment)\n-----\n\(shown(outcome.bytes))"
    // If sides clash, a single clash must not become one about the whole document.
    let isWhole = outcome.decisions.contains { $0.kind == .clash && $0.place.path == nil }
    #expect(!isWhole, comment)
    #expect(try places(in: outcome.bytes).isSubset(of: known), comment)
    #expect(try doubled(in: outcome.bytes).isCovered(by: knownDoubled), comment)
    guard outcome.isComplete else { return }
    let merged = shown(outcome.bytes)
    for side in [merge.sides.ours, merge.sides.theirs] {
      let side = shown(side)
      for new in ["o", "t"].flatMap({ mark in (0..<4).map { "\(quote)\(mark)\($0)\(quote)" } })
      where side.contains(new) {
        #expect(merged.contains(new), comment)
      }
    }
  }

  func stays(_ outcome: MergeOutcome, _ again: MergeOutcome) -> Bool? {
    shown(again.bytes) == shown(outcome.bytes)
  }

  func checkAsked(_ again: MergeOutcome, of merge: LawMerge<Self>) {
    let clashes = again.decisions.filter { $0.kind == .clash }
    #expect(clashes.allSatisfy(mayAskAgain), merge.comment)
  }

  func limits(seeds: Range<Int>, merges: Int) -> (asked: Int, differing: Int) {
    (mostAsked * seeds.count / 100, 0)
  }

  func checkCoverage() throws {
    var kinds: [MergeDecision.Kind: Int] = [:]
    var (complete, byStructure) = (0, 0)
    for seed in 0..<300 {
      guard let sides = sides(seed: seed) else { continue }
      let outcome = try merge(sides)
      complete += outcome.isComplete ? 1 : 0
      byStructure +=
        outcome.isComplete && outcome.decisions.contains { $0.place.path != nil } ? 1 : 0
      for decision in outcome.decisions { kinds[decision.kind, default: 0] += 1 }
    }
    #expect(complete > 80 && complete < 280 && byStructure > 30, "\(complete), \(byStructure)")
    for kind in [MergeDecision.Kind.ours, .theirs, .clash] { #expect(kinds[kind] ?? 0 > 50) }
  }

  /// Damaged documents are refused, or read without losing a byte.
  func checkDamage(seed: Int) throws -> Bool {
    var generator = SeededGenerator(seed: seed)
    let bytes = text(makeSides(&generator).ours).damaged(&generator)
    do {
      checkParts(of: try format.parse(bytes), bytes.count)
      return false
    } catch let error as MergeError {
      #expect(error.code == .invalidDocument, "\(testDescription) seed \(seed)")
      return true
    }
  }

  private func doubled(in document: [UInt8]) throws -> DoubledMembers {
    DoubledMembers(in: try tree(document), format, lists: false)
  }

  private func places(in document: [UInt8]) throws -> Set<String> {
    try tree(document).places(format)
  }
}

extension StructuredSubject {
  static let all = [
    json, toml, yaml, xml, propertyList, binary, openStep, gettext, settings, calendar,
    bibliography, set,
  ]

  static let json = StructuredSubject(
    testDescription: "JSON", format: JSONFormat(),
    engine: StructuredMergeEngine(format: JSONFormat()), makeSides: { $0.jsonSides() },
    // It can't be known which of several equal members was changed, so asking about them again is right.
    makeClearSides: { $0.jsonSides(repeats: false) }, quote: "\"", unordered: jsonValues,
    isSteady: true,
    // Lines resolve places in lists that the structure asks about, but not always twice.
    mayAskAgain: { $0.explanation.contains("nothing tells") }, mostAsked: 2)

  static let toml = StructuredSubject(
    testDescription: "TOML", format: TOMLFormat(),
    engine: StructuredMergeEngine(format: TOMLFormat()), makeSides: { $0.tomlSides() }, quote: "\"",
    // The last table of an array takes the array with it: to ask about that again is right.
    mostAsked: 10)

  static let yaml = StructuredSubject(
    testDescription: "YAML", format: YAMLFormat(), engine: MergeEngines().engine(for: .yaml),
    makeSides: { $0.yamlSides() },
    // A value that one side removed and the other moved into another mapping may be a question again. So may
    // a block that the answers leave empty, once all are answered.
    isAnsweredAtOnce: false, mostAsked: 10)

  static let gettext = StructuredSubject(
    testDescription: "gettext", format: GettextFormat(),
    engine: MergeEngines().engine(for: .gettext), makeSides: { $0.gettextSides() }, mostAsked: 2)

  static let settings = StructuredSubject(
    testDescription: "settings", format: SettingsFormat(),
    engine: MergeEngines().engine(for: .settings), makeSides: { $0.settingsSides() }, mostAsked: 2)

  static let calendar = StructuredSubject(
    testDescription: "calendar", format: CalendarFormat(),
    engine: MergeEngines().engine(for: .calendar), makeSides: { $0.calendarSides() }, mostAsked: 2)

  static let bibliography = StructuredSubject(
    testDescription: "bibliography", format: BibliographyFormat(),
    engine: MergeEngines().engine(for: .bibliography), makeSides: { $0.bibliographySides() },
    unordered: values(BibliographyFormat()), mostAsked: 2)

  static let set = StructuredSubject(
    testDescription: "set", format: LineSetFormat(form: .requirements),
    engine: StructuredMergeEngine(format: LineSetFormat(form: .requirements)),
    makeSides: { $0.lineSetSides() }, mostAsked: 2)

  static let xml = StructuredSubject(
    testDescription: "XML", format: XMLFormat(), engine: MergeEngines().engine(for: .xml),
    makeSides: { $0.xmlSides() }, unordered: values(XMLFormat()), mostAsked: 2)

  static let propertyList = StructuredSubject(
    testDescription: "property list", format: PropertyListFormat(),
    engine: MergeEngines().engine(for: .plist),
    makeSides: { $0.jsonSides { $0.propertyList($1) } },
    makeClearSides: { $0.jsonSides(repeats: false) { $0.propertyList($1) } },
    unordered: values(PropertyListFormat()), mostAsked: 2)

  static let openStep = StructuredSubject(
    testDescription: "property list as text", format: OpenStepFormat(),
    engine: MergeEngines().engine(for: .plist), makeSides: { $0.jsonSides { $0.openStep($1) } },
    makeClearSides: { $0.jsonSides(repeats: false) { $0.openStep($1) } }, quote: "\"",
    unordered: values(OpenStepFormat()), mostAsked: 2)

  static let binary = StructuredSubject(
    testDescription: "binary property list", format: PropertyListFormat(isExtended: true),
    engine: MergeEngines().engine(for: .plist),
    makeSides: { $0.jsonSides { value, _ in value.binaryPropertyList } },
    makeClearSides: { $0.jsonSides(repeats: false) { value, _ in value.binaryPropertyList } },
    unordered: { try values(PropertyListFormat(isExtended: true))(inXML($0)) },
    text: inXML, mostAsked: 2)

  /// Returns a binary property list in the form in which it is merged.
  @Sendable private static func inXML(_ document: [UInt8]) -> [UInt8] {
    BinaryPropertyListReader.value(of: document)?.text(isExtended: true) ?? []
  }

  /// The values of JSON, as Foundation reads them.
  @Sendable private static func jsonValues(_ document: [UInt8]) throws -> [String] {
    func words(_ value: Any) -> String {
      if let object = value as? [String: Any] {
        return "{" + object.map { "\($0.key):\(words($0.value))" }.sorted().joined(separator: ",")
          + "}"
      }
      if let list = value as? [Any] {
        return "[" + list.map(words).sorted().joined(separator: ",") + "]"
      }
      return String(describing: value)
    }
    return [
      words(try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed))
    ]
  }

  /// The values of a document with its layout, in any order of lists.
  private static func values(
    _ format: some StructuredFormat
  ) -> @Sendable (_ document: [UInt8]) throws -> [String] {
    { document in
      let tree = try format.parse(document)
      func words(_ node: Int) -> String {
        guard tree[node].kind != .leaf else {
          return String(decoding: tree.bytes[tree[node].value], as: UTF8.self)
        }
        let members = tree.members(of: node).map {
          String(decoding: tree.name(of: $0, format), as: UTF8.self) + words($0)
        }
        return "(" + members.sorted().joined(separator: ",") + ")"
      }
      return [words(StructureTree.root)]
    }
  }
}
