internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// An access around the present task.
struct AccessScope: Sendable {
  let owner: LockTable.Owner
  let access: GrantedAccess
  let items: [RequestedItem]

  /// The accesses around the present task, outermost first.
  ///
  /// A task that may outlast them is detached, so that its accesses wait like those of any other task.
  @TaskLocal static var current: [AccessScope] = []

  /// Throws an error for an access that would wait for one around it, or that a single write must not
  /// contain.
  ///
  /// This blocks while it finds the items.
  ///
  /// - Parameter scopes: the accesses around the task.
  static func check(
    _ items: [RequestedItem], by owner: LockTable.Owner, inside scopes: [AccessScope]
  ) throws {
    guard !scopes.isEmpty else { return }
    for item in items where !item.isPreparation && !item.isImmediate {
      let path = try ItemLocation(of: item.place, in: .forPlaces).path
      for scope in scopes where !scope.access.isOver {
        guard try scope.owner == owner ? scope.refuses(item) : scope.excludes(item, at: path)
        else { continue }
        throw CoordinationError(
          .wouldDeadlock, item.url,
          """
          The access to \(item.url.quoted) is inside of one that it would wait for: use the same coordinator, and ask \
          for all items that are written at once.
          """)
      }
    }
  }

  /// Returns whether a nested access of the same coordinator is an error: a write inside a write, unless the
  /// outer one is to several items.
  private func refuses(_ item: RequestedItem) throws -> Bool {
    item.isWrite && items.count == 1 && items[0].isWrite && !items[0].isPreparation
  }

  /// Returns whether an access of another coordinator would wait for this one.
  private func excludes(_ item: RequestedItem, at path: FilePath) -> Bool {
    access.items.contains { held in
      guard held.kind.isClaim else { return false }
      if held.place.path == path { return held.kind.isWrite || item.isWrite }
      return held.kind.isOfAllInside && path.starts(with: held.place.path)
        || item.kind.isOfAllInside && held.place.path.starts(with: path)
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Starts work that may outlast the accesses around the present task, and so doesn't belong to them.
  @discardableResult
  package static func outsideAccesses(
    _ work: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never> {
    Task.detached { await work() }
  }
}
