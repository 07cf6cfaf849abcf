extension ReferenceNames.Form {
  /// The form of files of a name and a type; `nil` if no references are known in them.
  init?(fileName: String, kind: MergeEngines.Kind?) {
    let suffix = fileName.split(separator: ".").last?.lowercased() ?? ""
    if let format = ObjectFormat(fileName: fileName) {
      self = .objects(format)
      return
    }
    switch (kind, suffix) {
    case (.xml, _), (.html, _): self = .markup
    case (.yaml, _), (.json, _): self = .keys
    case (.toml, _): self = .tables
    case (.table, _): self = .rows
    case (.plist, "plist"): self = .propertyLists
    case (.markdown, _), (_, "mdx"), (_, "qmd"), (_, "rmd"): self = .markdown
    case (_, "tex"), (_, "latex"), (_, "ltx"): self = .labels
    case (_, "rst"), (_, "rest"): self = .targets
    case (_, "adoc"), (_, "asciidoc"), (_, "asc"): self = .anchors
    case (_, "bib"), (_, "bibtex"): self = .bibliography
    case (_, "ics"), (_, "ical"), (_, "vcf"), (_, "vcard"): self = .components
    case (_, "properties"), (_, "ini"), (_, "cfg"), (_, "conf"), (_, "env"), (_, "desktop"):
      self = .settings
    case (nil, "vue"), (nil, "svelte"): self = .markup
    case (_, "org"): self = .outline
    case (_, "tf"), (_, "hcl"), (_, "graphql"), (_, "gql"), (_, "graphqls"), (_, "proto"),
      (_, "sql"), (_, "dbml"):
      self = .declarations
    case (_, "css"), (_, "scss"), (_, "less"), (_, "sass"): self = .styles
    case (_, "dot"), (_, "gv"), (_, "mmd"), (_, "mermaid"), (_, "puml"), (_, "plantuml"):
      self = .graph
    case (_, "beancount"), (_, "bean"), (_, "ledger"), (_, "journal"), (_, "hledger"):
      self = .accounts
    case (_, "wiki"), (_, "mediawiki"), (_, "wikitext"): self = .wiki
    case (_, "gradle"): self = .scripts
    case (_, "ftl"): self = .messages
    case (_, "ged"), (_, "gedcom"): self = .people
    case (_, "qml"): self = .elements
    default:
      guard let form = Self(lastPart: fileName) else { return nil }
      self = form
    }
  }

  /// The form of files that have one name everywhere.
  private init?(lastPart fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    if name == "makefile" || name == "gnumakefile" || name.hasSuffix(".mk") {
      self = .makefile
    } else if ["dockerfile", "containerfile"].contains(where: {
      name == $0 || name.hasSuffix("." + $0)
    }) {
      self = .images
    } else if name.hasPrefix(".env") {
      self = .settings
    } else {
      return nil
    }
  }
}
