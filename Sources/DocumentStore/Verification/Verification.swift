public import Foundation

/// What a close look at a document's store found.
public struct Verification: Sendable {
  /// One thing that is not as it should be.
  public struct Finding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Sendable {
      /// Something that was kept is lost, or not what it was.
      case damage
      /// Nothing is lost; something was left behind, or could be better.
      case notice
    }

    /// What kind of thing it is.
    ///
    /// New codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
      /// The code's stable name, as it appears in JSON output.
      public let rawValue: String

      /// Makes a code from its name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The store’s config is damaged, foreign, or another document's.
      public static let configuration = Code(rawValue: "configuration")
      /// A part of the store is missing, of another kind, or not for a store.
      public static let foreignPart = Code(rawValue: "foreign-part")
      /// `HEAD`, which tells the version that the document shows, is damaged or leads to nothing.
      public static let head = Code(rawValue: "head")
      /// A reference is damaged, or leads to nothing.
      public static let reference = Code(rawValue: "reference")
      /// A version was written down as the last of its line, and nothing leads to it any more.
      public static let lostReference = Code(rawValue: "lost-reference")
      /// The ledger of heads is missing, behind, torn or damaged.
      public static let ledger = Code(rawValue: "ledger")
      /// What says who saved what, and when, is missing or damaged.
      public static let record = Code(rawValue: "record")
      /// The contents of versions are missing or damaged.
      public static let contents = Code(rawValue: "contents")
      /// A pack is damaged.
      public static let pack = Code(rawValue: "pack")
      /// The file of a single object is damaged.
      public static let looseObject = Code(rawValue: "loose-object")
      /// A copy that was handed out is not what its version is.
      public static let checkout = Code(rawValue: "checkout")
      /// The note about the document's file cannot be read.
      public static let workingFile = Code(rawValue: "working-file")
      /// An interrupted process left something behind.
      public static let leftover = Code(rawValue: "leftover")
      /// Versions are stored that no line of versions leads to.
      public static let unreachable = Code(rawValue: "unreachable")
    }

    /// How bad it is.
    public let severity: Severity
    /// What it is.
    public let code: Code
    /// The same as a sentence.
    public let message: String
    /// The file concerned, relative to the store; nil where it is not about one.
    public let file: String?
    /// The versions concerned.
    public let versions: [FileVersion.PersistentIdentifier]
  }

  /// The document.
  public let document: URL
  /// What was found: damage first.
  public let findings: [Finding]
  /// How many versions were found, those without contents on this device among them.
  public let versions: Int
  /// How many objects are stored.
  public let objects: Int
  /// How many bytes they take.
  public let bytes: Int

  /// Whether nothing is damaged.
  public var isWhole: Bool { damage.isEmpty }

  /// The findings that are damage.
  public var damage: [Finding] { findings.filter { $0.severity == .damage } }
}
