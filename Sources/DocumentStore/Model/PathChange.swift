internal import DocumentFiles

/// The change of a document's path between two versions: that of its folder, and that of its name.
package struct PathChange {
  private var folder: Bool
  private var name: Bool

  /// Nothing was changed.
  package init() {
    (folder, name) = (false, false)
  }

  /// - Parameter base: the path before; with `nil`, both may have changed.
  package init(from base: String?, to path: String) {
    folder =
      base.map { !ContainerPath.folder(of: $0).hasBytes(of: ContainerPath.folder(of: path)) }
      ?? true
    name =
      base.map { !ContainerPath.name(of: $0).hasBytes(of: ContainerPath.name(of: path)) } ?? true
  }

  /// Adds what another change changes.
  mutating func formUnion(_ other: PathChange) {
    folder = folder || other.folder
    name = name || other.name
  }

  /// Merges the paths of two sides: the folder that one of them moved the document to, and the name that one of them gave
  /// it.
  ///
  /// - Returns: `nil` if both changed the folder, or both the name, and not alike.
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
