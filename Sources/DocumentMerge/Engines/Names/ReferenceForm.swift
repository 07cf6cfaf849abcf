extension ReferenceNames.Form {
  /// The form of files of a name and a type; `nil` if no references are known in them.
  init?(fileName: String, kind: MergeEngines.Kind?) {
    let suffix = fileName.split(separator: ".").last?.lowercased() ?? ""
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
    case (_, "ics"), (_, "ical"): self = .components
    case (_, "properties"), (_, "ini"), (_, "cfg"), (_, "conf"), (_, "env"): self = .settings
    case (nil, "vue"), (nil, "svelte"): self = .markup
    case (_, "org"): self = .outline
    case (_, "tf"), (_, "hcl"), (_, "graphql"), (_, "gql"), (_, "graphqls"), (_, "proto"),
      (_, "sql"):
      self = .declarations
    case (_, "css"), (_, "scss"), (_, "less"), (_, "sass"): self = .styles
    default: return nil
    }
  }
}
