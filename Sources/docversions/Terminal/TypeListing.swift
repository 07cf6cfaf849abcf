internal import DocumentVersions

/// Types of documents, as lines.
enum TypeListing {
  /// Returns the types, each with the name of the file that declares it.
  static func lines(_ types: [(type: TypeReport, file: String)]) -> [String] {
    var table = Table()
    table.rows = types.map { type, file in
      [
        Table.Cell(Printable.text(type.identifier)),
        Table.Cell(type.shownName),
        Table.Cell(Printable.text(type.extensions.joined(separator: ", "))) { $0.asPlace },
        Table.Cell(type.kind),
        Table.Cell(Printable.text(type.conformsTo.joined(separator: ", "))) { $0.asMuted },
        Table.Cell(Printable.text(file)) { $0.asMuted },
      ]
    }
    return table.lines()
  }

  /// The types of a folder of documents.
  ///
  /// - Parameter hasBuiltIn: whether the built-in types were requested.
  static func lines(_ report: TypesReport, hasBuiltIn: Bool) -> [String] {
    let declared = report.declared.flatMap { file in file.types.map { ($0, file.name) } }
    var lines = lines(declared + report.builtIn.map { ($0, "") })
    if report.declared.isEmpty {
      if !hasBuiltIn { lines.append("No types are declared here.") }
      lines.append("Types that an Info.plist declares are added with --add.".asMuted)
    }
    if !hasBuiltIn {
      lines.append("List the built-in ones too:  ".asMuted + "docversions types --all")
    }
    return lines
  }

  /// The types of documents.
  static func lines(
    _ documents: [(file: DocumentArgument, report: DocumentTypeReport)]
  ) -> [String] {
    var table = Table()
    table.rows = documents.map { file, report in
      [
        Table.Cell(file.shown, room: .yielding),
        Table.Cell(report.type.map { Printable.text($0.identifier) } ?? "no known type") {
          report.type == nil ? $0.asMuted : $0
        },
        Table.Cell(report.type?.shownName ?? ""),
        Table.Cell(report.kind(isFolder: file.isFolder)),
      ]
    }
    return table.lines()
  }

  /// Types that were declared.
  ///
  /// - Parameter folder: the folder of documents, if the user named it.
  static func lines(
    _ report: DeclarationReport, in folder: DocumentArgument?, isDryRun: Bool
  ) -> [String] {
    let verb = isDryRun ? "Would declare" : "Declared"
    let lines =
      ["\(verb) \(Wording.count(report.types.count, "type")) in \(report.name):"]
      + lines(report.types.map { ($0, "") })
    guard !isDryRun else { return lines }
    let place = folder.map { " " + $0.word } ?? ""
    return lines + [
      "Remove them:  ".asMuted
        + "docversions types --remove \(ShellWord.quoted(report.name))\(place)"
    ]
  }
}

extension DocumentTypeReport {
  /// Returns the type's kind; for a folder, or if no type is known, how a folder with that name is saved.
  fileprivate func kind(isFolder: Bool) -> String {
    guard isFolder || type == nil else { return type?.kind ?? "" }
    return package ? "package" : isFolder ? "folder" : ""
  }
}

extension TypeReport {
  fileprivate var shownName: String { name.map { Printable.text($0) } ?? "" }
}
