/// The identity of a document, the same on every device: 32 hexadecimal digits in lower case.
///
/// It becomes part of the names of references and temporary files, so any other text is invalid.
package struct DocumentIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The digits.
  package let description: String

  /// Reads an identifier; `nil` for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 32,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    description = text
  }

  private init(digits: String) {
    description = digits
  }

  /// Creates an identifier from a text, the same on every device.
  package init(madeOf text: String) {
    description = String(ContentDigest(of: Array(text.utf8)).description.prefix(32))
  }

  /// Returns a new identifier of 128 random bits.
  static func random() -> DocumentIdentifier {
    let halves = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
    return DocumentIdentifier(
      digits: halves.map { half in
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined())
  }

  package static func < (left: DocumentIdentifier, right: DocumentIdentifier) -> Bool {
    left.description < right.description
  }
}
