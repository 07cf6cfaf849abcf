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

  /// Returns the location; `nil` if there is none.
  ///
  /// - Parameter clock: where none was the same file, one with the same content is it, and contents are read by this
  ///   clock; `nil` if contents do not count.
  func find(readingBy clock: FileClock? = nil) throws -> DocumentLocation? {
    let missing = try missingDocuments()
    guard !missing.isEmpty, let mark = try WorkingFileEntry.mark(of: place.document) else {
      return nil
    }
    // Thousands may be missing, so only those that match are looked at on the disk.
    func first(where isMeant: (MissingDocument) -> Bool) throws -> DocumentLocation? {
      for document in missing where isMeant(document) {
        let former = DocumentLocation(container: container, path: document.path)
        if try mayBe(former) { return former }
      }
      return nil
    }
    let path = Array(place.path.utf8)
    if let same = try first(where: { $0.mark == mark }) ?? first(where: { $0.destination == path })
    {
      return same
    }
    return try clock.flatMap {
      try onlyOneWithSameContent(among: missing, readingBy: $0)
    }
  }

  /// The documents of the container that are missing although they have stores, also those that were deleted.
  private func missingDocuments() throws -> [MissingDocument] {
    func find() throws -> [MissingDocument] {
      try Layout.documentPaths(in: container).compactMap { path in
        let former = DocumentLocation(container: container, path: path)
        guard try FileStatus.of(former.document) == nil else { return nil }
        // An unreadable entry of another store does not stop this document.
        do {
          return MissingDocument(
            path: path, mark: try former.workingFile?.mark,
            destination: try SmallFile.read(StoreFile.movedTo.path(in: former.store)))
        } catch  where !error.isFromSystem {
          return MissingDocument(path: path, mark: nil, destination: nil)
        }
      }
    }
    return try listings?.missing(in: container, finding: find) ?? find()
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

  /// Two documents of the same content give no answer: nothing is taken rather than the wrong one.
  private func onlyOneWithSameContent(
    among missing: [MissingDocument], readingBy clock: FileClock
  ) throws -> DocumentLocation? {
    let copies = try WorkingCopy.possible(at: place, clock: clock)
    guard !copies.isEmpty else { return nil }
    func read() throws -> [(path: String, content: DocumentContent)] {
      try missing.compactMap { document in
        let former = DocumentLocation(container: container, path: document.path)
        do {
          return try former.shownContent.map { (path: document.path, content: $0) }
        } catch {
          // A damaged store of another document is no hindrance for this one, nor is one that was moved meanwhile.
          guard try !error.isFromSystem || !former.hasStore else { throw error }
          return nil
        }
      }
    }
    let contents = try listings?.missingContents(in: container, reading: read) ?? read()
    let candidates = try contents.filter { _, content in
      copies.contains { $0.content.isSame(as: content) }
    }
    .map { path, _ in DocumentLocation(container: container, path: path) }
    .filter(mayBe)
    return candidates.count == 1 ? candidates[0] : nil
  }
}
