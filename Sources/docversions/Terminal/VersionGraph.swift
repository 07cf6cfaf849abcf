internal import DocumentVersions

/// The lines that connect each version in a log with the versions that it is based on.
struct VersionGraph {
  /// The drawing beside one version.
  struct Row {
    /// Drawn above the version: lines that end here.
    let joins: String?
    /// Beside the version itself.
    let node: String
    /// Drawn below it: lines that begin here.
    let forks: String?
    /// Beside the other lines about the version: lines that continue.
    let below: String
  }

  /// A line on its way down to a version.
  private struct Lane {
    let target: FileVersion.PersistentIdentifier
    /// True if the column is drawn; false while it is reserved for the current version.
    var isDrawn = true
  }

  private var lanes: [Lane?] = []
  /// The versions that lines may lead to; `nil` for any.
  private let known: Set<FileVersion.PersistentIdentifier>?

  /// Creates a graph that begins above the newest version; the current version gets the first column.
  init(_ history: DocumentHistory) {
    let isWhole = history.versions.count == history.count
    known = isWhole ? Set(history.versions.map(\.id)) : nil
    if let current = history.current { lanes = [Lane(target: current.id, isDrawn: false)] }
  }

  /// Returns the drawing beside the next version, in the order of the history.
  mutating func next(_ version: FileVersion) -> Row {
    let joined = lanes.indices.filter { lanes[$0]?.target == version.id }
    let joins =
      joined.count > 1 ? connection(from: joined[0], to: Array(joined.dropFirst()), "╯", "┴") : nil
    for index in joined.dropFirst() { lanes[index] = nil }
    let column = joined.first ?? freeColumn()
    let node = line { $0 == column ? version.symbol : lanes[$0]?.isDrawn == true ? "│" : " " }

    let parents = version.parents.filter { known?.contains($0) ?? true }
    lanes[column] = parents.first.map { Lane(target: $0) }
    var forked: [Int] = []
    for parent in parents.dropFirst() {
      let column = freeColumn(after: column)
      lanes[column] = Lane(target: parent)
      forked.append(column)
    }
    let forks = forked.isEmpty ? nil : connection(from: column, to: forked, "╮", "┬")
    while let last = lanes.last, last == nil { lanes.removeLast() }
    let below = line { lanes[$0]?.isDrawn == true ? "│" : " " }
    return Row(joins: joins, node: node, forks: forks, below: below)
  }

  /// Returns a column without a line, adding one if necessary.
  private mutating func freeColumn(after start: Int = -1) -> Int {
    let free = lanes.indices.first { $0 > start && lanes[$0] == nil }
    if free == nil { lanes.append(nil) }
    return free ?? lanes.count - 1
  }

  /// Returns a line across, from one column to others on its right.
  private func connection(
    from start: Int, to ends: [Int], _ corner: String, _ branch: String
  ) -> String {
    let last = ends.last ?? start
    return line(spacing: { start <= $0 && $0 < last ? "─" : " " }) { column in
      if column == start { return "├" }
      if column == last { return corner }
      if ends.contains(column) { return branch }
      let isCrossed = start < column && column < last
      return lanes[column]?.isDrawn == true ? (isCrossed ? "┼" : "│") : (isCrossed ? "─" : " ")
    }
  }

  private func line(
    spacing: (Int) -> String = { _ in " " }, symbol: (Int) -> String
  ) -> String {
    let text = lanes.indices.map { symbol($0) + spacing($0) }.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}

extension FileVersion {
  /// The sign that stands for the version in a graph.
  fileprivate var symbol: String {
    if isConflict && !isResolved { return "◇" }
    return hasLocalContents || isDeletion ? "●" : "○"
  }
}
