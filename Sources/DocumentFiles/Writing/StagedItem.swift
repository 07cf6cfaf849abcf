package import SystemPackage

extension DocumentWriter {
  /// A document, or one of its members, that is built, durable, and waiting beside its place, or that is to
  /// be removed.
  package final class StagedItem {
    /// The path of the waiting item.
    package let location: FilePath
    /// The names in the path of the member to replace; none for the whole document.
    package let member: [[UInt8]]
    /// True if there is a new item at ``location``.
    private let hasNew: Bool
    private let target: ItemPlace
    private let displaced: ItemListing?
    /// The path for the displaced item.
    private let displacedPlace: FilePath
    private let mark: String?
    private let surroundings: Surroundings?

    /// The document that a member is part of.
    private struct Surroundings {
      let change: ChangedMember
      let document: FilePath
      /// The listing of the whole document.
      let listing: ItemListing
      /// Builds the whole document instead.
      let otherwise: () throws -> StagedItem
    }

    private init(
      _ path: FilePath, _ names: TemporaryName, hasNew: Bool, at target: ItemPlace,
      displacing displaced: ItemListing?, mark: String?, in surroundings: Surroundings? = nil
    ) {
      location = path.parentFolder.appending(names.new)
      displacedPlace = path.parentFolder.appending(names.old)
      member = surroundings?.change.names ?? []
      self.hasNew = hasNew
      self.target = target
      self.displaced = displaced
      self.mark = mark
      self.surroundings = surroundings
    }

    /// Creates an item for the document at a path.
    convenience init(_ path: FilePath, displacing displaced: ItemListing?, mark: String?) {
      self.init(
        path, TemporaryName(mark: mark), hasNew: true, at: .at(path), displacing: displaced,
        mark: mark)
    }

    /// Creates an item for removing the document at a path.
    convenience init(removing path: FilePath, _ displaced: ItemListing, mark: String?) {
      self.init(
        path, TemporaryName(mark: mark), hasNew: false, at: .at(path), displacing: displaced,
        mark: mark)
    }

    /// Creates an item for a member of the document at a path; `nil` if its path is too long for the name of
    /// a temporary item.
    convenience init?(
      _ member: ChangedMember, of path: FilePath, displacing listing: ItemListing, mark: String,
      otherwise: @escaping () throws -> StagedItem
    ) {
      let names = TemporaryName(mark: mark, member: member.names)
      guard names.isShort else { return nil }
      self.init(
        path, names, hasNew: member.item != nil, at: member.place, displacing: member.displaced,
        mark: mark,
        in: Surroundings(
          change: member, document: path, listing: listing, otherwise: otherwise))
    }

    deinit {
      // Once placed, there is nothing to remove. An item that can't be removed goes with the other temporary
      // items.
      do { try Folder.removeTree(location) } catch {}
    }

    /// Builds the item beside its place; it is on disk on return.
    ///
    /// - Parameters: those of ``ItemBuilder``.
    func build(
      _ item: DocumentItem, like model: ItemBuilder.Old?, onFile: WrittenFileHandler?,
      modified: Int64?, progress: @escaping (Int) throws -> Void
    ) throws {
      let builder = try ItemBuilder(
        in: OpenFolder(location.parentFolder), onFile: onFile, modified: modified,
        progress: progress)
      do {
        try builder.build(item, named: location.lastName, like: model)
        try builder.unfinished.finish()
      } catch {
        // Abandoned before the built items are removed.
        builder.unfinished.abandon()
        throw isOutrun() ? changedMeanwhile() : naming(location, in: error)
      }
    }

    /// Returns an error that names the document or the member, if it names the temporary item in its place.
    private func naming(_ temporary: FilePath, in error: any Error) -> any Error {
      (error as? FileError)?.naming(target.path, insteadOf: temporary) ?? error
    }

    /// Takes an item that a closure writes; it is on disk on return.
    ///
    /// It is written in a folder that only this user can read, because the item that it replaces may be
    /// private.
    ///
    /// - Parameters: those of ``DocumentWriter/replaceElsewhere(_:displacing:attributes:writtenBy:)``, and:
    ///   - name: the name under which it is written.
    ///   - model: the item whose attributes it takes over.
    func take(
      named name: [UInt8], like model: ItemBuilder.Old?, attributes: ItemAttributes,
      writtenBy write: (FilePath) throws -> Void
    ) throws {
      let room = location.parentFolder.appending(TemporaryName(mark: mark).new)
      try Folder.create(room, permissions: 0o700, isDurable: false)
      // An item that can't be removed goes with the other temporary items.
      defer { do { try Folder.removeTree(room) } catch {} }
      let written = room.appending(bytes: name)
      do { try write(written) } catch { throw naming(written, in: error) }
      let builder = try ItemBuilder(in: OpenFolder(room))
      do {
        try builder.complete(name, like: model, attributes: attributes)
        try builder.unfinished.finish()
      } catch {
        builder.unfinished.abandon()
        throw naming(written, in: error)
      }
      try ItemPlace.at(written).move(to: new)
    }

    /// Puts the item in its place, durably on return.
    ///
    /// - Throws: ``FileError`` with code `changing` if the document is no longer the displaced one, or `busy` if
    ///   a program has it open for writing; it stays unchanged.
    package func place() throws {
      guard try isAsRead() else { throw changedMeanwhile() }
      if displaced != nil { try FileUse.checkWriters(of: target.path, in: document) }
      let built = try hasNew ? ItemListing(location, limits: nil) : nil
      let isKept: Bool
      do {
        isKept = try displace()
      } catch {
        // Nothing was changed. If a member can't be put in place alone, the whole document is.
        guard let surroundings else { throw isOutrun() ? changedMeanwhile() : error }
        return try surroundings.otherwise().place()
      }
      do {
        if isKept { try checkDisplaced() }
        try target.synchronizeFolder()
        if surroundings != nil { try Folder.synchronize(location.parentFolder) }
      } catch {
        // Rolls back, so that a reported failure leaves no change.
        if isKept { try goBack(from: built) }
        throw error
      }
      if isKept, displaced != nil { try discard() }
    }

    private var new: ItemPlace { .at(location) }
    private var old: ItemPlace { .at(displacedPlace) }

    /// Returns whether the document still matches its listing; a document that is only removed is compared
    /// when it is displaced.
    private func isAsRead() throws -> Bool {
      if let surroundings {
        return try ItemPlace.at(surroundings.document).holds(surroundings.listing)
      }
      guard hasNew, let displaced else { return true }
      return try target.holds(displaced)
    }

    /// Returns whether an operation failed because the document no longer matches its listing.
    private func isOutrun() -> Bool {
      guard let displaced else { return false }
      do {
        return try !target.holds(displaced)
      } catch {
        // The failure itself is more informative.
        return false
      }
    }

    /// Exchanges the new and the old item, or moves the only one that exists.
    ///
    /// - Returns: false if the file system can only replace, and the displaced file is gone.
    private func displace() throws -> Bool {
      guard displaced != nil else {
        try new.move(to: target)
        return true
      }
      guard hasNew else {
        try target.move(to: old)
        return true
      }
      try new.move(to: old)
      do {
        return try old.exchange(with: target)
      } catch {
        // This failure would only hide the original one.
        do { try Folder.removeTree(displacedPlace) } catch {}
        throw error
      }
    }

    /// Throws an error unless the displaced item is the listed one, no program can still write it, and the
    /// document is in its place.
    ///
    /// A program that opened the item under its former name writes to it wherever it is.
    private func checkDisplaced() throws {
      if let displaced {
        if try FileUse.hasWriters(displacedPlace) { throw FileUse.openForWriting(document) }
        // Compared only now, because a program may just have closed it.
        guard try old.holds(displaced) else { throw changedMeanwhile() }
      }
      guard let surroundings else { return }
      guard try surroundings.change.isInPlace(in: document) else { throw changedMeanwhile() }
    }

    /// Puts the displaced item back; if that fails, the item stays where it is.
    ///
    /// - Parameter built: the listing of the new item, which stays if another program has changed it.
    private func goBack(from built: ItemListing?) throws {
      guard let built else { return try old.move(to: target) }
      if displaced == nil {
        try target.move(to: old)
      } else {
        guard try old.exchange(with: target) else { return }
      }
      do {
        guard try !FileUse.hasWriters(displacedPlace), try old.holds(built) else { return }
        try Folder.removeTree(displacedPlace)
      } catch {}
    }

    private var document: FilePath { surroundings?.document ?? target.path }

    private func changedMeanwhile() -> FileError {
      FileError(
        .changing, path: document,
        message: "“\(document.printable)” changed in the meantime; it is untouched.")
    }

    /// Removes the displaced item, which has no unread edit, after the change is made.
    ///
    /// If that fails, the change is kept, and the item goes with the other temporary items.
    private func discard() throws {
      do {
        // Under the name of an item that can be removed.
        try old.move(to: new)
        try Folder.removeTree(location)
      } catch  where mark != nil {}
    }
  }
}
