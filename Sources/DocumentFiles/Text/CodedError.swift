public import Foundation

/// The common form of the library's errors: a code for programs, a message for people, a recovery step, and a cause.
public protocol CodedError: LocalizedError, CustomStringConvertible, Sendable {
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable

  /// The kind of failure.
  var code: Code { get }
  /// The failure and its reason, in complete sentences.
  var message: String { get }
  /// The recovery step; `nil` if there is none.
  var recovery: ErrorRecovery? { get }
  /// The error that caused this one; `nil` if there is none.
  var cause: (any Error)? { get }
}

extension CodedError {
  /// The message for people.
  public var errorDescription: String? { message }
  /// A sentence that suggests how to recover; `nil` if there is none.
  public var recoverySuggestion: String? { recovery?.sentence }
  /// The message and the recovery suggestion.
  public var description: String { recoverySuggestion.map { "\(message)\n  \($0)" } ?? message }
}
