internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Lists types of documents, and declares more.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "types",
    abstract: "List types, show those of documents, or declare more.",
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
      "Documents whose types to show; they need not exist, but their folders. With an option, the folder of documents.",
      valueName: "path"))
  var paths: [DocumentArgument] = []

  @Flag(help: "List the built-in types too.")
  var all = false

  @Option(help: ArgumentHelp("Declare the types of a property list.", valueName: "file"))
  var add: DocumentArgument?

  @Option(
    help: ArgumentHelp("Remove declared types, by the file’s name.", valueName: "name"))
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
    guard paths.isEmpty || all || exportsMIME else {
      return try list(typesOf: paths, in: store)
    }
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

  private func declaredTypes(in store: SynchronousStore) throws -> [TypeDeclarations] {
    do {
      return try store.declaredTypes(in: container)
    } catch let error as FileError where error.code != .notFound && error.path.hasSuffix(".plist") {
      var failure = CommandFailure(error)
      let name = ShellWord.quoted(URL(filePath: error.path).lastPathComponent)
      failure.hint = "Take it out:  docversions types --remove \(name)"
      throw failure
    }
  }

  private func list(_ declared: [TypeDeclarations]) throws {
    let report = TypesReport(declared, withBuiltIn: all)
    try Console.answer(
      report, asJSON: options.isJSON, TypeListing.lines(report, hasBuiltIn: all))
  }

  // MARK: Types of documents

  private func list(typesOf paths: [DocumentArgument], in store: SynchronousStore) throws {
    let found = EachDocument(isJSON: options.isJSON).run(paths) { document in
      (
        file: document,
        report: DocumentTypeReport(
          document.url, in: try store.types(for: document.url),
          isPackage: try store.isPackage(document.url))
      )
    }
    if options.isJSON {
      try found.map { $0.report }.printJSON("documents")
    } else {
      Console.print(lines: TypeListing.lines(found.values))
    }
    try found.finish()
  }

  // MARK: Declaring

  private func declare(_ file: DocumentArgument, in store: SynchronousStore) throws {
    let declared = try store.declareTypes(from: file.url, in: container)
    let report = DeclarationReport(declared.name, in: container, declared.types)
    try Console.answer(
      report, asJSON: options.isJSON,
      TypeListing.lines(report, in: paths.first, isDryRun: options.isDryRun))
  }

  private func takeBack(_ name: String, in store: SynchronousStore) throws {
    try store.removeTypes(named: name, in: container)
    let verb = options.isDryRun ? "Would remove" : "Removed"
    try Console.answer(
      DeclarationReport(name, in: container), asJSON: options.isJSON,
      ["\(verb) the types of \(Printable.text(name))."])
  }
}
