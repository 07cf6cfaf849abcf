internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

/// What an exchange did for one document.
public struct DocumentExchange: Sendable {
  /// The document, where it is now.
  public let document: URL
  /// Versions that arrived.
  public let received: Int
  /// Versions that were published.
  public let sent: Int
  /// Conflict versions that nobody has resolved.
  public let unresolvedConflicts: Int
  /// Why the document was left out, or versions of it that have not arrived whole, where that is so.
  public let failure: (any Error)?
}

extension VersionStore {
  /// Exchanges the versions of a container's documents with other devices, through a folder that all of
  /// them can reach.
  ///
  /// Versions that arrive and follow what this device has move the document forward. Otherwise there is a
  /// conflict: the document shows the version that all devices agree on as the current one, and the others
  /// wait to be resolved. Edits that were not saved become a version before anything moves. Documents
  /// that are new here are written; a name that is taken gets a number.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or one inside it.
  ///   - folder: made on first use; one folder serves one container on each device.
  /// - Returns: what happened, document by document.
  @discardableResult
  public func exchange(_ container: URL, through folder: URL) throws -> [DocumentExchange] {
    let given = try container.filePath.resolvingLinks()
    let container = try ContainerFolder.nearest(from: given) ?? given
    let path = folder.filePath
    do {
      let place = try FileStatus.of(path) == nil ? path : path.resolvingLinks()
      let exchange = try ExchangeFolder(place, lockTimeout: lockTimeout)
      return try self.exchange(container, with: exchange)
    } catch let error as GitError {
      throw ExchangeFolder.failure(error, in: path)
    }
  }

  private func exchange(_ container: FilePath, with folder: ExchangeFolder) throws
    -> [DocumentExchange]
  {
    let locations = try Layout.documentPaths(in: container)
      .map { DocumentLocation(container: container, path: $0) }
    // Also those that cannot be exchanged now: they are not new here.
    let known = Set(locations.compactMap(\.documentIdentifier))
    var results: [DocumentExchange] = []
    for location in locations {
      results.append(
        try exchanging(location.url) {
          try recordRename(location)
          return try exchange(location, with: folder)
        })
    }
    // A document without heads is one that another device is still publishing.
    let new = folder.documents.filter { !known.contains($0.key) && !$0.value.heads.isEmpty }
    for identifier in new.keys.sorted() {
      // Until it has a place, the container stands for it.
      results.append(
        try exchanging(URL(filePath: container.string)) {
          let heads = try folder.arrivedHeads(of: identifier)
          let location = try place(for: identifier, heads: heads, in: container)
          try StoreCreation.create(location.store, documentIdentifier: identifier)
          return try exchange(location, with: folder)
        })
    }
    return results.sorted { $0.document.path < $1.document.path }
  }

  /// A document that fails is told of, and does not keep the others from being exchanged.
  private func exchanging(
    _ document: URL, _ body: () throws -> DocumentExchange
  ) throws -> DocumentExchange {
    func failed(_ error: any Error) -> DocumentExchange {
      DocumentExchange(
        document: document, received: 0, sent: 0, unresolvedConflicts: 0, failure: error)
    }
    do {
      return try body()
    } catch let error as GitError {
      return failed(VersionError(error, document: Printable.text(document.lastPathComponent)))
    } catch is CancellationError {
      // Whoever says stop means all of it.
      throw CancellationError()
    } catch {
      return failed(error)
    }
  }

  private func exchange(
    _ location: DocumentLocation, with folder: ExchangeFolder
  ) throws -> DocumentExchange {
    let reception = try OpenStore(changing: location, for: self).receive(from: folder)
    let place = try followWinnersName(location)
    let store = try OpenStore(changing: place, for: self)
    try store.showCurrentVersion()
    let sent = try store.send(to: folder)
    return DocumentExchange(
      document: place.url, received: reception.count, sent: sent,
      unresolvedConflicts: max(0, try store.divergentHeads().count - 1),
      failure: reception.failure)
  }

  /// A rename that was not saved becomes a version, so that it meets what arrives.
  private func recordRename(_ location: DocumentLocation) throws {
    guard try FileStatus.of(location.document) != nil else { return }
    let isRenamed = try reading(location.url) { store in
      try store.base().map { try store.documentPath(following: $0) != $0.facts.path } ?? false
    }
    if isRenamed { _ = try save(location.url, asPackage: true) }
  }

