internal import Foundation

/// The available merge engines, and the choice of one for a file.
///
/// An engine that was registered for a name comes first, then the declared type, then the name, and, if the name isn't
/// enough, the contents. Structured documents are merged by their structure, tables by rows and columns, texts for
/// people by words, and everything else by lines. A document that isn't valid for its type is merged by lines; a
/// document that isn't text clashes as a whole.
public struct MergeEngines: Sendable {
  /// The registered engines by their file name patterns; the last match applies.
  private var rules: [(pattern: String, engine: @Sendable (String) -> any MergeEngine)] = []

  /// The fields that programs write, by their file name patterns.
  private var fields: [(pattern: String, fields: RevisedFields)] = []

  /// Returns the declared type for a file name, which takes precedence over the name itself.
  package var declaredKind: @Sendable (_ fileName: String) -> Kind? = { _ in nil }

  /// Creates the engines.
  public init() {}

  /// Returns the engine for documents of a type.
  public func engine(for kind: Kind) -> any MergeEngine {
    engine(ofFormat: Catalogue.standard(kind))
  }

  /// Registers an engine.
  /// - Parameters:
  ///   - pattern: A pattern for the names of the files that it merges, such as `*.drawio`: `*` stands for any
  ///     characters, `?` for one character, `[…]` for one of several. Without a slash, the pattern is compared with the
  ///     last component of a path. Case is ignored.
  ///   - engine: A closure that creates the engine for a file's name or path.
  public mutating func use(
    for pattern: String, _ engine: @escaping @Sendable (_ fileName: String) -> any MergeEngine
  ) {
    rules.append((pattern, engine))
  }

  /// Registers fields that programs write at every save, for the files of a pattern as for an engine.
  package mutating func use(_ fields: RevisedFields, for pattern: String) {
    self.fields.append((pattern, fields))
  }

  /// Returns the engine for a file.
  /// - Parameter fileName: The file's name or path.
  public func engine(forFileName fileName: String) -> any MergeEngine {
    let engine = uncheckedEngine(forFileName: fileName)
    let fields = fields.filter { fileName.matches($0.pattern) }.map(\.fields)
    guard let first = fields.first else { return engine }
    return FieldsMergeEngine(
      engine: engine, fields: fields.dropFirst().reduce(first) { $0.adding($1) })
  }

  /// Returns whether the name of a file determines its format.
  package static func knows(fileName: String) -> Bool {
    Catalogue.format(ofFileName: fileName) != nil
  }

  private func uncheckedEngine(forFileName fileName: String) -> any MergeEngine {
    if let rule = rules.last(where: { fileName.matches($0.pattern) }) {
      return CheckedMergeEngine(engine: rule.engine(fileName))
    }
    let format = format(ofFileName: fileName)
    // For lines and for text for people, only the contents show whether they are markup or data.
    guard let format, format.saysType else {
      return ContentMergeEngine(engines: self, format: format ?? Catalogue.standard(.lines))
    }
    return checkedEngine(for: format)
  }

  private func format(ofFileName fileName: String) -> DocumentFormat? {
    let named = Catalogue.format(ofFileName: fileName)
    return declaredKind(fileName).map { Catalogue.format(of: $0, named: named) } ?? named
  }

  /// Returns the engine that knows the structure of a document, by its type, its name, or else its contents;
  /// `nil` if an app has an engine of its own for it, or if nothing determines its format.
  func structureEngine(of document: [UInt8], named fileName: String) -> (any MergeEngine)? {
    guard !rules.contains(where: { fileName.matches($0.pattern) }) else { return nil }
    let format = format(ofFileName: fileName)
    if let format, format.saysType { return engine(ofFormat: format) }
    return Catalogue.kind(ofContents: [document]).map {
      engine(ofFormat: Catalogue.format(of: $0, named: format))
    }
  }

  /// Returns the engine for documents of a format, which asks about doubtful clean merges.
  func checkedEngine(for format: DocumentFormat) -> any MergeEngine {
    let engine = engine(ofFormat: format)
    let isPlain = format.checks.isEmpty && format.revisions == nil
    return isPlain ? engine : FormatMergeEngine(engine: engine, format: format)
  }

  /// Returns the engine for documents of a format.
  func engine(ofFormat format: DocumentFormat) -> any MergeEngine {
    let engine = format.engine ?? format.kind.flatMap { Catalogue.standard($0).engine }
    return (engine ?? DocumentFormat.lines)(self)
  }
}

extension OpenMerge {
  /// Completes the merge, with conflict markers if they are requested and the type of the document allows them.
  package func outcome(
    marking markers: ConflictMarkers, of sides: MergeSides<[UInt8]>, fileName: String,
    options: MergeOptions
  ) throws -> MarkedOutcome {
    let isReadByLines = Catalogue.format(ofFileName: fileName)?.isReadByLines ?? true
    return try outcome(
      marking: markers, of: sides, isReadByLines: isReadByLines, options: options)
  }
}

extension String {
  /// Returns whether a file's name or path matches a pattern.
  fileprivate func matches(_ pattern: String) -> Bool {
    let last = split(separator: "/").last.map(String.init) ?? self
    let text = pattern.utf8.contains(UInt8(ascii: "/")) ? self : last
    return fnmatch(pattern.lowercased(), text.lowercased(), 0) == 0
  }
}
