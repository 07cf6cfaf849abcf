/// A type of documents: its name, the extensions of its files, and the types that it conforms to.
///
/// As on Apple's systems an identifier in reverse domain form names it, such as `org.example.imagenote`. Case does
/// not matter in identifiers and in filename extensions.
public struct DocumentType: Hashable, Sendable {
  /// The rank among types with the same extension: a file has the one with the highest.
  public enum Rank: String, Comparable, Sendable, CaseIterable {
    /// The program that declares it makes such documents.
    case owner = "Owner"
    /// The rank of a declaration that names none.
    case standard = "Default"
    /// The program that declares it opens such documents of another program.
    case alternate = "Alternate"
    /// Counts only where nothing else is declared.
    case none = "None"

    /// Orders a rank before the one that it gives way to.
    public static func < (left: Rank, right: Rank) -> Bool { left.strength < right.strength }

    private var strength: Int {
      switch self {
      case .none: 0
      case .alternate: 1
      case .standard: 2
      case .owner: 3
      }
    }
  }

  /// The identifier, such as `org.example.imagenote`.
  public var identifier: String
  /// The name for people; nil where none is declared.
  public var name: String?
  /// The filename extensions without their first dot, the preferred one first.
  public var filenameExtensions: [String]
  /// The identifiers of the types that this one is a kind of.
  public var conformsTo: [String]
  /// Whether the declaration itself says that such documents are packages.
  ///
  /// ``DocumentTypes`` also considers conformance.
  public var isDeclaredPackage: Bool
  /// The rank among types with the same extension.
  public var rank: Rank
  /// The MIME types, the preferred one first.
  public var mimeTypes: [String]

  /// Makes a type.
  ///
  /// - Parameters:
  ///   - identifier: in reverse domain form.
  ///   - name: the name for people.
  ///   - filenameExtensions: the preferred one first; a dot at the beginning is dropped.
  ///   - conformsTo: the identifiers of the types that this one is a kind of.
  ///   - isPackage: whether its documents are folders, even if it conforms to no package.
  ///   - rank: the rank among types with the same extension.
  ///   - mimeTypes: the preferred one first.
  public init(
    _ identifier: String, name: String? = nil, filenameExtensions: [String] = [],
    conformsTo: [String] = [], isPackage: Bool = false, rank: Rank = .standard,
    mimeTypes: [String] = []
  ) {
    self.identifier = identifier
    self.name = name
    self.filenameExtensions = filenameExtensions.map {
      $0.hasPrefix(".") ? String($0.dropFirst()) : $0
    }
    self.conformsTo = conformsTo
    isDeclaredPackage = isPackage
    self.rank = rank
    self.mimeTypes = mimeTypes
  }
}
