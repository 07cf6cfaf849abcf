internal import DocumentFiles
package import DocumentPresenting
package import DocumentStore
package import Foundation

/// The versions of an item that presenters are notified of.
package struct PresentedVersions: Sendable {
  private var all: [FileVersion.PersistentIdentifier: FileVersion] = [:]
  private var conflicts: Set<FileVersion.PersistentIdentifier> = []

  /// True if there are no versions.
  package var isEmpty: Bool { all.isEmpty }
  /// True if any are in an unresolved conflict.
  package var isInConflict: Bool { !conflicts.isEmpty }

  /// Creates an empty set of versions.
  package init() {}

  /// Reads the versions of an item; none if it has no store.
  package init(of url: URL, in store: VersionStore) async throws {
    do {
      let history = try await store.history(of: url)
      for version in history.versions { all[version.persistentIdentifier] = version }
      conflicts = Set(history.unresolvedConflicts.map(\.persistentIdentifier))
    } catch let error as VersionError where error.code == .noVersions {
    } catch let error as FileError where error.code == .notFound {
      // The item has disappeared and had no versions.
    }
  }

  /// Notifies a presenter of versions that were added, removed or resolved since an earlier time.
  package func report(since former: PresentedVersions, to presenter: (any FilePresenter)?) async {
    for (identifier, version) in all where former.all[identifier] == nil {
      await presenter?.presentedItemDidGain(version)
    }
    for (identifier, version) in former.all where all[identifier] == nil {
      await presenter?.presentedItemDidLose(version)
    }
    for identifier in former.conflicts.subtracting(conflicts) {
      if let version = all[identifier] { await presenter?.presentedItemDidResolveConflict(version) }
    }
  }
}
