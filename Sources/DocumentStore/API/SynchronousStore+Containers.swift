internal import DocumentFiles
package import DocumentTypes
package import Foundation
internal import SystemPackage

/// Access to containers, and to the documents and copies in them.
package protocol ContainerAccess {
  var environment: StoreEnvironment { get }
}

extension SynchronousStore: ContainerAccess {}

extension ContainerAccess {
  /// Returns the container around a folder, which may be the folder itself; `nil` if there is none.
  package func container(around folder: URL) throws -> URL? {
    try ContainerFolder.holding(folder).map {
      URL(filePath: $0.container.string, directoryHint: .isDirectory)
    }
  }

  /// Makes a folder a container, unless it is already in one.
  package func makeContainer(_ folder: URL) throws {
    guard try ContainerFolder.holding(folder) == nil else { return }
    let folder = try folder.filePath.resolvingLinks()
    try Layout.makeDocumentsFolder(of: folder)
  }

  /// Makes a folder a container of its own, and creates it if it is missing; missing folders above it are
  /// created for this user only.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if the folder belongs to the documents of another container.
  package func makeContainerOfItsOwn(_ folder: URL) throws {
    let folder = try folder.filePath
    if try FileStatus.of(Layout.documents(of: folder))?.kind == .folder { return }
    if let outer = try ContainerFolder.showing(folder) {
      throw VersionError(
        .invalidArgument, document: folder.printable,
        message: """
          “\(folder.printable)” would be a container inside the container “\(outer.printable)”, which would no longer keep \
          the documents there.
          """,
        hint: "Choose a folder outside of it.")
    }
    try Folder.create(folder.parentFolder, permissions: 0o700)
    try Folder.createInside(folder)
    try Layout.makeDocumentsFolder(of: folder.resolvingLinks())
  }

  /// Returns the present and the former location of a document whose last operation was a move to another
  /// container, so that it can be undone; `nil` if it was another operation.
  ///
  /// - Parameter document: the document, or its former location.
  package func lastMove(of document: URL) throws -> (present: URL, former: URL)? {
    try environment.lastMove(of: document).map { ($0.present.url, $0.former.url) }
  }

  /// Returns the paths of all documents of the container that a folder is in; `nil` if it is in none.
  package func documentPaths(around folder: URL) throws -> [String]? {
    guard let (_, container) = try ContainerFolder.holding(folder) else { return nil }
    // For many documents, building a path is much faster than building a URL.
    let start = container.string + (container.components.isEmpty ? "" : "/")
    return try Layout.documents(in: container).map { start + $0.path }
  }

  /// Returns whether there are versions under a document's path; versions under former paths, and those of the document
  /// that a link leads to, don't count.
  package func hasStore(_ document: URL) throws -> Bool {
    do {
      return try DocumentLocation(of: document, links: .itself).hasStore
    } catch let error as FileError where error.code == .notFound {
      // Its folder is gone, and so are the stores of the documents in it.
      return false
    }
  }

  /// Returns whether a document at a path has versions.
  package func hasVersions(_ document: URL) throws -> Bool {
    try DocumentLocation(of: document).hasVersions(
      by: environment.fileClock, knowing: environment.listings)
  }

  /// Returns whether a folder is a package with versions, and so is itself a document.
  package func isSavedPackage(_ folder: URL) throws -> Bool {
    let location = try DocumentLocation(of: folder.filePath.resolvingLinks())
    return try location.hasStore
      && environment.reading(location.url) {
        try $0.heads.base()?.facts.package == true
      }
  }

  /// Returns the versions with the same contents as a file or package, newest first.
  package func versions(
    of document: URL, withContentsOf other: ContentsOnDisk
  ) throws -> [FileVersion] {
    try environment.reading(document) { reader in
      let same = try reader.chain.contents().keys.filter {
        let content = try reader.record($0).content
        return content?.digest == other.digest && content?.isPackage == other.isPackage
      }
      return try reader.versions(same)
    }
  }

  /// Reads the contents of a file or a package on disk.
  package func contentsOnDisk(_ url: URL) throws -> ContentsOnDisk {
    try ContentsOnDisk(reading: url, clock: environment.fileClock)
  }

  /// Returns the documents with versions below a folder; `nil` if the folder isn't in a container.
  package func listedDocuments(below folder: URL) throws -> ListedDocuments? {
    guard let (folder, container) = try ContainerFolder.holding(folder) else { return nil }
    return try ListedDocuments(below: folder, in: container)
  }

