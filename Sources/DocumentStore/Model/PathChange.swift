internal import DocumentFiles

/// The change of a document's path between two versions: a change of its folder, of its name, or both.
package struct PathChange {
  private var folder = false
  private var name = false

  /// Creates an empty change.
  package init() {}

  /// - Parameter base: the former path; if it is `nil`, both parts may have changed.
  package init(from base: String?, to path: String) {
    folder =
      base.map { !ContainerPath.folder(of: $0).hasBytes(of: ContainerPath.folder(of: path)) }
      ?? true
    name =
      base.map { !ContainerPath.name(of: $0).hasBytes(of: ContainerPath.name(of: path)) } ?? true
  }

  /// Adds another change.
  mutating func formUnion(_ other: PathChange) {
    folder = folder || other.folder
    name = name || other.name
  }

  /// Merges the paths of two sides: the folder that one side moved the document to, and the name that one
  /// side gave it.
  ///
  /// - Returns: `nil` if both changed the folder differently, or both changed the name differently.
  package static func merged(
    _ ours: (path: String, change: PathChange), _ theirs: (path: String, change: PathChange)
  ) -> String? {
    func part(_ value: (String) -> String, _ isChanged: (PathChange) -> Bool) -> String? {
      let values = (value(ours.path), value(theirs.path))
      if values.0.hasBytes(of: values.1) { return values.0 }
      guard !isChanged(ours.change) || !isChanged(theirs.change) else { return nil }
      return isChanged(ours.change) ? values.0 : values.1
    }
    guard let folder = part(ContainerPath.folder(of:), \.folder),
      let name = part(ContainerPath.name(of:), \.name)
    else { return nil }
    return folder.isEmpty ? name : folder + "/" + name
  }
}
