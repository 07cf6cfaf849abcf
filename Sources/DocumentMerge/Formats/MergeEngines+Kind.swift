extension MergeEngines {
  /// A document type, by its name in settings.
  public enum Kind: String, Sendable, CaseIterable {
    /// Lines, without merging inside them.
    case lines
    /// Text for people, by lines, words and list items.
    case plain
    /// Text for people with Markdown's lists and tables; front matter as YAML or TOML.
    case markdown
    /// Text for people in LaTeX: commands, formulas, tables and listings by lines.
    case latex
    /// Text for people in reStructuredText: directives, literal blocks, tables and titles by lines.
    case restructuredText = "restructured-text"
    /// Text for people in AsciiDoc: delimited blocks, macros and tables by lines.
    case asciidoc
    /// Text for people in Org: blocks, drawers, keywords and tables by lines.
    case org
    /// Comma- and tab-separated values.
    case table
    /// SQL: rows of values by their keys, all else by lines.
    case sql
    /// JSON, also with comments: objects by key, lists by identifying fields, or by the contents of their members.
    case json
    /// Property lists in XML, binary and text form, including localized strings.
    case plist
    /// TOML, including the lock files of package managers: tables by key, even if they are in parts.
    case toml
    /// Well-formed XML of any kind: attributes by name, elements by `id` and the like, or by position.
    ///
    /// An element with both text and elements is one value. A document that declares entities is merged as text.
    case xml
    /// HTML, with or without optional end tags.
    case html
    /// Jupyter notebooks.
    case notebook
    /// YAML, by its blocks.
    case yaml
    /// Gettext catalogs: entries by text and context, the header by its fields.
    case gettext
    /// Settings whose lines are keys with values: by section and key.
    case settings
    /// Calendars and address books: components by their identifiers, properties by their names.
    case calendar
    /// Bibliographies of BibTeX: entries by their keys, fields by their names.
    case bibliography
    /// SQLite databases: tables by name, rows by key, values by column.
    case database
    /// Sets of lines, such as patterns of files to leave out, and required packages.
    case set
  }
}

extension MergeEngines.Kind {
  /// Returns the document type for uniform type identifiers, nearest first; `nil` if none of them determines it.
  package init?(conformingTo identifiers: [String]) {
    let known = identifiers.lazy.compactMap { Catalogue.kind(ofIdentifier: $0.lowercased()) }
    guard let kind = known.first else { return nil }
    self = kind
  }
}