  /// Returns the documents below a folder, and which of them are certainly unchanged; `nil` if the folder
  /// isn't in a container.
  package func unchangedDocuments(below folder: URL) throws -> UnchangedDocuments? {
    let start = environment.fileClock.now
    return try listedDocuments(below: folder).map {
      try UnchangedDocuments(of: $0, readSince: start)
    }
  }

  /// Reads which of some documents are certainly unchanged.
  package func unchangedDocuments(of listed: ListedDocuments) throws -> UnchangedDocuments {
    try UnchangedDocuments(of: listed, readSince: environment.fileClock.now)
  }

  /// Finds documents that were renamed outside docversions, for example by `mv`, and not saved since.
  ///
  /// This reads only the folders that they were in. All other operations find a document's versions under its new name.
  ///
  /// - Parameter documents: the last known locations of documents with versions.
  /// - Returns: the new locations by the former ones, without documents that are in place, in another folder, or
  ///   missing.
  /// - Throws: ``FileError`` if a folder can't be listed.
  package func renamedDocuments(among documents: [URL]) throws -> [URL: URL] {
    try MissingDocuments(among: documents).renamed()
  }

  /// Finds documents that were moved outside docversions within their container, and not saved since.
  ///
  /// The document is the same file, or else one with the same bytes: ``RenameAssignment`` says which. Hidden folders
  /// aren't searched, and backups, lock files and conflicted copies don't count as documents.
  ///
  /// - Returns: the new locations by the former ones.
  package func movedDocuments(among documents: [URL]) throws -> [URL: URL] {
    try moves(of: documents).places
  }

  /// Finds documents that took each other's places outside docversions, and were not saved since.
  ///
  /// - Returns: the new locations by the former ones.
  package func exchangedDocuments(among documents: [URL]) throws -> [URL: URL] {
    var places: [URL: URL] = [:]
    for circle in try MissingDocuments(among: documents).circles() {
      for (document, place) in zip(circle, circle.dropFirst() + circle.prefix(1)) {
        places[document.url] = place.url
      }
    }
    return places
  }

  /// Does the same as ``movedDocuments(among:)``, and also returns the missing documents for which several files match
  /// equally.
  package func moves(of documents: [URL]) throws -> MissingDocuments.Moves {
    try MissingDocuments(among: documents).moved(by: environment.fileClock)
  }

  /// Returns the document that a missing one is a part of, because they were joined and that was interrupted at its end;
  /// `nil` if it is missing for another reason.
  package func joinedDocument(of document: URL) throws -> URL? {
    try OtherPlace.joinedDocument(of: DocumentLocation(of: document))?.url
  }

  // MARK: Types

  /// Returns the types that a container declares, file by file in the order of their names.
  ///
  /// - Throws: ``FileError`` with the faulty file.
  package func declaredTypes(in container: URL) throws -> [TypeDeclarations] {
    try DeclaredTypes(environment).declarations(in: container)
  }

  /// Returns the types that apply to a document: ``VersionStore/types``, and the types that its container declares.
  package func types(for document: URL) throws -> DocumentTypes {
    try DeclaredTypes(environment).types(in: DocumentLocation(of: document).container)
  }

  /// Throws an error for a folder that can't be one document, because its name isn't a package's, or because it holds
  /// documents with versions of their own.
  package func refuseFolder(_ document: URL) throws {
    try Saving(environment).refuseFolder(DocumentLocation(of: document))
  }

  /// Returns whether a save without options treats a folder as one document, because of its name or because its last
  /// version is a package.
  package func isPackage(_ document: URL) throws -> Bool {
    try Saving(environment).isPackage(document)
  }

  /// Declares types for the documents of a container.
  ///
  /// - Parameters:
  ///   - file: a property list, which is copied; see ``DocumentTypes/add(declarationsIn:)``.
  ///   - container: a folder with documents, or a folder inside it; it becomes a container if it isn't one yet.
  /// - Returns: the declarations; their name is the file's, with a number if that name is taken. Existing declarations
  ///   stay unchanged.
  /// - Throws: ``FileError`` if the file isn't valid; then nothing is declared.
  @discardableResult
  package func declareTypes(from file: URL, in container: URL) throws -> TypeDeclarations {
    try DeclaredTypes(environment).declare(from: file, in: container)
  }

  /// Removes declarations that ``declareTypes(from:in:)`` added.
  ///
  /// This also removes an unreadable file.
  ///
  /// - Throws: ``FileError`` with code `notFound` if no declarations have that name.
  package func removeTypes(named name: String, in container: URL) throws {
    try DeclaredTypes(environment).remove(named: name, in: container)
  }
}
