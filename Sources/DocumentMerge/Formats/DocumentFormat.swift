/// A document format: the names of its files, how it is merged, and the checks of its clean merges.
///
/// A format is one file in this folder, one line in ``Catalogue``, and one folder of cases in `Fixtures/formats`.
/// Engines and checks are created with the knowledge they need, and never see file names.
struct DocumentFormat: Sendable {
  /// Creates the engine for the documents of a format.
  typealias Engine = @Sendable (_ engines: MergeEngines) -> any MergeEngine
  /// Returns whether contents have a format, regardless of their name.
  typealias Signature = @Sendable (_ contents: DocumentSample) -> Bool

  /// The name of the folder with its cases.
  let name: String
  /// The names of its files in lowercase, in which `*` stands for any characters.
  ///
  /// With a slash, a name is the end of a path.
  let files: [String]
  /// The uniform type identifiers of its documents.
  let identifiers: [String]
  /// The type that its documents are merged as; `nil` for lines, unless the contents say more.
  let kind: MergeEngines.Kind?
  /// Creates its engine; `nil` for the engine of its type.
  let engine: Engine?
  /// Recognises its documents by their contents; `nil` if only their names say what they are.
  let signature: Signature?
  /// True if people read its documents line by line.
  let isReadByLines: Bool
  /// Reads the lines that programs write at every save; `nil` if there are none.
  let revisions: (any RevisionReader)?
  /// The checks of its clean merges.
  let checks: [any MergeCheck]

  init(
    _ name: String, _ files: [String] = [], identifiers: [String] = [],
    kind: MergeEngines.Kind? = nil, engine: Engine? = nil, signature: Signature? = nil,
    isReadByLines: Bool = true, revisions: (any RevisionReader)? = nil,
    checks: [any MergeCheck] = []
  ) {
    (self.name, self.files, self.identifiers) = (name, files, identifiers)
    (self.kind, self.engine, self.signature) = (kind, engine, signature)
    (self.isReadByLines, self.revisions, self.checks) = (isReadByLines, revisions, checks)
  }

  /// True if the names of its files determine their type.
  var saysType: Bool { kind.map { $0 != .plain } ?? (engine != nil) }

  /// Returns a format of other files with the same merge and additional checks.
  func narrowed(
    _ name: String, _ files: [String], engine: Engine? = nil, isReadByLines: Bool? = nil,
    adding more: [any MergeCheck] = []
  ) -> DocumentFormat {
    DocumentFormat(
      name, files, kind: kind, engine: engine ?? self.engine,
      isReadByLines: isReadByLines ?? self.isReadByLines, revisions: revisions,
      checks: checks + more)
  }

  /// Returns the format with the checks of another format whose kinds it lacks.
  func adding(checksOf other: DocumentFormat) -> DocumentFormat {
    let known = Set(checks.map { ObjectIdentifier(type(of: $0)) })
    return narrowed(
      name, files, adding: other.checks.filter { !known.contains(ObjectIdentifier(type(of: $0))) })
  }
}

// MARK: Engines

extension DocumentFormat {
  /// Merges lines, and asks about lines that one side moved and the other side changed.
  static let lines: Engine = { _ in TextMergeEngine(style: .lines, asksAboutMoves: true) }

  /// Merges text for people.
  static func text(_ style: TextStyle) -> Engine { { _ in TextMergeEngine(style: style) } }

  /// Merges trees of values.
  static func structure(_ syntax: some StructuredFormat) -> Engine {
    { _ in StructuredMergeEngine(format: syntax) }
  }
}
