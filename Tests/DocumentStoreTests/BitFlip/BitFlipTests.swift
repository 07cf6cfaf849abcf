import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// One file of a store is damaged, for every file and in many ways: either `verify` reports it, or a user
/// gets everything back unchanged.
///
/// `DOCVERSIONS_FAULTS=full` tries every byte.
@Suite("One damaged file")
struct BitFlipTests {
  @Test("A whole store is whole", arguments: StoreShape.allCases)
  func whole(shape: StoreShape) throws {
    let shaped = try shape.make()
    let verification = try shaped.desk.store.verify(shaped.document)
    #expect(verification.isWhole, "\(verification.findings)")
    let leftovers = verification.findings.filter { $0.code != .foreignPart }
    #expect(leftovers.isEmpty, "\(verification.findings)")
    #expect(verification.versions >= 3)
    #expect(verification.objects >= 7)
  }

  @Test("No damage is silent", arguments: StoreShape.allCases)
  func silence(shape: StoreShape) throws {
    let shaped = try shape.make()
    let expected = Observation(of: shaped)
    let notices = try Set(shaped.desk.store.verify(shaped.document).findings)
    var counts = (reported: 0, noticed: 0, harmless: 0)
    var silent: [String] = []
    for (file, damages) in try Damage.all(
      in: shaped, mostFlips: TestMode.isFull ? shape.mostFlips : 8, oneOf: TestMode.isFull ? 1 : 6)
    {
      let bytes = try shaped.files()[file] ?? Data()
      for damage in damages {
        try shaped.put(damage.result(of: bytes, older: shaped.older[file]), in: file)
        if try isReported(shaped) {
          counts.reported += 1
        } else if Observation(of: shaped) == expected {
          counts.harmless += 1
        } else if try isNoticed(shaped, beside: notices) {
          counts.noticed += 1
        } else {
          silent.append("\(file): \(damage)")
        }
        try shaped.put(bytes, in: file)
      }
    }
    #expect(counts.reported > 5)
    #expect(silent.isEmpty, "\(silent.count) of \(counts): \(silent.prefix(20))")
    if TestMode.isFull {
      Issue.record(
        "\(shape): reported \(counts.reported), noticed \(counts.noticed), harmless \(counts.harmless), silent \(silent.count)",
        severity: .warning)
    }
  }

  @Test("A reference from before a removal, which brings removed contents back, is noticed")
  func beforeRemoval() throws {
    let shaped = try StoreShape.removal.make()
    let notices = try Set(shaped.desk.store.verify(shaped.document).findings)
    let file = try #require(shaped.older.keys.first { $0.hasPrefix("refs/heads/") })
    try shaped.put(shaped.older[file], in: file)
    #expect(try !isReported(shaped))
    #expect(try isNoticed(shaped, beside: notices))
  }

  /// Returns whether the damage is reported as a state that an interrupted change or an emptied trash also
  /// leaves, which may be correct and can't be distinguished from damage.
  private func isNoticed(
    _ shaped: ShapedStore, beside known: Set<Verification.Finding>
  ) throws -> Bool {
    try shaped.desk.store.verify(shaped.document).findings.contains {
      !known.contains($0) && [.head, .unreachable].contains($0.code)
    }
  }

  /// Returns whether the damage is reported; an error of ours counts, too.
  private func isReported(_ shaped: ShapedStore) throws -> Bool {
    do {
      return try !shaped.desk.store.verify(shaped.document).isWhole
    } catch is VersionError {
      return true
    }
  }
}

/// A way to damage a file.
enum Damage: CustomStringConvertible {
  case flip(byte: Int, bit: Int)
  case cut(to: Int)
  case zeroed, removed, older

  /// Returns a selection of damages of all files of a store.
  static func all(
    in shaped: ShapedStore, mostFlips: Int, oneOf few: Int
  ) throws -> [(file: String, damages: [Damage])] {
    var number = 0
    return try shaped.files().sorted(by: { $0.key < $1.key }).map { file, bytes in
      let damages = all(of: bytes, older: shaped.older[file], mostFlips: mostFlips)
      return (
        file,
        damages.filter { _ in
          number += 1
          return number % few == 0
        }
      )
    }
  }

  private static func all(of bytes: Data, older: Data?, mostFlips: Int) -> [Damage] {
    let step = max(1, bytes.count / max(1, mostFlips))
    let flips = stride(from: 0, to: bytes.count, by: step).map {
      Damage.flip(byte: $0, bit: $0 % 8)
    }
    let cuts =
      bytes.isEmpty ? [] : [Damage.cut(to: bytes.count / 2), .cut(to: bytes.count - 1), .zeroed]
    return flips + cuts + [.removed] + (older == nil ? [] : [.older])
  }

  func result(of bytes: Data, older: Data?) -> Data? {
    switch self {
    case .flip(let byte, let bit):
      var bytes = bytes
      bytes[bytes.startIndex + byte] ^= 1 << UInt8(bit)
      return bytes
    case .cut(let count): return bytes.prefix(count)
    case .zeroed: return Data(count: bytes.count)
    case .removed: return nil
    case .older: return older
    }
  }

  var description: String {
    switch self {
    case .flip(let byte, let bit): "bit \(bit) of byte \(byte) flipped"
    case .cut(let count): "cut to \(count) bytes"
    case .zeroed: "zeroed"
    case .removed: "removed"
    case .older: "as it was before the last step"
    }
  }
}
