/// The operation that made a version.
public enum VersionKind: RawRepresentable, Hashable, Sendable, Codable {
  /// The document was saved.
  case save
  /// An earlier version was restored.
  case restore
  /// A conflict was resolved by combining its versions.
  case merge
  /// A conflict was resolved by choosing, or versions were marked as resolved.
  case resolve
  /// Versions of several devices that did not contradict each other were joined without asking.
  case join
  /// The document was deleted.
  case delete
  /// The document was renamed, or moved to another folder of its container.
  case rename
  /// The document came from another container, with its versions.
  case move
  /// Contents from elsewhere were added to the history.
  case add
  /// A conflicted copy of a sync tool was imported.
  case importCopy
  /// Versions were removed from every device.
  case remove
  /// The previous operation was undone.
  case undo
  /// An operation that this program doesn't know, with its stable name.
  case other(String)

  private static let known: [String: VersionKind] = [
    "save": .save, "restore": .restore, "merge": .merge, "resolve": .resolve, "join": .join,
    "delete": .delete, "rename": .rename, "move": .move, "add": .add, "import": .importCopy,
    "remove": .remove,
    "undo": .undo,
  ]

  /// Creates a kind from its stable name.
  public init(rawValue: String) { self = Self.known[rawValue] ?? .other(rawValue) }

  /// The kind's stable name, as it appears in JSON output.
  public var rawValue: String {
    switch self {
    case .save: "save"
    case .restore: "restore"
    case .merge: "merge"
    case .resolve: "resolve"
    case .join: "join"
    case .delete: "delete"
    case .rename: "rename"
    case .move: "move"
    case .add: "add"
    case .importCopy: "import"
    case .remove: "remove"
    case .undo: "undo"
    case .other(let name): name
    }
  }

  /// The kind as the first word of a line.
  package var verb: String {
    switch self {
    case .restore: "Restore"
    case .merge: "Merge"
    case .resolve: "Resolve"
    case .join: "Join"
    case .delete: "Delete"
    case .rename: "Rename to"
    case .move: "Move to"
    case .add: "Add to"
    case .importCopy: "Import copy of"
    case .undo: "Undo in"
    case .remove: "Remove versions of"
    case .save, .other: "Save"
    }
  }
}
