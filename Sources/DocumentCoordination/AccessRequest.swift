internal import DocumentFiles
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// An item that an access is to.
struct RequestedItem: Sendable {
  enum Use: Sendable, Equatable {
    case reading(FileCoordinator.ReadingOptions)
    case writing(FileCoordinator.WritingOptions)
  }

  var url: URL
  let use: Use
  /// Only presenters are asked, of all in the item, and nothing is locked.
  var isPreparation = false

  var isWrite: Bool { if case .writing = use { true } else { false } }

  /// Whether nothing is waited for: the contents are not read.
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

  /// The item itself, or what it leads to where it is a link and that is asked for.
  var place: URL {
    get throws {
      guard case .reading(let options) = use, options.contains(.resolvesSymbolicLink) else {
        return url
      }
      let path = try url.filePath
      return try FileStatus.of(path) == nil ? url : URL(filePath: path.resolvingLinks().string)
    }
  }

  /// Whether one that is moved meanwhile counts as another item.
  var isFixed: Bool {
    if case .writing(let options) = use { options.contains(.forReplacing) } else { false }
  }
}

/// An access that is asked for.
struct AccessRequest: Sendable {
  var items: [RequestedItem]
  var owner: LockTable.Owner
  /// The presenter for which it is.
  var presenter: PresentedItem?
  var patience: Duration
  var takesOver: Bool
  /// Whether it was cancelled.
  var isCancelled: @Sendable () -> Bool = { false }
}

/// An item of an access, where it was found.
struct LocatedItem: Sendable {
  let place: ItemLocation
  let kind: AccessDescription.Kind
  let needsSave: Bool
  /// The item when the access was asked for; nil where nothing was there.
  let status: FileStatus?

  init(_ item: RequestedItem) throws {
    let (store, url) = (SynchronousStore.forPlaces, try item.place)
    var place = try ItemLocation(of: url, in: store)
    if place.containers.isEmpty, item.kind.isClaim, !item.isImmediate {
      do {
        try Self.makeContainer(around: url)
        place = try ItemLocation(of: url, in: store)
      } catch let error as FileError where !item.isWrite && error.code == .notPermitted {
        // Where nothing can be written, no access has to wait for a writer.
      }
    }
    self.place = place
    kind = item.kind
    needsSave = item.needsSave
    status = try FileStatus.of(place.path)
  }

  /// Makes the folder that an item is in a container, unless it is in one: there processes meet.
  ///
  /// A folder that is no package becomes one itself.
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
  /// The store that finds places: what it takes to know the person is not looked up for each access.
  static let forPlaces = SynchronousStore(identity: Identity(author: "", device: ""))
}
