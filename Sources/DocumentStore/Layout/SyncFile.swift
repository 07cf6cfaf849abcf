package import SystemPackage

/// A file or folder of what a device keeps of its exchanges with others, in the folder `sync` of a container.
///
/// Syncing tools never carry it: it belongs to one device.
package enum SyncFile: String, CaseIterable {
  /// The device's identity.
  case device
  /// The device's name, if it has one of its own in the container.
  case name
  /// The ids of the states that this device has published anywhere.
  case published
  /// The documents whose heads have moved, in the order in which they did.
  case changes
  /// The ids of the container's documents and their paths: a cache.
  case index
  /// The folder with what this device knows of each peer: a cache.
  case peers
  /// The remotes of the container.
  case remotes
  /// The folder with copies of what remotes hold: a cache.
  case mirrors
  /// The documents that have no store, because nothing here has touched them: ``RestingDocuments``.
  case resting
  /// The file whose lock is held while a resting document gets a store.
  case restingLock = "resting-lock"
  /// There where documents that are new here are only listed.
  case listsNew = "lists-new"
  /// The folder with the documents of each peer that are not on this device: a cache.
  case listed
  /// The ids of the documents whose sync is paused.
  case paused
  /// The file whose lock an exchange holds.
  case lock

  /// The folder itself.
  package static func folder(of container: FilePath) -> FilePath {
    ContainerFile.sync.path(in: container)
  }

  /// The copy of what a remote holds: a repository in a folder of its own; or the shelf of the device, by its name.
  package static func mirror(_ name: String, in container: FilePath) -> FilePath {
    if name == Shelf.name { return Shelf.path(in: container) }
    return mirrors.path(in: container).appending(name).appending("git")
  }

  /// The list of the packs of which the copy of a remote consists; without it, the next sync makes the copy anew.
  package static func mirrorPacks(_ name: String, in container: FilePath) -> FilePath {
    mirrors.path(in: container).appending(name).appending("packs")
  }

  package func path(in container: FilePath) -> FilePath {
    Self.folder(of: container).appending(rawValue)
  }
}
