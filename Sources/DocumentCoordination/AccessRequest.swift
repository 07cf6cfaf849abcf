internal import DocumentFiles
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// An item of a requested access.
struct RequestedItem: Sendable {
  enum Use: Sendable, Equatable {
    case reading(FileCoordinator.ReadingOptions)
    case writing(FileCoordinator.WritingOptions)
  }

  var url: URL
  let use: Use
  /// True if the access only asks the presenters of the item and its contents, and locks nothing.
  var isPreparation = false

  var isWrite: Bool { if case .writing = use { true } else { false } }

  /// True if the access waits for nothing, because it doesn't read the contents.
  var isImmediate: Bool {
    guard case .reading(let options) = use else { return false }
    return options.contains(.immediatelyAvailableMetadataOnly)
  }

  var kind: AccessDescription.Kind {
    switch use {
    case .reading: isPreparation ? .preparingToRead : .reading
    case .writing where isPreparation: .preparingToWrite
    case .writing(let options):
      if options.contains(.forDeleting) || options.contains(.forReplacing) {
        .deleting
      } else if options.contains(.forMoving) {
        .moving
      } else {
        .writing
      }
    }
  }

  var needsSave: Bool {
    switch use {
    case .reading(let options): !options.contains(.withoutChanges)
    case .writing(let options): options.contains(.forMerging)
    }
  }

  /// The item, or the target of a link if the options request it.
  var place: URL {
    get throws {
      guard case .reading(let options) = use, options.contains(.resolvesSymbolicLink) else {
        return url
      }
      let path = try url.filePath
      return try FileStatus.of(path) == nil ? url : URL(filePath: path.resolvingLinks().string)
    }
  }

  /// True if an item that moves in the meantime counts as a different item.
  var isFixed: Bool {
    if case .writing(let options) = use { options.contains(.forReplacing) } else { false }
  }
}

/// A requested access.
struct AccessRequest: Sendable {
  var items: [RequestedItem]
  var owner: LockTable.Owner
  /// The presenter that the access is for.
  var presenter: PresentedItem?
  var patience: Duration
  var takesOver: Bool
  /// Returns the error of a canceled access; `nil` if it wasn't canceled.
  var cancellation: @Sendable () -> (any Error)? = { nil }
}

/// An item of an access at its present location.
struct LocatedItem: Sendable {
  let place: ItemLocation
  let kind: AccessDescription.Kind
  let needsSave: Bool
  /// The item at the time of the request; `nil` if it didn't exist.
  let status: FileStatus?

  init(_ item: RequestedItem) throws {
    let (store, url) = (SynchronousStore.forPlaces, try item.place)
    var place = try ItemLocation(of: url, in: store)
    if place.containers.isEmpty, item.kind.isClaim, !item.isImmediate {
      do {
        try Self.makeContainer(around: url)
        place = try ItemLocation(of: url, in: store)
      } catch let error as FileError where !item.isWrite && error.code == .notPermitted {
        // In a place where nothing can be written, no access has to wait for a writer.
      }
    }
    self.place = place
    kind = item.kind
    needsSave = item.needsSave
    status = try FileStatus.of(place.path)
  }

  /// Makes the folder of an item a container, unless it is already in one, because processes meet there.
  ///
  /// A folder that isn't a package becomes a container itself.
  static func makeContainer(around url: URL) throws {
    let store = SynchronousStore.forPlaces
    let place = try ItemLocation(of: url, in: store)
    guard place.containers.isEmpty else { return }
    let isPlainFolder =
      try FileStatus.of(place.path)?.kind == .folder
      && !DocumentTypes().isSavedAsPackage(named: url.lastPathComponent)
    let folder = isPlainFolder ? place.path : place.path.parentFolder
    try store.makeContainer(URL(filePath: folder.string))
  }

  var reach: ItemReach { ItemReach(place.path, isOfAllInside: kind.isOfAllInside) }

  var description: AccessDescription.Item {
    .init(
      path: MessagePath(place.path), kind: kind, member: place.member.map { MessagePath($0) },
      needsSave: needsSave)
  }
}

extension SynchronousStore {
  /// The store for finding locations, with an empty identity, so that an access doesn't look up the user.
  static let forPlaces = SynchronousStore(identity: Identity(author: "", device: ""))
}
