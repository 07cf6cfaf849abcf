public import Foundation

/// A registry of document types, both built-in and declared.
///
/// The registry doesn't ask the system, which on Linux treats any folder with an extension as a package. Declared types
/// take precedence over built-in types. Among declared types with the same extension or identifier, the one with the
/// highest rank applies, then the first.
public struct DocumentTypes: Sendable {
  private var table = TypeTable()

  /// Creates a registry of the built-in types.
  public init() {}

  /// Adds a type.
  public mutating func add(_ type: DocumentType) {
    table.add(type)
  }

  /// Adds types in order.
  package mutating func add(_ types: some Sequence<DocumentType>) {
    for type in types { add(type) }
  }

  // MARK: All types

  /// The declared types, one for each identifier.
  package var declared: [DocumentType] { table.distinct }

  /// The common types, which need no declaration.
  package static var builtIn: [DocumentType] { BuiltInTypes.table.types }

  /// The declared types, and the built-in types that aren't redeclared.
  package var all: [DocumentType] {
    declared + Self.builtIn.filter { table.type($0.identifier) == nil }
  }

  /// Returns the type with an identifier.
  package func type(_ identifier: String) -> DocumentType? {
    table.type(identifier) ?? BuiltInTypes.table.type(identifier)
  }

  // MARK: Types of documents

  /// Returns the type of a document, which its name alone determines; the document need not exist.
  ///
  /// The longest extension counts: `a.tar.gz` is a `tar.gz`, if that is a declared extension. A leading dot doesn't
  /// begin an extension.
  package func type(for document: URL) -> DocumentType? {
    type(forName: document.lastPathComponent)
  }

  /// Returns the type of a document with a name.
  package func type(forName name: String) -> DocumentType? {
    let candidates = name.filenameExtensions(
      dots: max(table.mostDots, BuiltInTypes.table.mostDots))
    // A longer extension takes precedence over a declared one.
    for candidate in candidates {
      if let type = type(withExtension: candidate) { return type }
    }
    return nil
  }

  /// Returns the type of documents with a filename extension.
  package func type(withExtension filenameExtension: String) -> DocumentType? {
    table.type(withExtension: filenameExtension)
      ?? BuiltInTypes.table.type(withExtension: filenameExtension)
  }

  /// Returns whether a folder with this name is a package, according to its type.
  public func isPackage(_ document: URL) -> Bool {
    type(for: document).map(isPackage) ?? false
  }

  /// Returns whether a folder with this name is saved as one document, because of its type or, if no type has
  /// its extension, because it has an extension.
  ///
  /// On Apple's systems, a folder is a package only if its type is declared as one. Here, few types are
  /// declared, and people rarely ask to save an ordinary folder. A folder without an extension, or with a
  /// number as one (`v1.2`), isn't a package.
  package func isSavedAsPackage(named name: String) -> Bool {
    if let type = type(forName: name) { return isPackage(type) }
    let name = name.unicodeScalars
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    let filenameExtension = name[name.index(after: dot)...]
    return !filenameExtension.isEmpty && !Substring(filenameExtension).allSatisfy(\.isNumber)
  }

  /// Returns whether documents of a type are packages, because it is declared as one, or conforms to
  /// `com.apple.package`.
  package func isPackage(_ type: DocumentType) -> Bool {
    type.isDeclaredPackage
      || supertypes(of: type).contains { $0.lowercased() == "com.apple.package" }
  }

  // MARK: Conformance

  /// Returns whether a type conforms to another one, directly or indirectly.
  package func conforms(_ identifier: String, to other: String) -> Bool {
    if identifier.lowercased() == other.lowercased() { return true }
    guard let type = type(identifier) else { return false }
    return supertypes(of: type).contains { $0.lowercased() == other.lowercased() }
  }

  /// Returns the identifiers of all types that a type conforms to, nearest first, including undeclared ones.
  package func supertypes(of type: DocumentType) -> [String] {
    var found: [String] = []
    var seen: Set = [type.identifier.lowercased()]
    var next = type.conformsTo[...]
    while let identifier = next.popFirst() {
      guard seen.insert(identifier.lowercased()).inserted else { continue }
      found.append(identifier)
      next += self.type(identifier)?.conformsTo ?? []
    }
    return found
  }

  // MARK: Filename extensions

  /// Returns every extension of documents with this type, the preferred one first.
  package func filenameExtensions(of identifier: String) -> [String] {
    type(identifier)?.filenameExtensions ?? []
  }
}

extension String {
  /// Returns the parts of a filename that may be its extension, longest first.
  ///
  /// - Parameter dots: the greatest number of dots inside an extension.
  func filenameExtensions(dots: Int) -> [String] {
    let name = unicodeScalars.drop { $0 == "." }
    var candidates: [String] = []
    var end = name.endIndex
    while candidates.count <= dots, let dot = name[..<end].lastIndex(of: ".") {
      candidates.append(String(name[name.index(after: dot)...]))
      end = dot
    }
    return candidates.reversed().filter { !$0.isEmpty && $0.first != "." }
  }
}
