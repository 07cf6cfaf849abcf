public import Foundation

/// An error that prevents a merge.
///
/// A clash isn't an error: it is part of the outcome.
public struct MergeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The code of a merge error.
  ///
  /// The raw value is the stable name, as it appears in JSON output. New codes may be added.
  public enum Code: String, Sendable {
    /// A side is larger than ``MergeOptions/sizeLimit``.
    case tooLarge = "too-large"
    /// A package's folders, or a document's values, are nested too deeply.
    case tooDeep = "too-deep"
    /// A path is empty or absolute, or has an invalid component.
    case invalidPath = "invalid-path"
    /// A package has a member below an item that isn't a folder.
    case invalidPackage = "invalid-package"
    /// A document isn't valid for its type.
    case invalidDocument = "invalid-document"
    /// A merge program didn't start, failed, or exceeded its time limit.
    case programFailed = "program-failed"
    /// An answer isn't allowed for its clash.
    case invalidAnswer = "invalid-answer"
  }

  /// The code of the error.
  public let code: Code
  /// A message for people.
  public let message: String

  /// The message for people.
  public var description: String { message }

  /// Creates an error.
  /// - Parameters:
  ///   - code: The code of the error.
  ///   - message: A message for people.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The text that alerts and logs of Foundation show.
extension MergeError: LocalizedError {
  /// The message for people.
  public var errorDescription: String? { message }
}
