internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Tells which types of documents there are, and declares more.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "types",
    abstract: "List types of documents, tell those of documents, or declare more.",
    discussion: """
      A type says how documents are named, and whether they are packages: folders that are kept as one document. \
      Types are declared for a folder of documents by a property list such as an application’s Info.plist, which \
      is copied. A document’s type follows from its name.

      JSON: {"builtIn": […], "declared": [{"name", "types": […]}]}, where a type is {"conformsTo", "extensions", \
      "identifier", "name", "package", "rank"}; with paths {"documents": [{"document", "package", "type"}]}; with \
      --add or --remove {"container", "name", "types": […]}.
      """)

  @Argument(
    help: ArgumentHelp(
      "Documents whose types to tell; they need not exist, but their folders. With an option, the folder of documents.",
      valueName: "path"))
  var paths: [DocumentArgument] = []

  @Flag(help: "List the built-in types too.")
  var all = false

  @Option(help: ArgumentHelp("Declare the types of a property list.", valueName: "file"))
  var add: DocumentArgument?

  @Option(
    help: ArgumentHelp("Take back what was declared, by the file’s name.", valueName: "name"))
  var remove: String?

  @Flag(
    name: .customLong("export-mime"),
    help: "Write the declared types as a package file of shared-mime-info.")
  var exportsMIME = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    let actions = [all, add != nil, remove != nil, exportsMIME].count { $0 }
    guard actions <= 1 else {
      throw ValidationError("Choose one of --all, --add, --remove and --export-mime.")
    }
    guard paths.count <= 1 || actions == 0 else {
      throw ValidationError("Types are declared for one folder of documents at a time.")
    }
    guard !exportsMIME || !options.isJSON else {
      throw ValidationError("What is exported is XML, not JSON.")
    }
  }

  func run() throws {
    let store = try options.store()
    if let add { return try declare(add, in: store) }
    if let remove { return try takeBack(remove, in: store) }
    guard paths.isEmpty || all || exportsMIME else { return try tell(paths, in: store) }
    let declared = try declaredTypes(in: store)
    if exportsMIME {
      var types = DocumentTypes()
      for declarations in declared { types.add(declarations.types) }
      return try Console.write(Array(types.sharedMIMEInfo().utf8)[...])
    }
    try list(declared)
  }

  private var container: URL { paths.first?.url ?? URL(filePath: ".") }

  // MARK: Listing

  private func declaredTypes(in store: VersionStore) throws -> [VersionStore.TypeDeclarations] {
    do {
      return try store.declaredTypes(in: container)
    } catch let error as FileError where error.code != .notFound && error.path.hasSuffix(".plist") {
      var failure = Failure(error)
      let name = ShellWord.quoted(URL(filePath: error.path).lastPathComponent)
      failure.hint = "Take it out:  docversions types --remove \(name)"
      throw failure
    }
  }

  private func list(_ declared: [VersionStore.TypeDeclarations]) throws {
    var registry = DocumentTypes()
    for declarations in declared { registry.add(declarations.types) }
    let builtIn = all ? registry.all.dropFirst(registry.declared.count) : []
    let list = TypesJSON(
      builtIn: builtIn.map { TypeJSON($0, in: registry) },
      declared: declared.map { declarations in
        .init(name: declarations.name, types: declarations.types.map { TypeJSON($0, in: registry) })
      })
    guard !options.isJSON else { return try Console.print(json: list) }
    let rows = list.declared.flatMap { file in file.types.map { ($0, file.name) } }
    print(rows + list.builtIn.map { ($0, "") })
    if declared.isEmpty {
      if !all { Console.print("No types are declared here.") }
      Console.print("Declare some:  ".asQuiet + "docversions types --add Info.plist")
    }
    if !all { Console.print("List the built-in ones too:  ".asQuiet + "docversions types --all") }
  }

  /// Prints types, each with the name of what declares it.
  private func print(_ types: [(type: TypeJSON, file: String)]) {
    var table = Table()
    table.rows = types.map { type, file in
      [
        Table.Cell(Printable.text(type.identifier)),
        Table.Cell(type.shownName),
        Table.Cell(Printable.text(type.extensions.joined(separator: ", "))) { $0.asPlace },
        Table.Cell(type.kind),
        Table.Cell(Printable.text(type.conformsTo.joined(separator: ", "))) { $0.asQuiet },
        Table.Cell(Printable.text(file)) { $0.asQuiet },
      ]
    }
    for line in table.lines() { Console.print(line) }
  }

  // MARK: Types of documents

  private func tell(_ paths: [DocumentArgument], in store: VersionStore) throws {
    let found = EachDocument(isJSON: options.isJSON).run(paths) { document in
      try DocumentTypeJSON(document, in: store.types(for: document.url))
    }
    if options.isJSON { try found.printJSON("documents") } else { print(found.values) }
    try found.finish()
  }

  private func print(_ documents: [DocumentTypeJSON]) {
    var table = Table()
    table.rows = documents.map { document in
      [
        Table.Cell(document.argument.shown, room: .yielding),
        Table.Cell(document.type.map { Printable.text($0.identifier) } ?? "no known type") {
          document.type == nil ? $0.asQuiet : $0
        },
        Table.Cell(document.type?.shownName ?? ""),
        Table.Cell(document.type?.kind ?? ""),
      ]
    }
    for line in table.lines() { Console.print(line) }
  }

  // MARK: Declaring

  private func declare(_ file: DocumentArgument, in store: VersionStore) throws {
    let declared = try store.declareTypes(from: file.url, in: container)
    var registry = DocumentTypes()
    registry.add(declared.types)
    let types = declared.types.map { TypeJSON($0, in: registry) }
    guard !options.isJSON else { return try answer(declared.name, types) }
    let verb = options.isDryRun ? "Would declare" : "Declared"
    Console.print("\(verb) \(Wording.count(types.count, "type")) in \(declared.name):")
    print(types.map { ($0, "") })
    guard !options.isDryRun else { return }
    let place = paths.first.map { " " + $0.word } ?? ""
    Console.print(
      "Take back:  ".asQuiet
        + "docversions types --remove \(ShellWord.quoted(declared.name))\(place)")
  }

  private func takeBack(_ name: String, in store: VersionStore) throws {
    try store.removeTypes(named: name, in: container)
    guard !options.isJSON else { return try answer(name, []) }
    let verb = options.isDryRun ? "Would take back" : "Took back"
    Console.print("\(verb) the types of \(Printable.text(name)).")
  }

  private func answer(_ name: String, _ types: [TypeJSON]) throws {
    try Console.print(
      json: DeclaredJSON(
        container: container.absoluteURL.standardizedFileURL.path, name: name, types: types))
  }
}

