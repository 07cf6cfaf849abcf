import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  private let engine = PropertyListMergeEngine()

  private func merge(_ sides: MergeSides<[UInt8]>) throws -> MergeOutcome {
    try engine.merge(sides, options: MergeOptions())
  }

  private func binary(_ value: PropertyListValue) -> [UInt8] {
    BinaryPropertyListWriter.bytes(of: value)
  }

  private static func name(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// A value of every kind and width.
  private static let everything = PropertyListValue.dictionary([
    (name("null"), .null), (name("yes"), .bool(true)), (name("no"), .bool(false)),
    (
      name("numbers"),
      .array(
        [0, 1, 255, 256, 65_535, 65_536, 4_294_967_296, -1, .init(Int64.min), .init(UInt64.max)]
          .map { .integer($0) })
    ),
    (name("float"), .float(0.1)), (name("real"), .real(0.1)), (name("nan"), .real(.nan)),
    (name("quiet"), .real(Double(bitPattern: 0x7FF8_0000_0000_0001))),
    (name("infinite"), .float(-.infinity)),
    (name("dates"), .array([-978_307_200, 0, 0.5, 785_000_000, 1e30].map { .date($0) })),
    (name("data"), .data([0, 1, 255])), (name(""), .string([])),
    (name("<&>\r\u{1}"), .string(Array("a\0\r\nb\u{2028}\u{1F600} \"'".utf8))),
    (name("uids"), .array([0, 300, 70_000, UInt64.max].map { .uid($0) })),
    (name("set"), .set([.string(name("a"))])),
    (name("empty"), .array([.set([]), .array([]), .dictionary([])])),
    (name("long"), .array((0..<300).map { .integer($0) })),
  ])

  @Test("Every kind of value is read as it was written, also by way of text")
  func roundTrip() throws {
    let bytes = binary(Self.everything)
    let value = try #require(BinaryPropertyListReader.value(of: bytes))
    #expect(value == Self.everything)
    let text = try #require(value.text(isExtended: true))
    var format = PropertyListFormat()
    format.isExtended = true
    let again = try #require(PropertyListValue(try format.parse(text)))
    #expect(binary(again) == bytes)
  }

  @Test("Foundation reads what is written, and what it writes is read")
  func foundation() throws {
    let object: [String: Any] = [
      "name": "Hafen ⚓", "count": 5, "big": UInt64.max, "depth": 1.5, "on": true,
      "when": Date(timeIntervalSinceReferenceDate: 785_000_000.25), "data": Data([1, 2]),
      "list": ["a", ["b": -3]],
    ]
    let written = try PropertyListSerialization.data(
      fromPropertyList: object, format: .binary, options: 0)
    let value = try #require(BinaryPropertyListReader.value(of: Array(written)))
    let read = try PropertyListSerialization.propertyList(
      from: Data(binary(value)), format: nil)
    #expect(read as? NSDictionary == object as NSDictionary)
  }

  @Test("Dates are those of the calendar")
  func dates() throws {
    #expect(PropertyListDate.text(0) == "2001-01-01T00:00:00Z")
    #expect(PropertyListDate.text(-978_307_201) == "1969-12-31T23:59:59Z")
    #expect(PropertyListDate.text(730_857_600) == "2024-02-29T00:00:00Z")
    for days in stride(from: -700_000, to: 2_000_000, by: 997) {
      let seconds = Double(days) * 86_400 + 3661
      #expect(PropertyListDate.seconds(PropertyListDate.text(seconds)) == seconds)
    }
  }

  @Test("Numbers whose bits differ are not one value, and of equal values either side is taken")
  func sameValue() throws {
    let base = PropertyListValue.dictionary([
      (Self.name("a"), .integer(1)), (Self.name("b"), .integer(2)),
    ])
    let other = PropertyListValue.dictionary([
      (Self.name("a"), .integer(9)), (Self.name("b"), .integer(2)),
    ])
    var rewritten = binary(base)
    // Other unused bytes of the trailer are other bytes, and the same value.
    rewritten[rewritten.count - 32] = 1
    let outcome = try merge(MergeSides(base: binary(base), ours: rewritten, theirs: binary(other)))
    #expect(outcome.bytes == binary(other))
  }

  private func random(_ random: inout SeededGenerator, depth: Int = 0) -> PropertyListValue {
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    func name(_ number: Int) -> [UInt8] { Self.name("k\(number)") }
    switch depth == 0 ? 0 : pick(depth > 2 ? 1 : 5) + (depth > 2 ? 5 : 0) {
    case 0, 1:
      var members: [(key: [UInt8], value: PropertyListValue)] = []
      for key in 0..<pick(6) + 1 {
        members.append((name(key), self.random(&random, depth: depth + 1)))
      }
      return .dictionary(members)
    case 2: return .array((0..<pick(4)).map { .string(Self.name("w\($0)")) })
    case 3: return .set((0..<pick(3)).map { .integer(Int128($0)) })
    default:
      let leaves: [PropertyListValue] = [
        .integer(Int128(pick(1000)) * 100_000_000_000_000_000_000 / 7), .bool(pick(2) == 0),
        .real(Double(pick(9)) / 7), .string(Self.name("é \(pick(9))")), .uid(UInt64(pick(9))),
        .date(Double(pick(9)) / 2), .data([UInt8(pick(9))]), .null, .float(Float(pick(9)) / 3),
      ]
      return leaves[pick(leaves.count)]
    }
  }

  private func edited(
    _ value: PropertyListValue, _ mark: String, _ random: inout SeededGenerator
  ) -> PropertyListValue {
    let new = PropertyListValue.string(Self.name(mark))
    guard case .dictionary(var members) = value else {
      if case .array(let values) = value { return .array(values + [new]) }
      return new
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: members.append((Self.name(mark), new))
    case 1 where !members.isEmpty:
      members.remove(at: Int.random(in: members.indices, using: &random))
    default:
      guard let index = members.indices.randomElement(using: &random) else { return value }
      members[index].value = edited(members[index].value, mark, &random)
    }
    return .dictionary(members)
  }

  @Test("Random merges keep the laws, and are binary", arguments: MergeCases.batches)
  func laws(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let value = random(&generator)
      let sides = ["o", "t"].map { mark in
        (0..<2).reduce(value) { edited($0, "\(mark)\($1)", &generator) }
      }
      let base = binary(value)
      let (ours, theirs) = (binary(sides[0]), binary(sides[1]))
      for side in [ours, theirs] {
        #expect(try merge(MergeSides(base: base, ours: side, theirs: base)).bytes == side)
        #expect(try merge(MergeSides(base: base, ours: base, theirs: side)).bytes == side)
        #expect(try merge(MergeSides(base: base, ours: side, theirs: side)).bytes == side)
      }
      let outcome = try merge(MergeSides(base: base, ours: ours, theirs: theirs))
      let swapped = try merge(MergeSides(base: base, ours: theirs, theirs: ours))
      #expect(outcome.isComplete == swapped.isComplete, "seed \(seed)")
      let merged = try #require(BinaryPropertyListReader.value(of: outcome.bytes), "seed \(seed)")
      // The merge of the same values in XML is the same merge.
      let texts = try MergeSides(base: value, ours: sides[0], theirs: sides[1]).map {
        try #require($0.text(isExtended: true))
      }
      var format = PropertyListFormat()
      format.isExtended = true
      let byText = try StructuredMergeEngine(format: format)
        .merge(texts, options: MergeOptions())
      #expect(merged == PropertyListValue(try format.parse(byText.bytes)), "seed \(seed)")
      guard outcome.isComplete else { continue }
      for side in [ours, theirs] {
        let again = try merge(MergeSides(base: base, ours: outcome.bytes, theirs: side))
        #expect(again.bytes == outcome.bytes && again.isComplete, "seed \(seed)")
      }
    }
  }

  @Test("Damaged and hostile bytes are refused or read, and never trap", arguments: 0..<8)
  func damaged(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let document = binary(Self.everything)
    for _ in 0..<2000 {
      let bytes = document.damaged(&random)
      guard let value = BinaryPropertyListReader.value(of: bytes) else { continue }
      #expect(BinaryPropertyListReader.value(of: binary(value)) == value)
    }
  }

  @Test("Cycles, and lists shared over many levels, are refused")
  func shared() {
    func document(_ objects: [[UInt8]]) -> [UInt8] {
      var bytes = BinaryPropertyListReader.signature
      var offsets: [UInt8] = []
      for object in objects {
        offsets.append(UInt8(bytes.count))
        bytes += object
      }
      let table = UInt8(bytes.count)
      let number: (UInt8) -> [UInt8] = { [0, 0, 0, 0, 0, 0, 0, $0] }
      return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + number(UInt8(objects.count)) + number(0)
        + number(table)
    }
    #expect(BinaryPropertyListReader.value(of: document([[0xA1, 0x00]])) == nil)
    let levels = (1...40).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
    #expect(BinaryPropertyListReader.value(of: document(levels)) == nil)
    #expect(BinaryPropertyListReader.value(of: document([[0xA2, 1, 1], [0x09]])) != nil)
  }

  @Test("What cannot be read clashes as a whole, and ours stands")
  func unreadable() throws {
    let base = binary(.dictionary([]))
    let ours = binary(.dictionary([(Self.name("a"), .null)]))
    let broken = Array(ours.dropLast(5))
    let outcome = try merge(MergeSides(base: base, ours: ours, theirs: broken))
    #expect(!outcome.isComplete && outcome.bytes == ours && outcome.decisions.count == 1)
  }
}
