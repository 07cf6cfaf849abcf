/// Merges well-formed XML by its elements: attributes by name, elements by `id` and the like or their place.
///
/// Comments travel with what they stand above, and all that nobody changed keeps its bytes. An element that has text
/// besides elements is one value. No attribute is ever there twice, nor an `id` that no side has twice. A document
/// with clashes is well-formed, too. What is not well-formed, or declares entities of its own, is merged as text.
public struct XMLMergeEngine: MergeEngine {
  private let engine: StructuredMergeEngine<XMLFormat>

  /// Creates the engine.
  /// - Parameters:
  ///   - lineTools: What compares lines, and the members of lists that nothing tells apart.
  ///   - mergeText: The rules for texts that both sides changed: the merged text, or `nil` if it
  ///     takes somebody to decide. Without them such a text is a clash.
  public init(
    lineTools: any LineTools,
    mergeText: (@Sendable (MergeSides<[UInt8]>) -> [UInt8]?)? = nil
  ) {
    engine = StructuredMergeEngine(
      format: XMLFormat(), lineTools: lineTools, mergeText: mergeText)
  }

  /// The engine's name, "xml".
  public var name: String { engine.name }

  /// Merges two sides of an XML document.
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
