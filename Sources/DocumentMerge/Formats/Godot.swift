/// Godot scenes and resources.
extension DocumentFormat {
  static let godot = DocumentFormat(
    "godot", ["*.tscn", "*.tres"],
    checks: [NamesOnce(objects, SceneNames()), LostNames(objects, SceneNames())])
}

private let objects = ObjectNames(
  definitions: [
    .init(kind: "ExtResource", start: "[ext_resource", mark: " id=", title: " path=\""),
    .init(kind: "SubResource", start: "[sub_resource", mark: " id="),
  ],
  references: [
    .init(kind: "ExtResource", mark: "ExtResource("),
    .init(kind: "SubResource", mark: "SubResource("),
    .init(kind: "node", start: "[node", mark: " parent="),
    .init(kind: "node", start: "[connection", mark: " from="),
    .init(kind: "node", start: "[connection", mark: " to="),
  ])

/// The nodes of a scene, by path.
private struct SceneNames: EntryReader, NameReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    names.add(lines.enumerated().compactMap { number, line in path(in: line).map { ($0, number) } })
  }

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if let path = path(in: line) { names.define(path) }
  }

  /// Returns the path of the node that starts in a line.
  private func path(in line: Substring) -> String? {
    func value(_ mark: String) -> String? {
      ObjectNames.Mark(kind: "", start: "[node", mark: mark).names(in: line).first
        .map { String($0.dropFirst()) }
    }
    // The root has no parent; its children have one without a name.
    guard line.hasPrefix("[node"), let name = value(" name="), line.has(" parent=") else {
      return nil
    }
    return "node " + (value(" parent=").map { $0 + "/" } ?? "") + name
  }
}
