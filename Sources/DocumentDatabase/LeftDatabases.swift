internal import DocumentFiles
internal import DocumentLifecycle
internal import DocumentStore
internal import Foundation

/// The working databases of processes that ended while they had a document open.
struct LeftDatabases: Sendable {
  private let document: URL
  private let settings: DatabaseSettings
  private let store: VersionStore

  init(of document: URL, _ settings: DatabaseSettings, _ store: VersionStore) {
    self.document = document
    self.settings = settings
    self.store = store
  }

  /// Makes versions of the databases that are based on another state than the document's present one.
  ///
  /// - Returns: the database with which the document continues, in place of its own; nil if there is none.
  func settle() async throws -> WorkingFolder? {
    let document = document
    let folders = try await BlockingPool.shared.run { try WorkingFolder.left(of: document) }
    var resumed: WorkingFolder?
    for folder in folders {
      let isCurrent = try await BlockingPool.shared.run {
        let stamp = try WorkingFolder.Stamp(of: document.databaseFile)
        return try stamp != nil && folder.readOrigin()?.file == stamp
      }
      if isCurrent, resumed == nil {
        resumed = folder
      } else {
        try await keep(folder)
      }
    }
    return resumed
  }

  private func keep(_ folder: WorkingFolder) async throws {
    let (document, settings) = (document, settings)
    try await store.perform { store in
      let version = try folder.readOrigin()?.base.flatMap {
        try FileVersion.version(of: document, identifier: $0, store: store)
      }
      if try FileStatus.of(document.filePath) != nil { try store.save(document, asPackage: true) }
      let working = try WorkingDatabase(in: folder, settings)
      let format = DatabaseFormat(settings, working, .init(), resuming: nil)
      try Self.keep(nil, format, of: document, base: version, in: store)
      try working.close()
      folder.release()
    }
  }

  /// Makes a version of a database.
  ///
  /// - Parameter members: the members other than the database; nil for those of the document.
  static func keep(
    _ members: PackageSnapshot?, _ format: DatabaseFormat, of document: URL, base: FileVersion?,
    in store: SynchronousStore
  ) throws {
    let members = try members ?? PackageSnapshot(url: document).withoutDatabase()
    _ = try store.saveFormer(of: document, base: base, isRead: false) { place in
      try format.write(
        .package(members), to: place, ofType: "", originalContentsURL: nil,
        progress: OperationProgress())
    }
  }
}

extension PackageSnapshot {
  /// Returns the members of a package other than its database.
  fileprivate func withoutDatabase() throws -> PackageSnapshot {
    let members = wrapper()
    for name in DatabaseDocument.databaseNames {
      if let member = try members.fileWrappers[name] { try members.removeFileWrapper(member) }
    }
    return try members.snapshot()
  }
}
