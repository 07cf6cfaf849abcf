/// The place of a decision in a document.
///
/// An empty place is the whole document.
public struct MergePlace: Sendable, Hashable, Codable {
  /// Ranges of lines in the three texts and in the result, counted from 0.
  public struct Lines: Sendable, Hashable, Codable {
    /// The lines of base; `nil` if there is no base.
    public let base: Range<Int>?
    /// The lines of ours.
    public let ours: Range<Int>
    /// The lines of theirs.
    public let theirs: Range<Int>
    /// The lines of the result, including conflict markers.
    public let result: Range<Int>

    /// Creates ranges of lines.
    /// - Parameters:
    ///   - base: The lines of base, or `nil` if there is no base.
    ///   - ours: The lines of ours.
    ///   - theirs: The lines of theirs.
    ///   - result: The lines of the result.
    public init(base: Range<Int>?, ours: Range<Int>, theirs: Range<Int>, result: Range<Int>) {
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.result = result
    }
  }

  /// The member of the package; `nil` in a document that is a single file.
  package let member: PackagePath?
  /// The lines of the text; `nil` for the whole text.
  public let lines: Lines?
  /// The path to a value inside the document, such as `/colors/0/name`; `nil` if the decision isn't about a value.
  ///
  /// The path is a JSON pointer (RFC 6901): a slash and a key for each level, in which `~1` represents a slash and `~0`
  /// a tilde; the empty path is the outermost value. A member of a list is identified by its distinguishing field, as
  /// in `/pages/id=2/title`, or else by its position, counted from 0, in base or in the side that has it; several
  /// consecutive members as in `/points/1-3`. If both sides inserted different members, the path has their position in
  /// base.
  public let path: String?

  /// Creates a place in a document that is a single file.
  /// - Parameters:
  ///   - lines: The lines of the text; `nil` for the whole text.
  ///   - path: The path to a value inside the document; `nil` for no value.
  public init(lines: Lines? = nil, path: String? = nil) {
    self.init(member: nil, lines: lines, path: path)
  }

  /// Creates a place in a member of a package, or in a single file.
  package init(member: PackagePath?, lines: Lines? = nil, path: String? = nil) {
    self.member = member
    self.lines = lines
    self.path = path
  }

  /// The path of the member in the package, as text; `nil` in a document that is a single file.
  package var memberPath: String? { member?.description }

  /// Returns the path of the steps to a value.
  static func path(_ steps: [[UInt8]]) -> String {
    // Sign by sign: with an accent behind it, a slash is another character.
    steps.map { step in
      "/"
        + String(decoding: step, as: UTF8.self).unicodeScalars
        .map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }.joined()
  }

  /// The whole document.
  public static let document = MergePlace()

  /// Returns the same place, seen from the package that holds the document.
  func inside(_ member: PackagePath) -> MergePlace {
    MergePlace(member: member, lines: lines, path: path)
  }
}

extension MergePlace: CustomStringConvertible {
  /// The place in words, with lines of ours counted from 1.
  public var description: String {
    let parts = [member.map(\.description), path, lines.map { Self.words(for: $0.ours) }]
    let named = parts.compactMap { $0 }.filter { !$0.isEmpty }
    return named.isEmpty ? "the whole document" : named.joined(separator: ", ")
  }

  private static func words(for lines: Range<Int>) -> String {
    switch lines.count {
    case 0: lines.lowerBound == 0 ? "before line 1" : "after line \(lines.lowerBound)"
    case 1: "line \(lines.upperBound)"
    default: "lines \(lines.lowerBound + 1) to \(lines.upperBound)"
    }
  }
}
