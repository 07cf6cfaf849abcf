internal import DocumentFiles
internal import SystemPackage

/// Finds where a document was, if its store there has lost its document.
struct FormerLocationSearch {
  private let place: DocumentLocation
  private let listings: ContainerListings?

  /// - Parameters:
  ///   - place: the document.
  ///   - listings: what is known of the container already.
  init(_ place: DocumentLocation, knowing listings: ContainerListings?) {
    self.place = place
    self.listings = listings
  }

  private var container: FilePath { place.container }

  /// What is known of a file without a store.
  enum Answer {
    /// It is the document that was there.
    case former(DocumentLocation)
    /// It has the contents of documents that were at these paths, and nothing says which one it is.
    case open([String])
    case new

    var location: DocumentLocation? {
      guard case .former(let location) = self else { return nil }
      return location
    }
  }

  /// Returns what a file without a store is; see ``RenameAssignment``.
  ///
  /// - Parameter clock: the clock by which contents are read; `nil` if they do not count.
  func find(readingBy clock: FileClock? = nil) throws -> Answer {
    let moves = ContainerMoves(
      container: container, clock: clock ?? .system, listings: listings)
    let missing = try moves.missing()
    guard !missing.documents.isEmpty, let mark = try WorkingFileEntry.mark(of: place.document)
    else { return .new }
    // Thousands may be missing, so only those that match are looked at on the disk.
    func first(_ documents: [MissingDocument]) throws -> DocumentLocation? {
      for document in documents {
        let former = DocumentLocation(container: container, path: document.path)
        if try mayBe(former) { return former }
      }
      return nil
    }
    let path = Array(place.path.utf8)
    let same = try first(missing.documents(withMark: mark))
    let known = try same ?? first(missing.documents(foundAt: path))
    let isNamedAsOther = missing.documents(named: ContainerPath.name(of: place.path))
      .contains { other in same.map { !$0.path.hasBytes(of: other.path) } ?? true }
    guard let clock, same == nil || isNamedAsOther else {
      return known.map(Answer.former) ?? .new
    }
    let contents = try moves.contents()
    let copies =
      contents.isEmpty ? [] : try WorkingCopy.possible(at: place, clock: clock).map(\.content.key)
    guard let content = copies.first(where: { contents[$0] != nil }),
      same.map({ same in contents[content]?.contains { $0.path.hasBytes(of: same.path) } ?? false })
        ?? true
    else { return known.map(Answer.former) ?? .new }
    let places = try moves.places(of: content, with: place)
    if let former = places.former[path] {
      let location = DocumentLocation(container: container, path: former)
      return try mayBe(location) ? .former(location) : .new
    }
    return places.open[path].flatMap { $0.isEmpty ? nil : .open($0) } ?? .new
  }

  /// Returns whether this may be a document that was somewhere else: that is missing there, and has its store there.
  private func mayBe(_ former: DocumentLocation) throws -> Bool {
    // An unreadable store of another document does not stop this one.
    do {
      return try former.isMissing && !place.isPutAside(from: former)
    } catch  where !error.isFromSystem {
      return false
    }
  }
}