/// `{"container", "name", "types"}`: the folder, the name by which declarations are removed, and the types.
private struct DeclaredJSON: Encodable {
  let container, name: String
  let types: [TypeJSON]
}

/// `{"document", "package", "type"}`: the path, whether a folder of that name is a package, and the type or null.
private struct DocumentTypeJSON: Encodable {
  let argument: DocumentArgument
  let document: String
  let package: Bool
  @Nullable var type: TypeJSON?

  enum CodingKeys: String, CodingKey {
    case document, package, type
  }

  init(_ argument: DocumentArgument, in types: DocumentTypes) {
    self.argument = argument
    document = argument.absolutePath
    package = types.isPackage(argument.url)
    type = types.type(for: argument.url).map { TypeJSON($0, in: types) }
  }
}

/// `{"builtIn", "declared"}`: where all are wanted, types that everybody knows and nobody declares anew; and for each
/// file that declares types its name and the types.
private struct TypesJSON: Encodable {
  struct File: Encodable {
    let name: String
    let types: [TypeJSON]
  }

  let builtIn: [TypeJSON]
  let declared: [File]
}

/// A type.
///
/// | key | value |
/// | --- | --- |
/// | `identifier`, `name` | the identifier, and what people call it or null |
/// | `extensions` | filename extensions, the preferred one first |
/// | `conformsTo` | the identifiers of what it is a kind of, as declared |
/// | `package` | whether such documents are folders |
/// | `rank` | Owner, Default, Alternate, None |
private struct TypeJSON: Encodable {
  let identifier: String
  @Nullable var name: String?
  let extensions, conformsTo: [String]
  let package: Bool
  let rank: String
  /// In a word.
  let kind: String

  enum CodingKeys: String, CodingKey {
    case identifier, name, extensions, conformsTo, package, rank
  }

  init(_ type: DocumentType, in types: DocumentTypes) {
    identifier = type.identifier
    name = type.name
    extensions = type.filenameExtensions
    conformsTo = type.conformsTo
    package = types.isPackage(type)
    rank = type.rank.rawValue
    let isFolder = types.conforms(type.identifier, to: "public.directory")
    kind = package ? "package" : isFolder ? "folder" : "file"
  }

  var shownName: String { name.map { Printable.text($0) } ?? "" }
}
