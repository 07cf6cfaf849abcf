/// The members of a folder in memory, each under a key that is unique in it.
struct WrapperMembers {
  private(set) var byKey: [String: DocumentWrapper] = [:]
  /// The names on disk of members whose keys differ from them, because the names aren't UTF-8, or equal
  /// another key although their bytes differ.
  private(set) var namesOnDisk: [String: [UInt8]] = [:]

  var nodes: some Collection<DocumentWrapper> { byKey.values }

  subscript(key: String) -> DocumentWrapper? { byKey[key] }

  /// Returns the key of a member with the bytes of its spelling here.
  func spelling(of key: String) -> String? {
    byKey.index(forKey: key).map { byKey[$0].key }
  }

  /// Returns one of the keys of a member; `nil` for a node that isn't a member.
  func key(of child: DocumentWrapper) -> String? {
    byKey.first { $0.value === child }?.key
  }

  /// Returns the name itself, or a free name derived from it that isn't too long.
  func freeKey(for name: String) -> String {
    func isFree(_ key: String) -> Bool {
      byKey[key] == nil && !namesOnDisk.values.contains(Array(key.utf8))
    }
    var key = name
    var number = 0
    while !isFree(key) {
      number += 1
      key = FileName.extending(name, before: "\(number)__#$!@%!#__")
    }
    return key
  }

  /// Adds a member under a free key.
  ///
  /// - Parameter nameOnDisk: the name that the key represents; `nil` if it is the key itself.
  mutating func insert(_ child: DocumentWrapper, forKey key: String, nameOnDisk: [UInt8]? = nil) {
    byKey[key] = child
    namesOnDisk[key] = nameOnDisk
  }

  /// Replaces a member by a node that keeps its name on disk, or adds the node if no member has the key.
  ///
  /// - Returns: the replaced node.
  mutating func replace(_ key: String, with child: DocumentWrapper) -> DocumentWrapper? {
    if byKey[key] == nil {
      // A member with this name on disk is written under its key from then on.
      namesOnDisk = namesOnDisk.filter { $0.value != Array(key.utf8) }
    }
    return byKey.updateValue(child, forKey: key)
  }

  /// Removes a member under one of its keys.
  mutating func remove(_ child: DocumentWrapper) {
    guard let key = key(of: child) else { return }
    byKey[key] = nil
    namesOnDisk[key] = nil
  }

  // MARK: On disk

  /// The members by the names under which they are written.
  var byName: [(name: [UInt8], node: DocumentWrapper)] {
    byKey.map { (name(of: $0.value, as: $0.key), $0.value) }
  }

  /// Returns a member's key, or the exact bytes of its name on disk if the key represents them.
  private func name(of member: DocumentWrapper, as key: String) -> [UInt8] {
    if let name = namesOnDisk[key] { return name }
    let shown = Array(key.utf8)
    guard let name = member.storedName, name != shown,
      Array(String(decoding: name, as: UTF8.self).utf8) == shown,
      !namesOnDisk.values.contains(name)
    else { return shown }
    return name
  }
}
