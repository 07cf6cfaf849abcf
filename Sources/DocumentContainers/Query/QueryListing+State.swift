internal import DocumentFiles
internal import DocumentStore
internal import SystemPackage

/// The state that a query has read, the reports since then, and the differences.
extension QueryListing {
  /// The differences in an update.
  struct Differences {
    var added: [DocumentMetadata] = []
    var changed: [DocumentMetadata] = []
    var removed: [DocumentMetadata] = []

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    init(_ found: some Sequence<(before: DocumentMetadata?, after: DocumentMetadata?)>) {
      for (before, after) in found {
        switch (before, after) {
        case (nil, let after?): added.append(after)
        case (let before?, nil): removed.append(before)
        case (let before?, let after?) where before != after: changed.append(after)
        default: break
        }
      }
    }
  }

  /// Reported items that haven't been read yet.
  struct Reports {
    var members: [FilePath: Set<[UInt8]>] = [:]
    var folders: Set<FilePath> = []
    var isOfVersions = false
    /// True if documents that are not downloaded appeared, changed or disappeared.
    var isOfListing = false
    /// True if everything has to be read again.
    var isOfAll = false
  }

  /// A document in its last read state.
  struct Item {
    let metadata: DocumentMetadata
    let stamp: ItemStamp
    let isShown: Bool
    /// The observations of a package's folders.
    let observations: [FolderObserver.Observation?]
  }

  /// A folder in its last read state.
  struct ReadFolder {
    let scope: Int
    let rules: IgnoreRules
    var items: [[UInt8]: Item] = [:]
    var subfolders: Set<[UInt8]> = []
    var observation: FolderObserver.Observation?
    /// The status from before it was observed.
    var status: FileStatus?

    /// Returns whether another folder is at its path by now.
    func isReplaced(by present: FileStatus?) -> Bool {
      guard let status, let present else { return false }
      return !status.isSameItem(as: present)
    }
  }

  /// A folder to search.
  struct Scope {
    let path: FilePath
    var container: FilePath?
    var types: TypesByName
    var editStates: [FilePath: EditState] = [:]
  }

  struct State {
    /// The folders to search, without links, and the observations that report when they appear or disappear.
    var roots: [FilePath] = []
    var rootObservations: [FolderObserver.Observation?] = []
    /// The folders to search that exist or whose documents are listed.
    var scopes: [Scope] = []
    var folders: [FilePath: ReadFolder] = [:]
    var versions: [FilePath: ContainerVersions] = [:]
    /// The containers that were found before everything was read again.
    var formerContainers: Set<FilePath> = []
    var isComplete = true
    var notDownloaded = DocumentsNotDownloaded()
    /// The observations of the folders that list them.
    var listObservations: [FolderObserver.Observation?] = []
    /// The documents that differ from the last update, with both states.
    var differences: [FilePath: (before: DocumentMetadata?, after: DocumentMetadata?)] = [:]

    mutating func add(_ before: DocumentMetadata?, _ after: DocumentMetadata?) {
      guard let path = (after ?? before).map({ FilePath($0.path) }) else { return }
      let first = differences[path].map(\.before) ?? before
      differences[path] = (first, after)
    }

    /// Adds the change of a document that is not on the disk; an item on the disk takes precedence.
    mutating func add(_ change: DocumentsNotDownloaded.Change) {
      guard let path = (change.after ?? change.before).map({ FilePath($0.path) }) else { return }
      let known = differences[path]
      differences[path] = (known?.before ?? change.before, known?.after ?? change.after)
    }
  }
}
