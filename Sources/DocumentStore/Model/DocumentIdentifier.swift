/// A random identity of 128 bits, the same on every device: 32 hexadecimal digits in lower case.
///
/// It becomes part of the names of references and temporary files, so any other text is invalid.
package protocol RandomIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// - Parameter digits: the digits, which are valid.
  init(digits: String)
}

extension RandomIdentifier {
  /// Reads an identity; `nil` for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 32,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.init(digits: text)
  }

  /// Returns a new identity.
  package static func random() -> Self {
    let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return Self(
      digits: halves.map { half in
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined())
  }

  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// The identity of a document.
package struct DocumentIdentifier: RandomIdentifier {
  /// The digits.
  package let description: String

  package init(digits: String) {
    description = digits
  }

  /// Creates an identity from a text, the same on every device.
  package init(madeOf text: String) {
    description = String(ContentDigest(of: Array(text.utf8)).description.prefix(32))
  }
}
