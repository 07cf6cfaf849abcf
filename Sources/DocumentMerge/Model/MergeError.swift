public import Foundation

/// An error that prevents a merge.
///
/// A clash is no error: it is part of the outcome.
public struct MergeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of an error; more codes may come.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    public let rawValue: String

    /// Creates a code.
    /// - Parameter rawValue: The code's name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A side is larger than ``MergeOptions/sizeLimit``.
    public static let tooLarge = Code(rawValue: "too-large")
    /// A package's folders, or a document's values, are nested too deeply.
    public static let tooDeep = Code(rawValue: "too-deep")
    /// A path is empty, absolute, or has a part that no member can be named.
    public static let invalidPath = Code(rawValue: "invalid-path")
    /// A package has a member below something that is not a folder.
    public static let invalidPackage = Code(rawValue: "invalid-package")
    /// A document is not what its type says it is.
    public static let invalidDocument = Code(rawValue: "invalid-document")
    /// A program that merges did not start, failed, or took too much time.
    public static let programFailed = Code(rawValue: "program-failed")
    /// An answer does not fit the clash it is for.
    public static let invalidAnswer = Code(rawValue: "invalid-answer")
  }

  /// The kind of the error.
  public let code: Code
  /// A sentence for a person.
  public let message: String

  /// The sentence for a person.
  public var description: String { message }

  /// Creates an error.
  /// - Parameters:
  ///   - code: What kind of thing went wrong.
  ///   - message: A sentence for a person.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The text that alerts and logs of Foundation show.
extension MergeError: LocalizedError {
  /// The sentence for a person.
  public var errorDescription: String? { message }
}
