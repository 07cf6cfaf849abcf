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

extension MergeEngines {
  /// The engines over libgit2's line comparison.
  public init() {
    self.init(lineTools: GitLineTools())
  }
}
