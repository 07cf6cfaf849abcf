/// The operation that made a version.
public struct VersionKind: RawRepresentable, Hashable, Sendable, Codable {
  /// The kind's stable name, as it appears in JSON output.
  public let rawValue: String

  /// Makes a kind from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The document was saved.
  public static let save = VersionKind(rawValue: "save")
  /// An earlier version's content was put in place again.
  public static let restore = VersionKind(rawValue: "restore")
  /// A conflict was resolved by combining its versions.
  public static let merge = VersionKind(rawValue: "merge")
  /// A conflict was resolved by choosing, or versions were marked as resolved.
  public static let resolve = VersionKind(rawValue: "resolve")
  /// Versions of several devices that did not contradict each other were joined without asking.
  public static let join = VersionKind(rawValue: "join")
  /// The document was deleted.
  public static let delete = VersionKind(rawValue: "delete")
  /// The document was renamed.
  public static let rename = VersionKind(rawValue: "rename")
  /// Contents from elsewhere were added to the history.
  public static let add = VersionKind(rawValue: "add")
  /// A conflicted copy, made by a tool that syncs folders, was taken in.
  public static let importCopy = VersionKind(rawValue: "import")

  /// Versions were removed from every device.
  public static let remove = VersionKind(rawValue: "remove")

  /// The operation before was taken back.
  public static let undo = VersionKind(rawValue: "undo")

  /// The kind as the first word of a line.
  var verb: String {
    switch self {
    case .restore: "Restore"
    case .merge: "Merge"
    case .resolve: "Resolve"
    case .join: "Join"
    case .delete: "Delete"
    case .rename: "Rename to"
    case .add: "Add to"
    case .importCopy: "Import copy of"
    case .undo: "Undo in"
    case .remove: "Remove versions of"
    default: "Save"
    }
  }
}
