package import DocumentFiles
package import SystemPackage

/// Keeps the store of a document from users who can't read the document.
package struct StoreReadership {
  private let location: DocumentLocation

  package init(of location: DocumentLocation) {
    self.location = location
  }

  /// Removes access to the store for users who can't read the document on disk.
  package func narrow() throws {
    guard let document = try FileStatus.of(location.document), document.kind != .symbolicLink else {
      return
    }
    try narrow(to: Readership(of: document))
  }

  /// Removes access to the store for users who can't read the document.
  ///
  /// Access is never extended, because the store may contain versions from when the document was private.
  package func narrow(to readership: Readership) throws {
    guard let status = try FileStatus.of(location.store) else { return }
    let present = Readership(of: status)
    let wanted = try storeReadership(readership, inGroup: status.group)
    guard wanted.isNarrower(than: present) else { return }
    try Folder.narrow(location.store, to: present.intersection(wanted))
  }

  /// Returns the classes of users who may read the store.
  ///
  /// - Parameters:
  ///   - readership: the classes of users who can read the document.
  ///   - group: the group of the store, which need not be the document's.
  private func storeReadership(
    _ readership: Readership, inGroup group: UInt32
  ) throws -> Readership {
    let documentGroup = try FileStatus.of(location.document)?.group ?? group
    return documentGroup == group ? readership : readership.forAnotherGroup()
  }

  /// Returns an item of the store that more users can read than the document; `nil` if there is none.
  func exposedItem() throws -> ItemExposure? {
    guard let status = try FileStatus.of(location.store) else { return nil }
    var readership = Readership(of: status)
    if let document = try FileStatus.of(location.document), document.kind != .symbolicLink {
      let all = try ItemListing(location.document, limits: nil).readership
      readership = readership.intersection(try storeReadership(all, inGroup: status.group))
    }
    return try Folder.firstItem(in: location.store, readableBeyond: readership).map {
      ItemExposure(item: $0, readership: readership)
    }
  }
}

/// An item that more users can read than should.
struct ItemExposure {
  let item: FilePath
  /// The classes of users who may read it.
  let readership: Readership
}

extension StoreReader {
  /// Returns the permission bits for writing a version; `nil` if none are known.
  ///
  /// Bits that the document on disk doesn't have are left out. A version that doesn't replace the document is for those
  /// who can read both the document and its store: if these are fewer users than the version's bits allow, the
  /// document was made private since.
  ///
  /// - Parameter present: the document to replace; `nil` for a new item.
  func permissions(
    of version: Record, replacing present: WorkingCopy?
  ) throws -> RecordedPermissions? {
    let recorded = version.facts.permissions
    if let present { return recorded?.intersection(present.permissions) ?? present.permissions }
    var readership = try Readership.inside(location.store)
    if try FileStatus.of(location.document) != nil {
      let document = try ItemListing(location.document, limits: nil).readership
      readership = readership.intersection(document)
    }
    return readership.isNarrower(than: recorded?.readership ?? .everyone)
      ? RecordedPermissions(recorded, limitedTo: readership) : recorded
  }

  /// Returns a warning if more users could read a document's versions in an exchange folder than can read the document.
  ///
  /// An exchange reports it when it first puts the document into the folder.
  ///
  /// - Parameter folder: the exchange folder.
  /// - Returns: a sentence; `nil` if there is no reason for a warning.
  package func warningOfReaders(in folder: FilePath) throws -> String? {
    guard let status = try FileStatus.of(folder), let own = try documentReadership() else {
      return nil
    }
    let owner = try FileStatus.of(location.document) ?? FileStatus.of(location.store)
    let isSameGroup = owner?.group == status.group
    let allowed = isSameGroup ? own : own.forAnotherGroup()
    var readers = Readership(of: status)
    var parent = folder
    while parent.removeLastComponent() {
      // Users who can't enter a folder can read nothing in it.
      if let status = try FileStatus.of(parent) {
        readers = readers.intersection(.init(passing: status))
      }
    }
    guard allowed.isNarrower(than: readers) else { return nil }
    return """
      “\(location.printable)” is private, but other users can read “\(folder.printable)”, and so its versions there.
      """
  }

  /// Returns the classes of users who can read the present document or, if it is missing, could read it
  /// before; `nil` if neither is known.
  private func documentReadership() throws -> Readership? {
    if let status = try FileStatus.of(location.document), status.kind != .symbolicLink {
      return try ItemListing(location.document, limits: nil).readership
    }
    return try (heads.base() ?? heads.divergent().first?.record)?.facts.permissions?.readership
  }
}
