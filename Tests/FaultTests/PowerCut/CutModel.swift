import DocumentTestSupport

/// A model of what a file system keeps at a power cut.
enum CutModel: Sendable, Hashable, CustomStringConvertible {
  /// Everything, in order.
  case ordered
  /// All names and sizes; of bytes that were not synchronized, zeros.
  case namesThenZeros
  /// All names; files are as they were last synchronized, new ones empty.
  case namesOnly
  /// Everything before the last synchronization of anything, nothing after it.
  case journal
  /// A name only if its folder was synchronized after, bytes only if their file was.
  case strict
  /// Everything, but only half of the last write.
  case torn
  /// What was synchronized; of the rest, each step or not, as the seed decides.
  case random(seed: Int)

  static var all: [CutModel] {
    [.ordered, .namesThenZeros, .namesOnly, .journal, .strict, .torn]
      + (1...10).map { .random(seed: $0) }
  }

  /// The models for everyday changes.
  static let short: [CutModel] = [.journal, .strict, .namesThenZeros, .namesOnly]

  var description: String {
    switch self {
    case .ordered: "ordered"
    case .namesThenZeros: "meta (zeros)"
    case .namesOnly: "meta (empty)"
    case .journal: "journal"
    case .strict: "strict"
    case .torn: "torn"
    case .random(let seed): "random, seed \(seed)"
    }
  }

  /// The name in tables, which is the same for all seeds.
  var family: String {
    if case .random = self { return "random" }
    return description
  }

  /// Returns the state that a cut leaves.
  ///
  /// - Parameter cut: the number of changes of the trace before the cut.
  /// - Returns: nil if this model gives the same state as another one.
  func image(of trace: Trace, cut: Int) -> DiskImage? {
    let made = trace.changes.prefix(cut)
    switch self {
    case .ordered: return trace.start.applying(made)
    case .journal:
      let last = made.lastIndex(where: \.isSynchronization) ?? 0
      return trace.start.applying(made.prefix(last) + edits(made.dropFirst(last)))
    case .torn:
      guard case .write(let item, let offset, let bytes) = made.last, bytes.count > 1 else {
        return nil
      }
      let half = Change.write(item, offset: offset, bytes: Array(bytes.prefix(bytes.count / 2)))
      return trace.start.applying(made.dropLast() + [half])
    case .strict:
      return trace.start.applying(zip(made, Durability(made).isDurable).filter(\.1).map(\.0))
    case .random(let seed):
      var generator = SeededGenerator(seed: seed &* 1_000_003 &+ cut)
      return trace.start.applying(
        zip(made, Durability(made).isDurable).filter { $1 || Bool.random(using: &generator) }
          .map(\.0))
    case .namesThenZeros, .namesOnly:
      var image = trace.start
      for (change, isDurable) in zip(made, Durability(made).isDurable) {
        if isDurable || change.changedItem == nil {
          image.apply(change)
        } else {
          lose(change, &image)
        }
      }
      return image
    }
  }

  /// Applies only the part of a change of bytes that is left if names and sizes survive.
  private func lose(_ change: Change, _ image: inout DiskImage) {
    switch change {
    case .write(let item, let offset, let bytes):
      let size = image[bytes: item].count
      guard self == .namesThenZeros, offset + bytes.count > size else { return }
      image.apply(.truncate(item, size: offset + bytes.count))
    case .truncate(let item, let size):
      if self == .namesThenZeros || size < image[bytes: item].count {
        image.apply(.truncate(item, size: size))
      }
    default: image.apply(change)
    }
  }

  /// Returns the edits by a person, which aren't under test.
  private func edits(_ changes: ArraySlice<Change>) -> [Change] {
    changes.filter {
      if case .edit = $0 { true } else { false }
    }
  }
}

/// The changes that are certain to survive, because their items were synchronized after them.
private struct Durability {
  private(set) var isDurable: [Bool] = []

  init(_ changes: ArraySlice<Change>) {
    var synchronized: Set<DiskImage.Item> = []
    var isAll = false
    for change in changes.reversed() {
      switch change {
      case .synchronize(let item): synchronized.insert(item)
      case .synchronizeAll: isAll = true
      default: break
      }
      let needed = change.folders + [change.changedItem].compactMap(\.self)
      isDurable.append(isAll || needed.allSatisfy(synchronized.contains))
    }
    isDurable.reverse()
  }
}

extension DiskImage {
  func applying(_ changes: some Sequence<Change>) -> DiskImage {
    var image = self
    for change in changes { image.apply(change) }
    return image
  }
}
