/// Formats of programs whose objects have numbers or names of their own, by which others refer to them.
///
/// Each is described by the texts that stand before these names.
enum ObjectFormat {
  /// Scenes and resources of Godot.
  case godot
  /// Scenes, prefabs and other assets of Unity.
  case unity
  /// Schematics, boards and libraries of KiCad.
  case kicad

  /// The format of files of a name; `nil` for other files.
  init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "tscn", "tres": self = .godot
    case "unity", "prefab", "asset", "mat", "controller", "anim", "physicmaterial": self = .unity
    case "kicad_sch", "kicad_pcb", "kicad_sym", "kicad_mod": self = .kicad
    default: return nil
    }
  }

  /// A text before a name.
  private struct Mark {
    let kind: String
    /// What the line starts with, without its indentation; nothing for any line.
    var start = ""
    /// What the name stands behind.
    let mark: String
    /// The deepest indentation of the line, in columns; a tab is two.
    var depth = Int.max
  }

  private var definitions: [Mark] {
    switch self {
    case .godot:
      [
        Mark(kind: "ExtResource", start: "[ext_resource", mark: " id="),
        Mark(kind: "SubResource", start: "[sub_resource", mark: " id="),
      ]
    case .unity: [Mark(kind: "fileID", start: "--- !u!", mark: " &")]
    case .kicad:
      [
        Mark(kind: "uuid", mark: "(uuid "), Mark(kind: "uuid", mark: "(tstamp "),
        Mark(kind: "net", start: "(net ", mark: "(net ", depth: 2),
        Mark(kind: "lib_id", start: "(symbol \"", mark: "(symbol ", depth: 4),
        Mark(kind: "Reference", start: "(property", mark: "\"Reference\" "),
        Mark(kind: "Reference", mark: "(fp_text reference "),
      ]
    }
  }

  private var references: [Mark] {
    switch self {
    case .godot:
      [
        Mark(kind: "ExtResource", mark: "ExtResource("),
        Mark(kind: "SubResource", mark: "SubResource("),
        Mark(kind: "node", start: "[node", mark: " parent="),
        Mark(kind: "node", start: "[connection", mark: " from="),
        Mark(kind: "node", start: "[connection", mark: " to="),
      ]
    case .unity: [Mark(kind: "fileID", mark: "{fileID:")]
    case .kicad:
      [Mark(kind: "net", mark: "(net "), Mark(kind: "lib_id", mark: "(lib_id ")]
    }
  }

  /// The names that a line gives to objects.
  func definitions(in line: Substring) -> [String] {
    definitions.flatMap { Self.names(behind: $0, in: line) } + (node(in: line).map { [$0] } ?? [])
  }

  /// The names by which a line refers to objects.
  func references(in line: Substring) -> [String] {
    references.flatMap { mark in
      let names = Self.names(behind: mark, in: line)
      // What stands at the margin of a board is a definition.
      return mark.kind == "net" && !definitions(in: line).isEmpty ? [] : names
    }
  }

  /// The path of the node of a scene that a line begins.
  private func node(in line: Substring) -> String? {
    guard self == .godot, line.hasPrefix("[node") else { return nil }
    func value(_ mark: String) -> String? {
      Self.names(behind: Mark(kind: "", mark: mark), in: line).first.map { String($0.dropFirst()) }
    }
    // The root has no parent; what is right below it has one without a name.
    guard let name = value(" name="), line.has(" parent=") else { return nil }
    return "node " + (value(" parent=").map { $0 + "/" } ?? "") + name
  }

  private static func names(behind mark: Mark, in line: Substring) -> [String] {
    guard line.has(mark.mark) else { return [] }
    let text = line.drop { $0 == " " || $0 == "\t" }
    let depth = line[..<text.startIndex].reduce(0) { $0 + ($1 == "\t" ? 2 : 1) }
    guard text.hasPrefix(mark.start), depth <= mark.depth else { return [] }
    var (names, rest): ([String], Substring) = ([], line)
    while let start = rest.firstPlace(of: mark.mark) {
      rest = rest[start.upperBound...].drop { $0 == " " }
      let isQuoted = rest.first == "\""
      let name =
        isQuoted
        ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { !" )]},\n".contains($0) }
      // Zero, the root, and a part that has no number yet are nothing that has a name.
      if !name.isEmpty, name != "0", name != ".", name.last != "?" {
        names.append("\(mark.kind) \(name)")
      }
    }
    return names
  }
}

/// Objects of formats that are described by what stands before their names.
struct ObjectNames: NameReader {
  let format: ObjectFormat

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for name in format.definitions(in: line) { names.define(name) }
    for name in format.references(in: line) { names.refer(to: name) }
  }
}
