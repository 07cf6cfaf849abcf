internal import DocumentFiles
internal import DocumentStore
internal import Synchronization
internal import SystemPackage

/// The reports of file events since the last update.
extension QueryListing {
  func report(_ change: (inout Reports) -> Void) {
    reports.withLock { change(&$0) }
    notify?()
  }

  /// Reports that versions changed.
  var notifyOfVersions: @Sendable () -> Void {
    { [weak self] in self?.report { $0.isOfVersions = true } }
  }

  /// The names of items that determine which items are documents.
  private static let namesOfEverything = [StoresFolder.name, IgnoreRules.fileName].map {
    Array($0.utf8)
  }

  func observe(membersOf folder: FilePath) -> FolderObserver.Observation? {
    guard notify != nil else { return nil }
    return FolderObserver.shared.observe(membersOf: folder) { [weak self] member in
      self?.report { reports in
        if let member, Self.namesOfEverything.contains(member) {
          reports.isOfAll = true
        } else if let member {
          reports.members[folder, default: []].insert(member)
        } else {
          reports.folders.insert(folder)
        }
      }
    }
  }

  func observe(
    _ folder: FilePath, member: [UInt8], _ change: @escaping @Sendable (inout Reports) -> Void
  ) -> FolderObserver.Observation? {
    guard notify != nil else { return nil }
    return FolderObserver.shared.observe(folder, member: member) { [weak self] in
      self?.report(change)
    }
  }

  /// Observes the lists of documents that are not downloaded.
  func observeLists(of container: FilePath, _ state: inout State) {
    let lists = SyncFile.listed.path(in: container)
    state.listObservations += [
      observe(lists.parentFolder, member: lists.lastName) { $0.isOfAll = true },
      notify == nil
        ? nil
        : FolderObserver.shared.observe(membersOf: lists) { [weak self] _ in
          self?.report { $0.isOfListing = true }
        },
    ]
  }

  /// Observes the folders of a package, whose changes are changes of the package.
  func observe(
    package listing: ItemListing, at path: FilePath
  ) -> [FolderObserver.Observation?] {
    guard notify != nil else { return [] }
    let (folder, name) = (path.parentFolder, path.lastName)
    func observe(_ listing: ItemListing, at place: FilePath) -> [FolderObserver.Observation?] {
      guard let members = listing.members else { return [] }
      let own = FolderObserver.shared.observe(place) { [weak self] in
        self?.report { $0.members[folder, default: []].insert(name) }
      }
      return [own] + members.flatMap { observe($0, at: place.appending(bytes: $0.name)) }
    }
    return observe(listing, at: path)
  }
}
