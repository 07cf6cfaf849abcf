import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// How many random merges are tried: `DOCVERSIONS_MERGE_CASES`, or as many as suit every change.
enum MergeCases {
  static let count =
    ProcessInfo.processInfo.environment["DOCVERSIONS_MERGE_CASES"].flatMap(Int.init) ?? 400
  /// The seeds in batches, so that a test run is not flooded by test cases.
  static let batches = stride(from: 0, to: count, by: 100).map { $0..<min($0 + 100, count) }
}

/// `DOCVERSIONS_MERGE_FORMAT` names one format, where more cases are to be tried of it alone.
@Suite("Laws of merging structured documents, on random ones")
struct StructuredLawTests {
  private static let formats: [MergeLaws] = {
    let all: [MergeLaws] = [.json, .toml, .yaml, .xml, .propertyList, .binary, .openStep]
    let name = ProcessInfo.processInfo.environment["DOCVERSIONS_MERGE_FORMAT"]
    return all.filter { name == nil || $0.testDescription == name }
  }()

  @Test(
    "An unchanged side, and equal sides, give the other side",
    arguments: formats, MergeCases.batches)
  func identities(laws: MergeLaws, seeds: Range<Int>) throws {
    try laws.checkIdentities(seeds: seeds)
  }

  @Test(
    "Swapped sides give the same members, and swapped decisions",
    arguments: formats, MergeCases.batches)
  func symmetry(laws: MergeLaws, seeds: Range<Int>) throws {
    try laws.checkSymmetry(seeds: seeds)
  }

  @Test(
    "The result is valid, has nothing twice, nothing new is lost, and each stays in its place",
    arguments: formats, MergeCases.batches)
  func soundness(laws: MergeLaws, seeds: Range<Int>) throws {
    try laws.checkSoundness(seeds: seeds)
  }

  @Test(
    "A complete result merged again with either side stays",
    arguments: formats, MergeCases.batches)
  func idempotence(laws: MergeLaws, seeds: Range<Int>) throws {
    try laws.checkIdempotence(seeds: seeds)
  }

  @Test("Random merges are of all sorts", arguments: formats)
  func coverage(laws: MergeLaws) throws {
    try laws.checkCoverage()
  }

  @Test(
    "Damaged documents are refused, or read without a byte lost",
    arguments: formats, MergeCases.batches)
  func damage(laws: MergeLaws, seeds: Range<Int>) throws {
    try laws.checkDamage(seeds: seeds)
  }
}

extension MergeLaws {
  static let json = MergeLaws(
    testDescription: "JSON", format: JSONFormat(),
    engine: StructuredMergeEngine(format: JSONFormat()), sides: { $0.jsonSides() },
    // Which of equal members was changed nobody can say: to ask about those again is right.
    clearSides: { $0.jsonSides(repeats: false) }, quote: "\"", unordered: jsonValues,
    isSteady: true,
    // Lines know places in lists that the structure asks about, but not always twice.
    mayAskAgain: { $0.explanation.contains("nothing tells") }, mostAsked: 2)

  static let toml = MergeLaws(
    testDescription: "TOML", format: TOMLFormat(),
    engine: StructuredMergeEngine(format: TOMLFormat()), sides: { $0.tomlSides() }, quote: "\"",
    // The last table of an array takes the array with it: to ask about that again is right.
    mostAsked: 10)

  static let yaml = MergeLaws(
    testDescription: "YAML", format: YAMLFormat(), engine: MergeEngines().engine(for: .yaml),
    sides: { $0.yamlSides() },
    // What one side removed and the other put into another mapping may be asked about again.
    mostAsked: 10)

  static let xml = MergeLaws(
    testDescription: "XML", format: XMLFormat(), engine: MergeEngines().engine(for: .xml),
    sides: { $0.xmlSides() }, unordered: values(XMLFormat()), mostAsked: 2)

  static let propertyList = MergeLaws(
    testDescription: "property list", format: PropertyListFormat(),
    engine: MergeEngines().engine(for: .plist),
    sides: { $0.jsonSides { $0.propertyList($1) } },
    clearSides: { $0.jsonSides(repeats: false) { $0.propertyList($1) } },
    unordered: values(PropertyListFormat()), mostAsked: 2)

  static let openStep = MergeLaws(
    testDescription: "property list as text", format: OpenStepFormat(),
    engine: MergeEngines().engine(for: .plist), sides: { $0.jsonSides { $0.openStep($1) } },
    clearSides: { $0.jsonSides(repeats: false) { $0.openStep($1) } }, quote: "\"",
    unordered: values(OpenStepFormat()), mostAsked: 2)

  static let binary = MergeLaws(
    testDescription: "binary property list", format: PropertyListFormat(isExtended: true),
    engine: MergeEngines().engine(for: .plist),
    sides: { $0.jsonSides { value, _ in value.binaryPropertyList } },
    clearSides: { $0.jsonSides(repeats: false) { value, _ in value.binaryPropertyList } },
    unordered: { try values(PropertyListFormat(isExtended: true))(inXML($0)) },
    text: inXML, mostAsked: 2)

  /// A binary property list as it is merged.
  @Sendable private static func inXML(_ document: [UInt8]) -> [UInt8] {
    BinaryPropertyListReader.value(of: document)?.text(isExtended: true) ?? []
  }

  /// The values of JSON, as Foundation reads them.
  @Sendable private static func jsonValues(_ document: [UInt8]) throws -> [String] {
    func told(_ value: Any) -> String {
      if let object = value as? [String: Any] {
        return "{" + object.map { "\($0.key):\(told($0.value))" }.sorted().joined(separator: ",")
          + "}"
      }
      if let list = value as? [Any] {
        return "[" + list.map(told).sorted().joined(separator: ",") + "]"
      }
      return String(describing: value)
    }
    return [
      told(try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed))
    ]
  }

  /// The values of a document with its layout, in any order of lists.
  private static func values(
    _ format: some StructuredFormat
  ) -> @Sendable (_ document: [UInt8]) throws -> [String] {
    { document in
      let tree = try format.parse(document)
      func told(_ node: Int) -> String {
        guard tree[node].kind != .leaf else {
          return String(decoding: tree.bytes[tree[node].value], as: UTF8.self)
        }
        let members = tree.members(of: node).map {
          String(decoding: tree.name(of: $0, format), as: UTF8.self) + told($0)
        }
        return "(" + members.sorted().joined(separator: ",") + ")"
      }
      return [told(StructureTree.root)]
    }
  }
}

extension MergeSides<[UInt8]> {
  /// All three, to be read by a person.
  var told: String {
    [base ?? [], ours, theirs].map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "\n-----\n")
  }
}
