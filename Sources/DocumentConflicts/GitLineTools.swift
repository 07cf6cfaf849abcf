internal import DocumentGit
public import DocumentMerge

/// Line comparison by libgit2, for the text merge engine and for showing differences.
public struct GitLineTools: LineTools {
  /// Makes the tools.
  public init() {}

  /// The changes that turn one text into the other, line by line.
  ///
  /// - Parameters:
  ///   - old: the text before; lines end with a line feed.
  ///   - new: the text after.
  public func changes(from old: [UInt8], to new: [UInt8]) throws -> [LineChange] {
    try LineDiff.changes(from: old, to: new).map { LineChange(old: $0.old, new: $0.new) }
  }
}

extension TextMergeEngine {
  /// The engine over libgit2's line comparison.
  ///
  /// - Parameter style: how far the text may be merged inside its lines.
  public init(style: TextStyle = .lines) {
    self.init(lineTools: GitLineTools(), style: style)
  }
}

extension TableMergeEngine {
  /// The engine over libgit2's line comparison.
  public init() {
    self.init(lineTools: GitLineTools())
  }

  /// The engine over libgit2's line comparison for a file of this name.
  ///
  /// - Parameter fileName: a name or a path.
  /// - Returns: `nil` if the name is not that of a table.
  public init?(fileName: String) {
    self.init(lineTools: GitLineTools(), fileName: fileName)
  }
}

/// Chooses the engine for a file of this name: for tables, for texts of people, or for lines.
///
/// - Parameter fileName: a name or a path.
public func mergeEngine(forFileName fileName: String) -> any MergeEngine {
  TableMergeEngine(fileName: fileName)
    ?? TextMergeEngine(style: TextStyle(fileName: fileName)) as any MergeEngine
}
