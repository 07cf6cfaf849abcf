import DocumentGit
import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("The ledger of heads")
struct HeadLedgerTests {
  private func identifier(_ number: Int) throws -> ObjectID {
    ObjectID(of: .blob, Array("\(number)".utf8))
  }

  private func entry(_ number: Int) throws -> HeadLedger.Entry {
    HeadLedger.Entry(record: try identifier(number), target: try identifier(-number))
  }

  @Test("However long it is, it ends with the last recorded heads", arguments: [1, 40, 5_000])
  func long(count: Int) throws {
    let scratch = try ScratchFolder(isInMemory: true)
    let ledger = HeadLedger(in: FilePath(scratch.url.path))
    for number in 1...count {
      try ledger.record([entry(number)], after: ledger.tail())
      if number % 97 == 0 || number == count {
        #expect(try ledger.tail()?.heads == [entry(number)])
        #expect(try ledger.tail()?.isTorn == false)
      }
    }
    #expect(try ledger.lines().count == count)
    #expect(try !ledger.lines().contains { $0 == nil })
  }

  @Test("The only head is read from the last bytes; none where the line is torn or has more")
  func onlyTarget() throws {
    let scratch = try ScratchFolder(isInMemory: true)
    let ledger = HeadLedger(in: FilePath(scratch.url.path))
    for number in 1...5 { try ledger.record([entry(number)], after: ledger.tail()) }
    let one = [UInt8](try Data(contentsOf: scratch["ledger"]))
    let target = try entry(5).target.description
    for start in 0..<one.count {
      let found = HeadLedger.onlyTarget(in: Array(one[start...]), at: start)
      // To check it, the digits before the line before are needed, too.
      let isChecked = start == 0 || HeadLedger.tail(of: Array(one[start...]), at: start) != nil
      let text = found.map { String(decoding: $0, as: UTF8.self) }
      #expect(text == target || text == nil && (!isChecked || start > one.count / 2))
      let torn = HeadLedger.onlyTarget(in: Array(one[..<start]), at: 0)
      let tail = HeadLedger.tail(of: Array(one[..<start]), at: 0)
      let expected = tail.map(\.isTorn) == false ? tail?.heads.first?.target.description : nil
      #expect(torn.map { String(decoding: $0, as: UTF8.self) } == expected, "\(start)")
    }
    for place in one.indices.suffix(90) {
      var damaged = one
      damaged[place] ^= 1
      #expect(HeadLedger.onlyTarget(in: damaged, at: 0) == nil)
    }
    try ledger.record([entry(1), entry(2)], after: ledger.tail())
    let two = [UInt8](try Data(contentsOf: scratch["ledger"]))
    #expect(HeadLedger.onlyTarget(in: two, at: 0) == nil)
  }

  @Test("The same heads are not recorded twice")
  func same() throws {
    let scratch = try ScratchFolder()
    let ledger = HeadLedger(in: FilePath(scratch.url.path))
    for _ in 1...3 { try ledger.record([entry(1), entry(2)], after: ledger.tail()) }
    try ledger.record([entry(2), entry(1)], after: ledger.tail())
    #expect(try ledger.lines().count == 1)
  }

  @Test("A thousand heads fit")
  func manyHeads() throws {
    let scratch = try ScratchFolder()
    let ledger = HeadLedger(in: FilePath(scratch.url.path))
    let heads = try (1...1_000).map(entry)
    try ledger.record([entry(1)], after: ledger.tail())
    try ledger.record(heads, after: ledger.tail())
    try ledger.record(heads.dropLast(), after: ledger.tail())
    #expect(try ledger.tail()?.heads == heads.dropLast())
  }

  @Test("Half a line at the end is passed over, and gone after the next one")
  func torn() throws {
    let scratch = try ScratchFolder()
    let ledger = HeadLedger(in: FilePath(scratch.url.path))
    for number in 1...3 { try ledger.record([entry(number)], after: ledger.tail()) }
    let whole = try Data(contentsOf: scratch["ledger"])
    for cut in 1...90 {
      try whole.dropLast(cut).write(to: scratch["ledger"])
      #expect(try ledger.tail()?.heads == [entry(2)])
      try ledger.record([entry(4)], after: ledger.tail())
      #expect(try ledger.lines().compactMap { $0 } == [[entry(1)], [entry(2)], [entry(4)]])
    }
  }

  @Test("A flipped bit is seen, wherever it is")
  func flipped() throws {
    let scratch = try ScratchFolder()
    let ledger = HeadLedger(in: FilePath(scratch.url.path))
    for number in 1...3 { try ledger.record([entry(number)], after: ledger.tail()) }
    let whole = try Data(contentsOf: scratch["ledger"])
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 1
      try damaged.write(to: scratch["ledger"])
      let lines = try ledger.lines()
      #expect(lines != [[try entry(1)], [try entry(2)], [try entry(3)]], "byte \(place)")
    }
  }
}
