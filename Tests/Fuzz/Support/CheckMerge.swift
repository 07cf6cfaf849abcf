@testable internal import DocumentMerge

/// Splits bytes into base, ours and theirs, separated by a byte 0xFF; `nil` if there aren't three parts.
func documents(in bytes: [UInt8]) -> MergeSides<[UInt8]>? {
  let parts = bytes.split(separator: 0xFF, maxSplits: 2, omittingEmptySubsequences: false)
    .map(Array.init)
  return parts.count == 3 ? MergeSides(base: parts[0], ours: parts[1], theirs: parts[2]) : nil
}

/// Merges three documents, and the sides without their base.
///
/// An unchanged side gives the other one, swapped sides give an equally complete result, and valid sides give
/// a valid document that has nothing twice unless a side does.
/// - Parameters:
///   - engine: The engine.
///   - sides: The documents.
///   - doubled: Reads a document, and returns its duplicates; throws if it isn't valid.
/// - Returns: The result that libFuzzer expects, so that a target is one line.
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

/// Merges documents of a format with their engine.
func checkMerge(
  _ kind: MergeEngines.Kind, _ format: some StructuredFormat, _ bytes: [UInt8]
) -> CInt {
  checkMerge(MergeEngines().engine(for: kind), documents(in: bytes)) { document in
    DoubledMembers(in: try format.parse(document), format, lists: false)
  }
}

/// Returns the outcome; `nil` for documents that are refused.
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
  // If base doesn't show its line endings, those of ours count.
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
