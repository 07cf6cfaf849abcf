/// Finds values that only mean something together, of which a merge took each from another side.
struct MixedPairs {
  /// The pairs, each with its keys and values.
  let names: [String]

  init(in result: TextLines, of texts: MergeSides<TextLines>, _ form: PairedValues.Form) {
    guard let base = texts.base, PairedValues.mayStand(in: result) else {
      names = []
      return
    }
    let old = PairedValues(base, form).pairs
    let ours = PairedValues(texts.ours, form).pairs
    let theirs = PairedValues(texts.theirs, form).pairs
    // Nothing is mixed unless both sides changed one.
    guard !old.isSubset(of: ours), !old.isSubset(of: theirs) else {
      names = []
      return
    }
    let known = old.union(ours).union(theirs)
    names = PairedValues(result, form).pairs.subtracting(known)
      .map { "\($0.keys[0]) \($0.values[0]), \($0.keys[1]) \($0.values[1])" }.sorted()
  }
}
