/// A decision of a merge, or a place that it couldn't decide.
public struct MergeDecision: Sendable, Equatable, Codable {
  /// The decision.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Ours was taken, because only it changed, or an answer chose it.
    case ours
    /// Theirs was taken, because only it changed, or an answer chose it.
    case theirs
    /// Both sides made the same change.
    case same
    /// The result combines both sides.
    case combined
    /// Both sides changed it differently, and an answer has to decide.
    case clash
  }

  /// The decision.
  public let kind: Kind
  /// The place in the document.
  public let place: MergePlace
  /// The content of base at the place, shortened; `nil` if there is none.
  public let base: String?
  /// The content of ours at the place, shortened; `nil` if there is none.
  public let ours: String?
  /// The content of theirs at the place, shortened; `nil` if there is none.
  public let theirs: String?
  /// A sentence that explains the decision to people.
  public let explanation: String

  /// Creates a decision.
  /// - Parameters:
  ///   - kind: The kind of the decision.
  ///   - place: The place in the document.
  ///   - base: The content of base at the place.
  ///   - ours: The content of ours at the place.
  ///   - theirs: The content of theirs at the place.
  ///   - explanation: A sentence that explains the decision to people.
  public init(
    kind: Kind, place: MergePlace = .document,
    base: String? = nil, ours: String? = nil, theirs: String? = nil, explanation: String
  ) {
    self.kind = kind
    self.place = place
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.explanation = explanation
  }

  /// The content of each side at the place, shortened.
  var bytes: MergeSides<[UInt8]?> {
    MergeSides(base: base, ours: ours, theirs: theirs).map { $0.map { Array($0.utf8) } }
  }

  /// Returns the same decision, seen from the package that holds the document.
  func inside(_ member: PackagePath) -> MergeDecision { at(place.inside(member)) }

  /// Returns the same decision, seen from the text that contains the part.
  func inWhole(_ part: PartPlaces) -> MergeDecision { at(place.inWhole(part)) }

  /// Returns the same decision at another place.
  func at(_ place: MergePlace) -> MergeDecision {
    MergeDecision(
      kind: kind, place: place, base: base, ours: ours, theirs: theirs, explanation: explanation)
  }
}

extension MergeDecision {
  /// Creates a decision about texts of the sides.
  init(
    _ kind: Kind, at place: MergePlace = .document, _ texts: MergeSides<String?>,
    _ explanation: String
  ) {
    self.init(
      kind: kind, place: place, base: texts.base ?? nil, ours: texts.ours, theirs: texts.theirs,
      explanation: explanation)
  }

  /// Creates a decision about bytes of the sides.
  init(
    _ kind: Kind, at place: MergePlace, _ sides: MergeSides<ArraySlice<UInt8>?>,
    _ explanation: String
  ) {
    self.init(kind, at: place, sides.map { $0.map { excerpt($0) } }, explanation)
  }
}

/// Returns text for a decision: bytes decoded as UTF-8 with replacements, shortened to a readable length.
func excerpt(_ bytes: some Collection<UInt8>) -> String {
  let limit = 200
  // Eight bytes per character are enough here, so huge texts aren't decoded.
  let text = String(decoding: bytes.prefix(limit * 8), as: UTF8.self)
  let isWhole = bytes.count <= limit * 8 && text.count <= limit
  return isWhole ? text : text.prefix(limit) + "…"
}
