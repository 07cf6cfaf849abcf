import DocumentTestSupport
import Testing

@testable import DocumentStore

@Suite("Cutting files into chunks")
struct ChunkerTests {
  /// The chunks of a whole file.
  private func chunks(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var rest = bytes[...]
    var chunks: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      chunks.append(rest.prefix(Chunker.firstCut(in: rest)))
      rest = rest.dropFirst(chunks.last?.count ?? rest.count)
    }
    return chunks
  }

  @Test(
    "Every chunk has a size between the limits, and together they are the file", arguments: 1...5)
  func sizes(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    for count in [1, Chunker.shortest, Chunker.shortest + 1, Chunker.longest + 1, 500_000] {
      let bytes = generator.bytes(count)
      let chunks = chunks(of: bytes)
      #expect(Array(chunks.joined()) == bytes)
      #expect(chunks.dropLast().allSatisfy { $0.count >= Chunker.shortest })
      #expect(chunks.allSatisfy { (1...Chunker.longest).contains($0.count) })
    }
  }

  @Test("Sizes are near the average")
  func average() {
    var generator = SeededGenerator(seed: 7)
    let chunks = chunks(of: generator.bytes(4 << 20))
    let average = (4 << 20) / chunks.count
    #expect((Chunker.average * 3 / 4...Chunker.average * 5 / 4).contains(average), "\(average)")
  }

  @Test("Bytes that never say where to cut are cut at the longest")
  func repetitive() {
    let chunks = chunks(of: [UInt8](repeating: 0, count: 300_000))
    #expect(chunks.dropLast().allSatisfy { $0.count == Chunker.longest })
  }

  @Test(
    "What is put in, taken out or changed leaves the chunks around it as they are",
    arguments: [0, 300_000, 999_999], ["insertion", "removal", "change"])
  func resynchronises(place: Int, edit: String) {
    var generator = SeededGenerator(seed: place)
    let bytes = generator.bytes(1_000_000)
    var edited = bytes
    switch edit {
    case "insertion": edited.insert(contentsOf: generator.bytes(100), at: place)
    case "removal": edited.remove(at: place)
    default: edited[place] ^= 1
    }
    let before = Set(chunks(of: bytes))
    let new = chunks(of: edited).filter { !before.contains($0) }
    #expect((1...4).contains(new.count), "\(new.count) of \(before.count)")
  }

  @Test("The cuts are those of stores that exist")
  func pinned() {
    var generator = SeededGenerator(seed: 42)
    #expect(chunks(of: generator.bytes(100_000)).map(\.count) == [29_988, 23_212, 32_901, 13_899])
  }
}

extension SeededGenerator {
  /// The next bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: next().littleEndian) { bytes += $0 }
    }
    return Array(bytes.prefix(count))
  }
}
