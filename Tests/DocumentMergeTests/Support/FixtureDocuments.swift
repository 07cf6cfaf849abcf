import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

/// The documents of all fixtures of an engine, and checks that apply to each of them.
struct FixtureDocuments {
  let engine: any MergeEngine
  let all: [[UInt8]]
  /// Reads a document; throws if it isn't valid.
  let read: (_ document: [UInt8]) throws -> StructureTree

  /// - Parameter name: The folder of the fixtures.
  init(
    _ name: String, _ kind: MergeEngines.Kind,
    read: @escaping (_ document: [UInt8]) throws -> StructureTree
  ) throws {
    engine = MergeEngines().engine(for: kind)
    all = try MergeFixture.folders(in: MergeFixture.root.appending(path: name)).flatMap { folder in
      try ["base", "ours", "theirs"].compactMap { try MergeFixture(folder: folder).contents($0) }
    }
    self.read = read
  }

  /// The documents that are valid.
  var sound: [[UInt8]] { all.filter(parses) }

  func parses(_ document: [UInt8]) -> Bool {
    do {
      _ = try read(document)
      return true
    } catch { return false }
  }

  func merge(
    _ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8],
    _ options: MergeOptions = MergeOptions()
  ) throws -> MergeOutcome {
    try engine.merge(MergeSides(base: base, ours: ours, theirs: theirs), options: options)
  }

  /// Checks that the parts of a tree are all bytes, in order.
  func checkParts() throws {
    for document in sound {
      let tree = try read(document)
      #expect(tree.bytes.count == tree[StructureTree.root].whole.upperBound)
      DocumentMergeTests.checkParts(of: tree, tree.bytes.count)
    }
  }

  /// Checks that changes of only one side are in the result to the byte.
  func checkOneSided(bases: Int) throws {
    #expect(all.count > 40)
    for base in all.prefix(bases) {
      for other in all {
        #expect(try merge(base, other, base).bytes == other)
        #expect(try merge(base, base, other).bytes == other)
        #expect(try merge(base, other, other).bytes == other)
      }
    }
  }

  /// Checks that damaged bytes are refused or read, and never trap.
  func checkDamage(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for document in all {
      for _ in 0..<40 {
        let bytes = document.damaged(&random)
        _ = parses(bytes)
        _ = try merge(document, bytes, document)
      }
    }
  }

  /// Merges lines edited on both sides of valid documents.
  /// - Returns: How many were valid on both sides.
  func forEachEdit(
    seed: Int, _ count: Int, _ check: (_ sides: MergeSides<[UInt8]>) throws -> Void
  ) throws -> Int {
    var random = SeededGenerator(seed: seed)
    let sound = sound
    var found = 0
    for _ in 0..<count {
      let base = try #require(sound.randomElement(using: &random))
      let sides = (0..<2).map { _ in base.withEditedLines(&random) }
      guard sides.allSatisfy(parses) else { continue }
      found += 1
      try check(MergeSides(base: base, ours: sides[0], theirs: sides[1]))
    }
    return found
  }
}
