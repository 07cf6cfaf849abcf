@testable internal import DocumentMerge

/// Base, ours and theirs, which have a byte 0xFF between them; `nil` if that is not what there is.
func documents(in bytes: [UInt8]) -> MergeSides<[UInt8]>? {
  let parts = bytes.split(separator: 0xFF, maxSplits: 2, omittingEmptySubsequences: false)
    .map(Array.init)
  return parts.count == 3 ? MergeSides(base: parts[0], ours: parts[1], theirs: parts[2]) : nil
}

/// Merges three documents, and the sides without their base.
///
/// An unchanged side gives the other one; swapped sides are as complete; and of valid sides comes a
/// valid document, with nothing twice that no side has twice.
/// - Parameters:
///   - engine: The engine.
///   - sides: The documents.
///   - doubled: Reads a document, and tells what it has twice; throws for what is not valid.
/// - Returns: What libFuzzer wants to hear, so that a target is one line.
func checkMerge(
  _ engine: any MergeEngine, _ sides: MergeSides<[UInt8]>?,
  doubled: (_ document: [UInt8]) throws -> DoubledMembers? = { _ in nil }
) -> CInt {
  guard let sides else { return 0 }
  checkIdentities(engine, sides)
  checkResult(engine, sides, doubled)
  checkResult(engine, MergeSides(base: nil, ours: sides.ours, theirs: sides.theirs), doubled)
  return 0
}

/// Merges documents of a format with the engine that they get.
func checkMerge(
  _ kind: MergeEngines.Kind, _ format: some StructuredFormat, _ bytes: [UInt8]
) -> CInt {
  checkMerge(MergeEngines().engine(for: kind), documents(in: bytes)) { document in
    DoubledMembers(in: try format.parse(document), format, lists: false)
  }
}

/// The outcome; `nil` for documents that are refused as a whole.
private func outcome(_ engine: any MergeEngine, _ sides: MergeSides<[UInt8]>) -> MergeOutcome? {
  do {
    return try engine.merge(sides, options: MergeOptions())
  } catch { return nil }
}

/// An unchanged side, and equal sides, give the other side.
private func checkIdentities(_ engine: any MergeEngine, _ sides: MergeSides<[UInt8]>) {
  guard let base = sides.base else { return }
  for side in [sides.ours, sides.theirs] {
    for (ours, theirs) in [(side, base), (base, side), (side, side)] {
      let merged = outcome(engine, MergeSides(base: base, ours: ours, theirs: theirs))
      check(merged?.bytes ?? side == side, "what one side changed is not taken as it is")
    }
  }
}

private func checkResult(
  _ engine: any MergeEngine, _ sides: MergeSides<[UInt8]>,
  _ doubled: (_ document: [UInt8]) throws -> DoubledMembers?
) {
  guard let merged = outcome(engine, sides) else { return }
  let other = MergeSides(base: sides.base, ours: sides.theirs, theirs: sides.ours)
  let swapped = outcome(engine, other)
  // Where base does not show its line endings, ours has them its way.
  let showsLines = sides.base?.contains(.lineFeed) ?? false
  if showsLines, !sides.all.contains(where: { $0.contains(.carriageReturn) }) {
    check(merged.isComplete == swapped?.isComplete, "the sides are not treated alike")
  }
  do {
    let known = try sides.all.compactMap(doubled)
    guard known.count == sides.all.count else { return }
    do {
      let found = try doubled(merged.bytes)
      check(found?.isCovered(by: known) ?? false, "something is there twice")
    } catch { fatalError("the result is not valid") }
  } catch {}
}
