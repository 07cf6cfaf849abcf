/// Merges files whose names say nothing: by the engine for what is in them, else by lines.
struct ContentMergeEngine: MergeEngine {
  let engines: MergeEngines

  var name: String { "text" }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    let kinds = Set(sides.all.filter { !$0.isEmpty }.map(Self.kind))
    let kind = kinds.count == 1 ? kinds.first ?? nil : nil
    return try engines.engine(for: kind ?? .lines).openMerge(of: sides, options: options)
  }

  /// What a document says it is; `nil` for nothing certain.
  ///
  /// Only what cannot well be anything else counts: signatures, and JSON that is valid as a whole.
  static func kind(of document: [UInt8]) -> MergeEngines.Kind? {
    if BinaryPropertyListMerge.isBinary(document) { return .plist }
    guard let text = DecodedText(document)?.text,
      let start = text.firstIndex(where: { !$0.isSpace })
    else { return nil }
    let head = String(decoding: text[start...].prefix(400), as: UTF8.self).lowercased()
    if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return .html }
    if head.hasPrefix("<?xml") {
      return head.contains("<!doctype plist") || head.contains("<plist") ? .plist : .xml
    }
    if head.hasPrefix("<svg") { return .xml }
    guard head.hasPrefix("{") || head.hasPrefix("[") else { return nil }
    do {
      _ = try JSONFormat().parse(text)
      return .json
    } catch {
      return nil
    }
  }
}

/// An engine from outside, which is only asked where both sides changed something.
struct CheckedMergeEngine: MergeEngine {
  let engine: any MergeEngine

  var name: String { engine.name }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if let kind = sides.settled {
      return OpenMerge(SettledMerge(sides: sides, kind: kind, labels: options.labels))
    }
    return try engine.openMerge(of: sides, options: options)
  }
}
