public import DocumentFiles
public import Foundation

/// What a document holds, as a value that can be written in the background while the document goes on changing.
public enum DocumentContents: Sendable {
  /// The bytes of a file.
  case data(Data)
  /// The members of a package.
  case package(PackageSnapshot)
}

extension DocumentContents {
  var isPackage: Bool { if case .package = self { true } else { false } }
}
