/// How much a version changed against the one that it was made from, in numbers.
package struct ChangeCounts: Hashable, Sendable {
  /// What is counted.
  package enum Unit: UInt64, Sendable {
    /// Of a document that is a text; of any other file there are none.
    case lines = 1
    /// Of a package.
    case members
  }

  package let unit: Unit
  package private(set) var added = 0
  package private(set) var removed = 0
  /// Only of members, as those that were renamed.
  package private(set) var changed = 0
  package private(set) var renamed = 0

  package init(linesAdded added: Int, removed: Int) {
    unit = .lines
    self.added = added
    self.removed = removed
  }

  /// Counts members; of a folder that was renamed those that it holds.
  package init(_ changes: [MemberChange]) {
    unit = .members
    for change in changes {
      switch change.kind {
      case .added: added += change.memberCount
      case .removed: removed += change.memberCount
      case .changed: changed += change.memberCount
      case .renamed: renamed += change.memberCount
      }
    }
  }
}

// MARK: In a file

extension ChangeCounts {
  /// The unit and four numbers, eight bytes each.
  static let encodedSize = 40

  /// Reads them as they stand in a file of counts; nil for what can be none.
  init?(at place: Int, in bytes: UnsafeRawBufferPointer) {
    func count(_ number: Int) -> Int? {
      // Whoever adds them up must not overflow.
      UInt32(exactly: bytes.number(at: place + 8 * number)).map(Int.init)
    }
    guard let unit = Unit(rawValue: bytes.number(at: place)), let added = count(1),
      let removed = count(2), let changed = count(3), let renamed = count(4)
    else { return nil }
    self.unit = unit
    self.added = added
    self.removed = removed
    self.changed = changed
    self.renamed = renamed
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(number: unit.rawValue)
    for count in [added, removed, changed, renamed] { bytes.append(number: UInt64(count)) }
  }
}
