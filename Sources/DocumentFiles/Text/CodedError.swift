public import Foundation

/// The shape of the library's errors: a code that programs tell apart, a sentence for a person, the step that leads on, and
/// the error behind it.
public protocol CodedError: LocalizedError, CustomStringConvertible, Sendable {
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable

  /// The kind of failure.
  var code: Code { get }
  /// The failure and its reason, in full sentences.
  var message: String { get }
  /// The step that leads on; nil where there is none.
  var recovery: ErrorRecovery? { get }
  /// The error that led to this one; nil where there is none.
  var cause: (any Error)? { get }
}

extension CodedError {
  /// The sentence for a person.
  public var errorDescription: String? { message }
  /// A sentence that leads on; nil where there is none.
  public var recoverySuggestion: String? { recovery?.sentence }
  /// The message, and the sentence that leads on.
  public var description: String { recoverySuggestion.map { "\(message)\n  \($0)" } ?? message }
}
