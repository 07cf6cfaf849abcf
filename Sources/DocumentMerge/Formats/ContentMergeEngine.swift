/// Merges files whose names don't determine their type, with the engine for their contents, or else for their format.
struct ContentMergeEngine: OpenMergeEngine {
  let engines: MergeEngines
  /// The format that their names determine.
  let format: DocumentFormat

  var name: String { "text" }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    var kind = sides.settled == nil ? Catalogue.kind(ofContents: sides.all) : nil
    // Text for people, and settings in a known form, too easily look like YAML and TOML.
    if format.kind != .lines, kind == .yaml || kind == .toml { kind = nil }
    let known = kind.map { Catalogue.format(of: $0, named: format) }
    return try engines.checkedEngine(for: known ?? format).openMerge(of: sides, options: options)
  }
}

/// A custom engine, which is used only if both sides changed something.
struct CheckedMergeEngine: OpenMergeEngine {
  let engine: any MergeEngine

  var name: String { engine.name }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if let settled = OpenMerge(settled: sides, options.labels) { return settled }
    return try engine.openMerge(of: sides, options: options)
  }
}

/// An engine with the fields that programs write into a file.
struct FieldsMergeEngine: OpenMergeEngine {
  let engine: any MergeEngine
  let fields: RevisedFields

  var name: String { engine.name }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    var options = options
    options.revisedFields = options.revisedFields.adding(fields)
    return try engine.openMerge(of: sides, options: options)
  }
}
