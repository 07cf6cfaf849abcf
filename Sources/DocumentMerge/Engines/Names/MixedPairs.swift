/// Finds values that only mean something together, of which a merge took each from another side.
struct MixedPairs {
  /// The pairs, each with its keys and values.
  let names: [String]

  init(in result: TextLines, of texts: MergeSides<TextLines>, _ form: PairedValues.Form) {
    guard let base = texts.base, PairedValues.mayDiffer(texts.ours, from: base, form),
      PairedValues.mayDiffer(texts.theirs, from: base, form)
    else {
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

extension PairedValues.Form {
  /// The form of files of a name and a type; `nil` if no values belong together in them.
  init?(fileName: String, kind: MergeEngines.Kind?) {
    let suffix = fileName.split(separator: ".").last?.lowercased() ?? ""
    switch (kind, suffix) {
    case (.json, _), (.yaml, _), (.toml, _), (.xml, _), (.html, _), (_, "ini"), (_, "properties"),
      (_, "cfg"):
      self = .keys
    case (.table, _): self = .rows
    case (_, "ics"), (_, "ical"), (_, "ifb"): self = .components
    default: return nil
    }
  }
}
