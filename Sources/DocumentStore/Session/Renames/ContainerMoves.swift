internal import DocumentFiles
internal import SystemPackage

/// The missing documents of a container, and the files that may be these documents.
struct ContainerMoves {
  let container: FilePath
  /// The clock to compare file times with.
  let clock: FileClock
  /// The known listings of the container.
  let listings: ContainerListings?

  /// Returns the documents of the container that have stores but are missing, including deleted ones.
  func missing() throws -> MissingIndex {
    func find() throws -> MissingIndex {
      MissingIndex(
        try Layout.documentPaths(in: container).compactMap { path in
          let former = location(path)
          guard try !ContainerFolder.hasItem(at: former.document, in: container) else { return nil }
          // An unreadable entry in another document's store doesn't affect this document.
          do {
            return MissingDocument(
              path: path, mark: try former.workingFile?.mark,
              destination: try SmallFile.read(StoreFile.movedTo.path(in: former.store)))
          } catch  where !error.isFromSystem {
            return MissingDocument(path: path, mark: nil, destination: nil)
          }
        })
    }
    return try listings?.missing(in: container, finding: find) ?? find()
  }

  /// Returns the missing documents by the contents that they had.
  func contents() throws -> [DocumentContent.Key: [MissingDocument]] {
    func read() throws -> [DocumentContent.Key: [MissingDocument]] {
      var found: [DocumentContent.Key: [MissingDocument]] = [:]
      for document in try missing().documents {
        let former = location(document.path)
        do {
          if let content = try former.shownContent {
            found[content.key, default: []].append(document)
          }
        } catch {
          // A damaged store of another document doesn't affect this one, nor does one that was moved in the
          // meantime.
          guard try !error.isFromSystem || !former.hasStore else { throw error }
        }
      }
      return found
    }
    return try listings?.missingContents(in: container, reading: read) ?? read()
  }

  /// Matches all files and missing documents with certain contents.
  ///
  /// - Parameter place: one of the files.
  func places(of content: DocumentContent.Key, with place: DocumentLocation) throws
    -> FollowedPlaces
  {
    let path = Array(place.path.utf8)
    if let known = listings?.places(of: content, in: container), known.covers(path) {
      return known
    }
    let unsaved = try unsavedFiles()
    var found = try unsaved.filter { file in
      try file.size == content.bytes && file.path != place.path && isSame(file.path, as: content)
    }
    found.append(
      UnsavedFile(
        path: place.path, size: nil, mark: try WorkingFileEntry.mark(of: place.document) ?? ""))
    // A document whose own file has other contents by now was edited.
    let edited = Set(unsaved.map(\.mark)).subtracting(found.map(\.mark))
    var lost = try (contents()[content] ?? []).filter { !($0.mark.map(edited.contains) ?? false) }
    try found.removeAll { file in
      try !lost.contains { try !OwnFile(of: location($0.path)).isPutAside(at: location(file.path)) }
    }
    // Other documents may be followed in the meantime, so this requires that all are missing, and without
    // stores, at one time.
    var count = 0
    repeat {
      count = lost.count + found.count
      found = try found.filter { try !location($0.path).hasStore }
      lost = try lost.filter(isMissing)
    } while lost.count + found.count < count
    let assignment = try RenameAssignment(
      of: lost.map { .init(path: $0.path, mark: $0.mark, destination: $0.destination) },
      among: found.map { .init(path: $0.path, mark: $0.mark) }, isEmpty: content.bytes == 0
    ) { path in
      let other = location(path)
      return try FileStatus.of(other.document) != nil && other.hasStore
        && other.shownContent?.key == content
    }
    var places = FollowedPlaces()
    for (document, file) in assignment.places {
      places.former[Array(found[file].path.utf8)] = lost[document].path
    }
    let open = assignment.openDocuments.map { lost[$0].path }
    for file in assignment.openFiles { places.open[Array(found[file].path.utf8)] = open }
    listings?.keep(places, of: content, in: container)
    return places
  }

  private func location(_ path: String) -> DocumentLocation {
    DocumentLocation(container: container, path: path)
  }

  private func isMissing(_ document: MissingDocument) throws -> Bool {
    // An unreadable store of another document doesn't affect this one.
    do { return try location(document.path).isMissing } catch  where !error.isFromSystem {
      return false
    }
  }

  private func isSame(_ path: String, as content: DocumentContent.Key) throws -> Bool {
    // An unreadable file can't be identified.
    do {
      return try WorkingCopy.possible(at: location(path), clock: clock)
        .contains { $0.content.key == content }
    } catch { return false }
  }

  // MARK: Files without stores

  /// Returns the files without stores that may be missing documents, because they are the same file or have
  /// the same size or name.
  ///
  /// An ignored file must be the very file: one with the same contents is there for another purpose, such as a
  /// backup. Hidden folders, other containers, and folders that are packages are not
  /// searched.
  ///
  /// - Parameter others: the marks of other files to find.
  func unsavedFiles(with others: some Sequence<String> = EmptyCollection()) throws -> [UnsavedFile]
  {
    func find() throws -> [UnsavedFile] {
      let missing = try missing()
      let marks = missing.marks.union(others)
      let destinations = Set(missing.destinations.map { container.pushing(FilePath(bytes: $0)) })
      let sizes = Set(try contents().keys.filter { !$0.isPackage }.map(\.bytes))
      var found: [UnsavedFile] = []
      try visit(container, IgnoreRules(.documents, in: container)) { item, status, isIgnored in
        let isFile = status.kind == .file && !isIgnored
        let hasSize = isFile && sizes.contains(status.size)
        let mark = try WorkingFileEntry.mark(of: item) ?? ""
        guard
          hasSize || marks.contains(mark) || destinations.contains(item)
            || !isIgnored && missing.hasDocument(named: item.lastName)
        else { return }
        let location = try DocumentLocation(of: item)
        guard try location.container == container && !location.hasStore else { return }
        found.append(
          UnsavedFile(path: location.path, size: isFile ? status.size : nil, mark: mark))
      }
      return found
    }
    return try listings?.unsavedFiles(in: container, finding: find) ?? find()
  }

  /// Visits the items of a folder and those below it.
  ///
  /// - Parameters:
  ///   - rules: the rules for the items; `nil` if all are ignored.
  ///   - body: receives an item, its status, and whether it is ignored.
  private func visit(
    _ folder: FilePath, _ rules: IgnoreRules?,
    _ body: (FilePath, FileStatus, Bool) throws -> Void
  ) throws {
    let names = try Folder.names(in: folder)
    let staysOut = folder != container && IgnoredItem.Reason(ofFolderWith: Set(names)) != nil
    let rules = staysOut ? nil : rules
    for name in names where name.first != UInt8(ascii: ".") {
      let item = folder.appending(bytes: name)
      guard String(validating: name, as: UTF8.self) != nil, let status = try FileStatus.of(item)
      else { continue }
      let isIgnored = rules.map { $0.rule(for: [name], isFolder: status.kind == .folder) != nil }
      try body(item, status, isIgnored ?? true)
      guard status.kind == .folder,
        try FileStatus.of(item.appending(Layout.folderName)) == nil,
        try !DocumentLocation(of: item).hasStore
      else { continue }
      // A folder that can't be listed counts as missing.
      do {
        try visit(item, isIgnored == false ? rules?.entering(name) : nil, body)
      } catch let error as FileError where error.isAboutOneFolder {}
    }
  }
}
