package import SystemPackage

/// A file or folder of a document's store, by its path in the store.
package enum StoreFile: String, CaseIterable {
  // MARK: Parts of every git repository

  /// The record that the document on this disk shows.
  case head = "HEAD"
  case config
  case objects
  case packs = "objects/pack"
  case objectInformation = "objects/info"
  case references = "refs"
  /// The folder with a reference to each head.
  case heads = "refs/heads"
  /// The folder with a reference to each content chain from before a removal.
  case trash = "refs/trash"
  case packedReferences = "packed-refs"
  /// git's logs of references, in stores that other tools have worked on.
  case logs

  // MARK: Parts of a store

  /// The file whose lock a writer holds.
  case lock
  /// The heads after each change, line by line.
  case ledger
  /// The versions that a repair has given up.
  case lostVersions = "lost-versions"
  /// The versions that were once in an unresolved conflict with the current one.
  case conflictVersions = "conflict-versions"
  /// The heads that every exchange folder has.
  case published
  /// The facts that identify the document's file after a rename outside docversions.
  case workingFile = "working-file"
  /// The path of a copy that was identified as the missing document by its contents.
  case movedTo = "moved-to"
  /// The origin or the destination of a document that was moved to another container, or the document that it was
  /// joined with.
  case otherPlace = "other-place"
  /// The versions that were written over the document since its contents were last saved.
  case arrivals
  /// The heads with which the document leaves this device: its file may be gone without being deleted.
  case leaving
  /// The folder with copies of versions that were returned to callers, one folder for each version.
  case checkouts
  /// The folder to which a repair moves damaged parts, one folder for each repair.
  case quarantine
  /// The folder to which a repair copies the parts that it may change, one folder for each repair.
  case backup

  /// State of the document that an app keeps on this device; it never leaves the device.
  case privateState = "private-state"

  // MARK: Caches

  case statCache = "known-members"
  case cachedChunks = "known-chunks"
  case versionIndex = "version-index"
  case changeCounts = "change-counts"

  // MARK: Parts of other repositories, which a store doesn't have

  case hooks
  case commonFolder = "commondir"
  case gitFolder = "gitdir"
  case worktreeConfig = "config.worktree"
  case shallow
  case information = "info"
  case grafts = "info/grafts"
  case alternates = "objects/info/alternates"
  case httpAlternates = "objects/info/http-alternates"

  /// The file's path in the store.
  package var name: String { rawValue }

  /// The prefix of its members' paths.
  var prefix: String { rawValue + "/" }

  package func path(in store: FilePath) -> FilePath {
    store.pushing(FilePath(rawValue))
  }

  /// The files that may be removed at any time, because they are recreated.
  static let caches: [StoreFile] = [.statCache, .cachedChunks, .versionIndex, .changeCounts]

  /// The suffix of git's locks, each of which is beside the file that it guards.
  static let lockSuffix = ".lock"
  /// The suffix of small files while they are written.
  static let newSuffix = ".new"
}

/// A file or folder of a container, in its folder `.docversions`.
package enum ContainerFile: String {
  /// The folder with the stores of all documents.
  case documents
  /// The folder with type declarations for documents.
  case types
  /// The folder with contents that an app is about to add as a version.
  case temporary
  /// The folder with this device's data about its exchanges with others.
  case sync
  /// The repository with the first versions of documents that were saved together: ``Shelf``.
  case shelf
  /// The folder that records adoptions of conflicted copies, one file each, so that they can be undone.
  ///
  /// Sync tools never transfer it: files come back on the device that took them away.
  case adoptions
  /// The folder with the working copies of the databases that apps have open, one folder for each.
  case openDatabases = "open-databases"
  /// The folder with the sockets of the programs that present documents.
  case presenters
  /// The messages that were sent to these programs.
  case messageLog = "presenters/log"
  /// The file whose bytes are the locks of coordinated accesses.
  case claims
  /// The lock of the one process that watches the container.
  case watchLock = "watch-lock"
  /// The removals that this process saw, and that are not recorded as deletions yet.
  case watchDeletions = "watch-deletions"
  /// The socket at which this process reports what it has done.
  case watchSocket = "watch-socket"
  /// The presentation of the container to the user, as its app has declared it.
  case declaration = "declaration.json"
  /// The file that makes git ignore all of this.
  case gitIgnore = ".gitignore"

  // MARK: Caches

  case containerIndex = "quiet-documents"

  /// The file's name in the folder `.docversions`.
  package var name: String { rawValue }

  package func path(in container: FilePath) -> FilePath {
    container.appending(Layout.folderName).appending(rawValue)
  }

  /// The files that may be removed at any time, because they are recreated.
  static let caches: [ContainerFile] = [.containerIndex]

  /// The name of a folder's lock, in that folder.
  static let lock = "lock"
}
