/// Merges TOML: tables and keys by name, lists by what tells their members apart.
///
/// Comments travel with what they stand above, and all that nobody changed keeps its bytes: order, spelling of keys,
/// numbers, dates and strings. No key and no table is ever there twice. A document with clashes is valid, too: ours'
/// value stands in each of them, or base's (``MergeOptions/clashValue``). What is not TOML 1.0, or continues a
/// member of an array of tables behind another table, is merged as text.
public struct TOMLMergeEngine: MergeEngine {
  private let engine: StructuredMergeEngine<TOMLFormat>

  /// Creates the engine.
  /// - Parameters:
  ///   - lineTools: What compares lines, and the members of lists that nothing tells apart.
  ///   - mergeText: The rules for strings that both sides changed: the merged text, or `nil` if it
  ///     takes somebody to decide. Without them such a string is a clash.
  public init(
    lineTools: any LineTools,
    mergeText: (@Sendable (MergeSides<[UInt8]>) -> [UInt8]?)? = nil
  ) {
    engine = StructuredMergeEngine(
      format: TOMLFormat(), lineTools: lineTools, mergeText: mergeText)
  }

  /// The engine's name, "toml".
  public var name: String { engine.name }

  /// Merges two sides of a TOML document.
  /// - Parameters:
  ///   - sides: The document as both sides have it, and what they started from.
  ///   - options: What the caller chose.
  /// - Returns: The merged document, and what was decided.
  /// - Throws: ``MergeError`` for a side that is over the size limit or nested too deeply, a
  ///   `CancellationError`, and the line tools' errors.
  public func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try engine.merge(sides, options: options)
  }
}
