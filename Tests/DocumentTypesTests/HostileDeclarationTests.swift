import DocumentFiles
import DocumentTestSupport
import DocumentTypes
import Foundation
import Testing

@Suite("Hostile declarations of types")
struct HostileDeclarationTests {
  private let place: DeclarationPlace

  init() throws {
    place = try DeclarationPlace()
  }

  @Test("Hostile nesting is refused, not followed", arguments: ["array", "dict"])
  func deepXML(element: String) throws {
    let inner = element == "dict" ? "<key>a</key>" : ""
    let open = String(repeating: "<\(element)>\(inner)", count: 40_000)
    let close = String(repeating: "</\(element)>", count: 40_000)
    _ = try place.refusal(place.write(Data("<plist>\(open)<string/>\(close)</plist>".utf8)))
  }

  @Test("A binary list that holds itself, a set, or far too much is refused at once")
  func hostileBinary() throws {
    let key: [UInt8] = [0x51, 0x61]
    let ownMember: [[UInt8]] = [[0xD1, 0, 1, 0, 2], key, [0xA1, 0, 0]]
    let set: [[UInt8]] = [[0xD1, 0, 1, 0, 2], key, [0xC1, 0, 1]]
    let ownKey: [[UInt8]] = [[0xD1, 0, 0, 0, 1], key]
    let shared: [[UInt8]] =
      [[0xD1, 0, 1, 0, 2], key] + (3...60 as ClosedRange<UInt8>).map { [0xA2, 0, $0, 0, $0] } + [
        key
      ]
    let deep: [[UInt8]] = (1...60_000).map { [0xA1, UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [key]
    let nowhere: [[UInt8]] = [[0xA1, 0xFF, 0xFF]]
    for objects in [ownMember, set, ownKey, shared, deep, nowhere] {
      let (message, time) = try measured {
        try place.refusal(place.write(BinaryList.data(objects)))
      }
      #expect(message.contains("isn’t a binary property list of an application"))
      #expect(time < .seconds(30))
    }
    // The same declaration in the same way, without a fault.
    let sound = try place.refusal(
      place.write(BinaryList.data([[0xD1, 0, 1, 0, 2], key, [0xA1, 0, 1]])))
    #expect(sound.contains("declares no types"))
  }

  @Test(
    "Damaged lists are read or refused, and never crash",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func damage(format: PropertyListSerialization.PropertyListFormat) throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: DeclarationPlace.fixture), options: [], format: nil)
    let bytes = Array(
      try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
    for length in stride(from: 0, to: bytes.count - 10, by: 7) {
      _ = try place.refusal(place.write(Data(bytes.prefix(length))))
    }
    var generator = SeededGenerator(seed: 7)
    var refused = 0
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damaged[Int.random(in: damaged.indices, using: &generator)] ^=
          1 << UInt8.random(in: 0...7, using: &generator)
      }
      do {
        _ = try DocumentTypes(declarationsIn: place.write(Data(damaged)))
      } catch let error as FileError {
        #expect(error.code == .damaged)
        refused += 1
      }
    }
    #expect((200..<2_000).contains(refused))
  }
}

/// Binary property lists with given objects.
private enum BinaryList {
  /// A list whose first object is the outermost; references have two bytes.
  static func data(_ objects: [[UInt8]]) -> Data {
    var data = Data("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(data.count)
      data += object
    }
    let table = data.count
    for offset in offsets { data += number(offset, size: 4) }
    return data + [0, 0, 0, 0, 0, 0, 4, 2] + number(objects.count, size: 8) + number(0, size: 8)
      + number(table, size: 8)
  }

  private static func number(_ number: Int, size: Int) -> Data {
    Data((0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }
}
