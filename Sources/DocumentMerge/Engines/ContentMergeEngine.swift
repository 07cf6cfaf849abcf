/// Merges files whose names say nothing: by the engine for what is in them, else by lines.
struct ContentMergeEngine: MergeEngine {
  let engines: MergeEngines
  let fileName: String
  /// The type of documents that say nothing themselves.
  var fallback = MergeEngines.Kind.lines

  var name: String { "text" }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    var kind = sides.settled == nil ? ContentKind(of: sides.all)?.kind : nil
    // Text for people, and settings of a known form, look like YAML and TOML too easily.
    let isKnown = fallback != .lines || EntryNames.Form(fileName: fileName) != nil
    if isKnown, kind == .yaml || kind == .toml { kind = nil }
    let engine = engines.engine(for: kind ?? fallback)
    let checked = NamesMergeEngine(engine, fileName: fileName, kind: kind)
    return try (checked ?? engine).openMerge(of: sides, options: options)
  }
}

/// The type that documents say they are.
///
/// Only what cannot well be anything else counts: signatures, and what can be read as a whole.
struct ContentKind {
  let kind: MergeEngines.Kind

  /// Reads some documents; `nil` for nothing certain, or where they are not of one type.
  init?(of documents: [[UInt8]]) {
    var kinds: Set<MergeEngines.Kind?> = []
    for document in documents where !document.allSatisfy(\.isSpace) {
      kinds.insert(Self.kind(of: document))
      guard kinds.count == 1, kinds.first != .some(nil) else { return nil }
    }
    guard let kind = kinds.first ?? nil else { return nil }
    self.kind = kind
  }

  /// The type of a document; `nil` for nothing certain.
  static func kind(of document: [UInt8]) -> MergeEngines.Kind? {
    if BinaryPropertyListMerge.isBinary(document) { return .plist }
    if MemoryDatabase.isDatabase(document) { return .database }
    guard let text = DecodedText(document)?.text,
      let start = text.firstIndex(where: { !$0.isSpace })
    else { return nil }
    switch text[start] {
    case UInt8(ascii: "<"):
      let head = String(decoding: text[start...].prefix(400), as: UTF8.self).lowercased()
      if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return .html }
      guard head.hasPrefix("<?xml") || canRead(text, as: XMLFormat()) else { return nil }
      return head.contains("<!doctype plist") || head.contains("<plist") ? .plist : .xml
    case UInt8(ascii: "{"):
      return canRead(text, as: JSONFormat()) ? .json : nil
    case UInt8(ascii: "["):
      if canRead(text, as: JSONFormat()) { return .json }
      return isTOML(text) ? .toml : nil
    default:
      if isTOML(text) { return .toml }
      return isYAML(text) ? .yaml : nil
    }
  }

  private static func canRead(_ text: [UInt8], as format: some StructuredFormat) -> Bool {
    tree(text, format) != nil
  }

  private static func tree(_ text: [UInt8], _ format: some StructuredFormat) -> StructureTree? {
    do { return try format.parse(text) } catch { return nil }
  }

  /// Returns whether a text is TOML with a table or more than one key.
  private static func isTOML(_ text: [UInt8]) -> Bool {
    guard text.contains(UInt8(ascii: "=")), let tree = tree(text, TOMLFormat()) else {
      return false
    }
    return tree.count > 3
  }

  /// Returns whether a text is a mapping in YAML that says so: with other keys than a word before a colon, which also
  /// the lines of a letter have, in it.
  private static func isYAML(_ text: [UInt8]) -> Bool {
    guard text.contains(UInt8(ascii: ":")), let tree = tree(text, YAMLFormat()) else {
      return false
    }
    let mappings = (0..<tree.count).filter { tree[$0].kind == .blockMapping }
    guard let first = mappings.first, first <= 1 else { return false }
    let format = YAMLFormat()
    let areOnce = mappings.allSatisfy { mapping in
      let names = tree.members(of: mapping).map { tree.name(of: $0, format) }
      return Set(names).count == names.count
        && names.allSatisfy { !$0.contains(UInt8(ascii: " ")) }
    }
    return areOnce && (mappings.count > 1 || text.starts(with: "---".utf8))
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

/// An engine, with the fields of a file that programs write.
struct FieldsMergeEngine: MergeEngine {
  let engine: any MergeEngine
  let fields: RevisedFields

  var name: String { engine.name }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    var options = options
    options.revisedFields = options.revisedFields.adding(fields)
    return try engine.openMerge(of: sides, options: options)
  }
}
