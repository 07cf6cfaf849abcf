internal import DocumentFiles
package import DocumentPresenting
package import DocumentStore
package import Foundation

/// The versions of an item, as far as presenters are notified of them.
package struct PresentedVersions: Sendable {
  private var all: [FileVersion.PersistentIdentifier: FileVersion] = [:]
  private var conflicts: Set<FileVersion.PersistentIdentifier> = []

  /// Whether there is none.
  package var isEmpty: Bool { all.isEmpty }
  /// Whether some are in an unresolved conflict.
  package var isInConflict: Bool { !conflicts.isEmpty }

  /// None.
  package init() {}

  /// Reads the versions of an item; none where it has no store.
  package init(of url: URL, in store: VersionStore) async throws {
    do {
      let history = try await store.history(of: url)
      for version in history.versions { all[version.persistentIdentifier] = version }
      conflicts = Set(history.unresolvedConflicts.map(\.persistentIdentifier))
    } catch let error as VersionError where error.code == .noVersions {
    } catch let error as FileError where error.code == .notFound {
      // It has gone, and had none.
    }
  }

  /// Notifies a presenter of what came, went and was resolved since an earlier time.
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
