public import DocumentFiles
public import Foundation

/// A document's contents, as a value that can be written in the background while the document changes.
public enum DocumentContents: Sendable {
  /// The bytes of a file.
  case data(Data)
  /// The members of a package.
  case package(PackageSnapshot)
}

extension DocumentContents {
  var isPackage: Bool { if case .package = self { true } else { false } }
}