  /// Moves the document and its store to where the current version says, unless it has edits.
  ///
  /// While its name is taken the document is shown with a number; that is nothing that others learn of.
  func followWinnersName(_ location: DocumentLocation) throws -> DocumentLocation {
    try translatingErrors(location) {
      guard let wanted = try wantedPath(of: location) else { return location }
      let place = try freePlace(for: wanted, in: location.container, besides: location)
      if place != location {
        try moveDocument(location, to: place, isOwnName: place.path == wanted)
      }
      return place
    }
  }

  /// Where the current version says that the document is; nil where it has edits.
  private func wantedPath(of location: DocumentLocation) throws -> String? {
    let store = try OpenStore(changing: location, for: self)
    let present = try store.workingCopy()
    guard try store.shownVersion(present) != nil else { return nil }
    // Its name comes with its contents.
    guard let current = try store.divergentHeads().first, !current.isBare else { return nil }
    return current.record.facts.path
  }

  /// Moves a document and its store, and notes that nobody else did.
  ///
  /// Under its own name a document is where it belongs, whoever moved it: the note comes after, so that a crash
  /// before the move is no renaming either. Under a name with a number only the note tells, so it comes first.
  private func moveDocument(
    _ location: DocumentLocation, to place: DocumentLocation, isOwnName: Bool = false
  ) throws {
    let mark = try WorkingFileNote(in: location.store)?.mark ?? ""
    let note = WorkingFileNote(mark: mark, path: place.path)
    if !isOwnName { try note.write(in: location.store) }
    try Folder.create(place.document.parentFolder)
    try Folder.create(place.store.parentFolder)
    if try FileStatus.of(location.document) != nil {
      try DocumentWriter.move(location.document, to: place.document)
    }
    if isOwnName { try note.write(in: location.store) }
    try DocumentWriter.move(location.store, to: place.store)
  }

  /// Where a document that is new here goes.
  ///
  /// Of two documents with one name, the one with the later id gets a number, on every device.
  ///
  /// - Parameter heads: the versions of it that have arrived.
  private func place(
    for identifier: String, heads: [Record], in container: FilePath
  ) throws -> DocumentLocation {
    guard let path = heads.sorted(by: Record.isPreferred).first?.facts.path else {
      throw GitError.malformed("the document \(identifier) is published without a version")
    }
    let wanted = DocumentLocation(container: container, path: path)
    if let taken = try wanted.hasStore ? wanted : wanted.otherSpelling() {
      let present = try OpenStore(reading: taken, for: self).documentIdentifier
      // It could not be read a moment ago: it is not new here.
      if identifier == present { return taken }
      guard identifier < present else { return try freePlace(for: path, in: container) }
      try moveDocument(taken, to: freePlace(for: taken.path, in: container))
      return wanted
    }
    guard let present = try WorkingCopy.read(wanted) else { return wanted }
    // A file that nobody saved yet, and that happens to be the same, becomes the document.
    let isSame = heads.contains { present.content.isSame(as: $0.content) }
    return isSame ? wanted : try freePlace(for: path, in: container)
  }

  /// The path itself, or the first one with a number, at which nothing is but the document itself, in whatever case.
  private func freePlace(
    for path: String, in container: FilePath, besides own: DocumentLocation? = nil
  ) throws -> DocumentLocation {
    var place = DocumentLocation(container: container, path: path)
    var number = 2
    while try place != own
      && (place.hasStore || FileStatus.of(place.document) != nil
        || place.otherSpelling(besides: own) != nil)
    {
      place = DocumentLocation(container: container, path: ContainerPath.numbered(path, number))
      number += 1
    }
    return place
  }
}

extension DocumentLocation {
  /// The document's id, as its store's config tells; nil where that cannot be read.
  fileprivate var documentIdentifier: String? {
    do {
      let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) ?? []
      return try StoreConfiguration.values(in: bytes)["docversions.document"]
    } catch {
      // The exchange of this very document tells what is wrong.
      return nil
    }
  }
}

extension OpenStore {
  /// Writes the current version over a document that has no edits of its own.
  ///
  /// One that somebody took away is not brought back.
  fileprivate func showCurrentVersion() throws {
    guard let head = try divergentHeads().first, !head.isBare else { return }
    let current = head.record
    let present = try workingCopy()
    let isNewHere = try base() == nil
    let isUntouched = try shownVersion(present) != nil
    if isNewHere, let present {
      if present.content.isSame(as: current.content) { try setBase(current) }
    } else if isNewHere || isUntouched {
      if try base()?.id != current.id { try show(current, replacing: present) }
    }
  }
}
