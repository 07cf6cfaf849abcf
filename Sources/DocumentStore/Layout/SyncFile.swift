package import SystemPackage

/// A file or folder with a device's data about its exchanges with others, in the folder `sync` of a
/// container.
///
/// Sync tools never transfer it, because it belongs to one device.
package enum SyncFile: String, CaseIterable {
  /// The device's identity.
  case device
  /// The device's name, if it has its own name in the container.
  case name
  /// The ids of the states that this device has published anywhere.
  case published
  /// The documents whose heads have moved, in the order of these moves.
  case changes
  /// The ids of the container's documents and their paths: a cache.
  case index
  /// The folder with this device's knowledge about each peer: a cache.
  case peers
  /// The remotes of the container.
  case remotes
  /// The folder with copies of remotes: a cache.
  case mirrors
  /// The documents that have no store, because nothing on this device has changed them: ``RestingDocuments``.
  case resting
  /// The file whose lock is held while a resting document gets a store.
  case restingLock = "resting-lock"
  /// A file that exists if documents that are new on this device are only listed.
  case listsNew = "lists-new"
  /// The folder with the documents of each peer that are not on this device: a cache.
  case listed
  /// The ids of the documents whose sync is paused.
  case paused
  /// The file whose lock is held while the remotes or the paused documents change.
  case settingsLock = "settings-lock"
  /// The file whose lock an exchange holds.
  case lock

  /// Returns the folder itself.
  package static func folder(of container: FilePath) -> FilePath {
    ContainerFile.sync.path(in: container)
  }

  /// Returns the copy of a remote, which is a repository in its own folder, or the shelf of the device, by
  /// its name.
  package static func mirror(_ name: String, in container: FilePath) -> FilePath {
    if name == Shelf.name { return Shelf.path(in: container) }
    return mirrors.path(in: container).appending(name).appending("git")
  }

  /// Returns the list of the packs in the copy of a remote; without it, the next sync recreates the copy.
  package static func mirrorPacks(_ name: String, in container: FilePath) -> FilePath {
    mirrors.path(in: container).appending(name).appending("packs")
  }

  package func path(in container: FilePath) -> FilePath {
    Self.folder(of: container).appending(rawValue)
  }
}
