/// A table of types in the order of declaration, indexed by identifier and by filename extension.
struct TypeTable: Sendable {
  /// The types in the order of declaration.
  private(set) var types: [DocumentType] = []
  /// The first type of the highest rank for each identifier in lowercase.
  private var byIdentifier: [String: Int] = [:]
  /// The first type of the highest rank for each extension in lowercase.
  private var byExtension: [String: Int] = [:]
  /// The maximum number of dots in an extension.
  private(set) var mostDots = 0

  init(_ types: [DocumentType] = []) {
    for type in types { add(type) }
  }

  mutating func add(_ type: DocumentType) {
    types.append(type)
    index(type.identifier.lowercased(), in: \.byIdentifier)
    for filenameExtension in type.filenameExtensions {
      index(filenameExtension.lowercased(), in: \.byExtension)
      mostDots = max(mostDots, filenameExtension.count { $0 == "." })
    }
  }

  private mutating func index(_ key: String, in table: WritableKeyPath<TypeTable, [String: Int]>) {
    let last = types.count - 1
    if let first = self[keyPath: table][key],
      types[first].rank.strength >= types[last].rank.strength
    {
      return
    }
    self[keyPath: table][key] = last
  }

  func type(_ identifier: String) -> DocumentType? {
    byIdentifier[identifier.lowercased()].map { types[$0] }
  }

  func type(withExtension filenameExtension: String) -> DocumentType? {
    byExtension[filenameExtension.lowercased()].map { types[$0] }
  }

  /// One type for each identifier.
  var distinct: [DocumentType] {
    types.indices.filter { byIdentifier[types[$0].identifier.lowercased()] == $0 }.map { types[$0] }
  }
}
