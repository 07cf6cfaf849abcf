/// Types in the order in which they were declared, found by identifier and by filename extension.
struct TypeTable: Sendable {
  /// As they were declared.
  private(set) var types: [DocumentType] = []
  /// The first of the highest rank, by identifiers in lower case.
  private var byIdentifier: [String: Int] = [:]
  /// The first of the highest rank, by extensions in lower case.
  private var byExtension: [String: Int] = [:]
  /// How many dots the extension with the most of them has.
  private(set) var mostDots = 0

  init(_ types: [DocumentType] = []) {
    for type in types { add(type) }
  }

  mutating func add(_ type: DocumentType) {
    types.append(type)
    note(type.identifier.lowercased(), in: \.byIdentifier)
    for filenameExtension in type.filenameExtensions {
      note(filenameExtension.lowercased(), in: \.byExtension)
      mostDots = max(mostDots, filenameExtension.count { $0 == "." })
    }
  }

  private mutating func note(_ key: String, in index: WritableKeyPath<TypeTable, [String: Int]>) {
    let last = types.count - 1
    if let first = self[keyPath: index][key], types[first].rank >= types[last].rank { return }
    self[keyPath: index][key] = last
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
