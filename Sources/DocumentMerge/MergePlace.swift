/// Where in a document a decision was made.
///
/// A place that names neither a member, a path nor lines is the whole document.
public struct MergePlace: Sendable, Equatable, Codable {
  /// Lines in the three texts and in the result, counted from 0, without the upper bound.
  public struct Lines: Sendable, Equatable, Codable {
    /// The lines of base; `nil` if there is no base.
    public let base: Range<Int>?
    /// The lines of ours.
    public let ours: Range<Int>
    /// The lines of theirs.
    public let theirs: Range<Int>
    /// The lines of the result, conflict markers included.
    public let result: Range<Int>

    /// Creates the place of some lines.
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
  public let member: PackagePath?
  /// The place inside a structured document, in its own words; `nil` for all of it.
  public let path: String?
  /// The lines of the text; `nil` for all of it.
  public let lines: Lines?

  /// Creates a place.
  /// - Parameters:
  ///   - member: The member of the package, or `nil` in a single file.
  ///   - path: The place inside a structured document, or `nil` for all of it.
  ///   - lines: The lines of the text, or `nil` for all of it.
  public init(member: PackagePath? = nil, path: String? = nil, lines: Lines? = nil) {
    self.member = member
    self.path = path
    self.lines = lines
  }

  /// The whole document.
  public static let document = MergePlace()

  /// The same place, seen from the package that holds the document.
  func inside(_ member: PackagePath) -> MergePlace {
    MergePlace(member: member, path: path, lines: lines)
  }
}

extension MergePlace: CustomStringConvertible {
  /// The place in words, with ours' lines counted from 1, as an editor counts them.
  public var description: String {
    let parts = [member.map(\.description), path, lines.map { Self.words(for: $0.ours) }]
    let named = parts.compactMap { $0 }
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
