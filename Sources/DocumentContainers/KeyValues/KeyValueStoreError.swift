internal import DocumentFiles

/// An error of setting a value or reading the values of a key-value store.
public struct KeyValueStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The code of the error.
  public enum Code: String, Sendable {
    /// The key is empty, or longer than ``KeyValueStore/maximumKeyLength``.
    case invalidKey = "invalid-key"
    /// The value is larger than ``KeyValueStore/maximumSize``.
    case valueTooLarge = "value-too-large"
    /// The value would make more keys than ``KeyValueStore/maximumKeyCount``, or more bytes than
    /// ``KeyValueStore/maximumSize``.
    case quotaExceeded = "quota-exceeded"
    /// The file with the values is damaged.
    case damaged = "damaged-settings"
  }

  /// The code of the error.
  public let code: Code
  /// The key; empty if the error isn't about a key.
  public let key: String
  /// The failure and its reason, in complete sentences.
  public let message: String

  init(_ code: Code, key: String = "", _ message: String) {
    self.code = code
    self.key = key
    self.message = message
  }

  /// The message.
  public var description: String { message }

  static func invalidKey(_ key: String) -> Self {
    let name = Printable.text(String(key.prefix(40)))
    return Self(
      .invalidKey, key: key,
      key.isEmpty
        ? "A key must not be empty."
        : "The key “\(name)…” has \(key.utf8.count) bytes; a key may have \(KeyValueStore.maximumKeyLength)."
    )
  }

  static func valueTooLarge(_ key: String, _ size: Int) -> Self {
    Self(
      .valueTooLarge, key: key,
      "The value of “\(Printable.text(key))” has \(size) bytes; a value may have \(KeyValueStore.maximumSize)."
    )
  }

  static func tooManyKeys(_ key: String) -> Self {
    Self(
      .quotaExceeded, key: key,
      "“\(Printable.text(key))” would exceed the limit of \(KeyValueStore.maximumKeyCount) keys."
    )
  }

  static func tooManyBytes(_ key: String, _ size: Int) -> Self {
    Self(
      .quotaExceeded, key: key,
      "With “\(Printable.text(key))” all values would have \(size) bytes; they may have \(KeyValueStore.maximumSize)."
    )
  }
}
