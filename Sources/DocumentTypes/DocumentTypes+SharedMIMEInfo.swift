internal import DocumentFiles

extension DocumentTypes {
  /// Returns the declared types for Linux desktops, as a package file in the XML format of shared-mime-info.
  ///
  /// A type without a MIME type gets one from its identifier. Built-in types are omitted, even if a rank is
  /// declared for them, because desktops have their own. For packages, desktops get only the names of the
  /// types, because they treat every folder as a folder.
  package func sharedMIMEInfo() -> String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">"#,
    ]
    for type in declared where BuiltInTypes.table.type(type.identifier) == nil {
      lines.append(#"  <mime-type type="\#(Self.mimeType(of: type))">"#)
      lines.append("    <comment>\(Self.escaped(type.name ?? type.identifier))</comment>")
      let parents = supertypes(of: type).lazy.compactMap { self.type($0)?.mimeTypes.first }
      // Every file conforms to it, so it is omitted.
      if let parent = parents.first, Self.isMIMEType(parent), parent != "application/octet-stream" {
        lines.append(#"    <sub-class-of type="\#(parent)"/>"#)
      }
      for name in type.filenameExtensions where !name.contains(where: { "*?[\\".contains($0) }) {
        let pattern = "*.\(Self.escaped(name))"
        lines.append(#"    <glob weight="\#(Self.weight(of: type.rank))" pattern="\#(pattern)"/>"#)
      }
      lines.append("  </mime-type>")
    }
    return (lines + ["</mime-info>", ""]).joined(separator: "\n")
  }

  private static func mimeType(of type: DocumentType) -> String {
    if let own = type.mimeTypes.first, isMIMEType(own) { return own }
    let name = type.identifier.lowercased().map { isNamePart($0) ? String($0) : "-" }.joined()
    return "application/x-" + name
  }

  private static func isMIMEType(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isNamePart) }
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+-._".contains(character))
  }

  /// Returns the weight of a rank; 50 is the usual weight.
  private static func weight(of rank: DocumentType.Rank) -> Int {
    switch rank {
    case .owner: 60
    case .standard: 50
    case .alternate: 40
    case .none: 10
    }
  }

  /// Returns text escaped for XML, with escapes for characters that XML excludes.
  private static func escaped(_ text: String) -> String {
    Printable.text(text).unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\u{FFFE}", "\u{FFFF}": "?"
      default: String(scalar)
      }
    }.joined()
  }
}
