internal import DocumentVersions

/// The number of lines that a change added and removed.
struct LineCounts {
  let added: Int
  let removed: Int

  /// The counts in short, as "+3 −1".
  var text: String {
    [added > 0 ? "+\(added)" : "", removed > 0 ? "−\(removed)" : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

extension LineCounts {
  init(_ changes: [LineChange]) {
    added = changes.reduce(0) { $0 + $1.new.count }
    removed = changes.reduce(0) { $0 + $1.old.count }
  }
}
