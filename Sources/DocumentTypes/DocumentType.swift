/// A document type: its name, its filename extensions, and the types that it conforms to.
///
/// As on Apple's systems, it has an identifier in reverse domain form, such as `org.example.imagenote`. Case is ignored
/// in identifiers and in filename extensions.
public struct DocumentType: Hashable, Sendable {
  /// The rank among types with the same extension; the type with the highest rank applies to a file.
  public enum Rank: String, Sendable, CaseIterable {
    /// The declaring program creates such documents.
    case owner = "Owner"
    /// The rank of a declaration without a rank.
    case standard = "Default"
    /// The declaring program opens such documents of other programs.
    case alternate = "Alternate"
    /// The type applies only if no other type is declared.
    case none = "None"

    /// The strength of the rank; a type with a higher one takes precedence.
    var strength: Int {
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
  /// The name to show to people; `nil` if none is declared.
  public var name: String?
  /// The filename extensions without their first dot, the preferred one first.
  public var filenameExtensions: [String]
  /// The identifiers of the types that this type conforms to.
  package var conformsTo: [String]
  /// True if the declaration itself makes such documents packages.
  ///
  /// ``DocumentTypes`` also considers conformance.
  package var isDeclaredPackage: Bool
  /// The rank among types with the same extension.
  package var rank: Rank
  /// The MIME types, the preferred one first.
  package var mimeTypes: [String]

  /// Creates a type.
  ///
  /// - Parameters:
  ///   - identifier: the identifier, in reverse domain form.
  ///   - name: the name to show to people.
  ///   - filenameExtensions: the filename extensions, the preferred one first; a leading dot is dropped.
  ///   - conformsTo: the identifiers of the types that this type conforms to.
  ///   - isPackage: whether its documents are folders, even if it conforms to no package.
  ///   - rank: the rank among types with the same extension.
  ///   - mimeTypes: the MIME types, the preferred one first.
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
