/// What is known about documents of one format: how they are called, how they are merged, and what may be wrong with a
/// merge that leaves no question.
///
/// A format is one file in this folder, one line in ``Catalogue``, and one folder of cases in `Fixtures/formats`. Engines and
/// checks are made with what they have to know, and never see the name of a file.
struct DocumentFormat: Sendable {
  /// Makes the engine for the documents of a format.
  typealias Engine = @Sendable (_ engines: MergeEngines) -> any MergeEngine
  /// Returns whether some contents are those of a format, whatever their name.
  typealias Signature = @Sendable (_ contents: DocumentSample) -> Bool

  /// The name of the folder with its cases.
  let name: String
  /// The names of its files in small letters, in which `*` stands for any characters.
  ///
  /// With a slash, a name is the end of a path.
  let files: [String]
  /// The uniform type identifiers of its documents.
  let identifiers: [String]
  /// The type that its documents are merged as; `nil` for lines, unless the contents say more.
  let kind: MergeEngines.Kind?
  /// Makes its engine; `nil` for the engine of its type.
  let engine: Engine?
  /// Recognises its documents by their contents; `nil` if only their names say what they are.
  let signature: Signature?
  /// Whether people read its documents line by line.
  let isReadByLines: Bool
  /// Reads the lines that programs write whenever they save; `nil` if there are none.
  let revisions: (any RevisionReader)?
  /// What may be wrong with a merge that leaves no question.
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

  /// Whether the names of its files say what is in them.
  var saysType: Bool { kind.map { $0 != .plain } ?? (engine != nil) }

  /// A format of other files, which are merged and checked as these, and checked for more.
  func narrowed(
    _ name: String, _ files: [String], engine: Engine? = nil, isReadByLines: Bool? = nil,
    adding more: [any MergeCheck] = []
  ) -> DocumentFormat {
    DocumentFormat(
      name, files, kind: kind, engine: engine ?? self.engine,
      isReadByLines: isReadByLines ?? self.isReadByLines, revisions: revisions,
      checks: checks + more)
  }

  /// The same format with the checks of another one, of whose kinds it has none itself.
  func adding(checksOf other: DocumentFormat) -> DocumentFormat {
    let known = Set(checks.map { ObjectIdentifier(type(of: $0)) })
    return narrowed(
      name, files, adding: other.checks.filter { !known.contains(ObjectIdentifier(type(of: $0))) })
  }
}

// MARK: Engines

extension DocumentFormat {
  /// Merges lines, and asks where one side moved what the other one changed.
  static let lines: Engine = { _ in TextMergeEngine(style: .lines, asksAboutMoves: true) }

  /// Merges text for people.
  static func text(_ style: TextStyle) -> Engine { { _ in TextMergeEngine(style: style) } }

  /// Merges trees of values.
  static func structure(_ syntax: some StructuredFormat) -> Engine {
    { _ in StructuredMergeEngine(format: syntax) { WordMerge.mergedValue($0) } }
  }
}
