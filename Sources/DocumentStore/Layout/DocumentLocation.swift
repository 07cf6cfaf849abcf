package import DocumentFiles
internal import DocumentGit
package import Foundation
package import SystemPackage

/// The locations of a document and its store.
package struct DocumentLocation: Sendable, Equatable {
  /// The folder that holds `.docversions`, without links.
  package let container: FilePath
  /// The document's path in the container.
  package let path: String
  /// The store's folder: the one that the path implies, unless the store has not followed a rename yet.
  package var store: FilePath

  package init(container: FilePath, path: String) {
    self.container = container
    self.path = path
    store = Layout.store(of: path, in: container)
  }

  package static func == (left: DocumentLocation, right: DocumentLocation) -> Bool {
    left.container == right.container && left.store == right.store
      && left.path.hasBytes(of: right.path)
  }

  /// The document itself.
  package var document: FilePath {
    container.appending(path)
  }

  /// The document's name, for messages.
  package var printable: String { Printable.text(ContainerPath.name(of: path)) }

  /// The document as a URL.
  package var url: URL { URL(filePath: document.string) }

  /// True if the document has a store, or rests; a link in the path of the store is an error.
  package var hasStore: Bool {
    get throws {
      try StoreSafety.isThere(store, in: container) || RestingDocuments.entry(of: self) != nil
    }
  }

  /// Throws an error for a folder that keeps versions of its own: restoring it would revert these versions.
  package func refuseContainer() throws { try Self.refuseContainer(at: document) }

  /// Throws the same error for a folder at any path.
  package static func refuseContainer(at path: FilePath) throws {
    // A member may have any name, so the folder counts only if it contains stores.
    guard try FileStatus.of(Layout.documents(of: path))?.kind == .folder,
      try !RestingDocuments.of(path).isEmpty
        || Layout.documentPaths(in: path).contains(where: {
          try FileStatus.of(Layout.store(of: $0, in: path).appending("HEAD")) != nil
        })
    else { return }
    throw VersionError(
      .invalidArgument, document: path.printable,
      message:
        "“\(path.printable)” keeps the versions of its documents and can’t be one itself.",
      recovery: .saveDocumentsInside)
  }

  /// The error for a document that was never saved.
  var noVersions: VersionError {
    VersionError(
      .noVersions, document: printable, message: "“\(printable)” has no versions yet.",
      recovery: .saveFirst)
  }

  /// The error for a document whose store has no versions, because its first save or arrival didn't finish.
  var noVersionsHere: VersionError {
    VersionError(
      .noVersions, document: printable,
      message: """
        “\(printable)” has no versions here: its first was not saved, or not received, to the end.
        """,
      recovery: .exchangeAgain, hint: "Save it, or exchange again, which continues where it ended.")
  }

  /// Returns the error for a version of another document.
  func lacks(_ version: FileVersion) -> VersionError {
    VersionError(
      .noSuchVersion, document: printable,
      message: "“\(printable)” has no version \(version.persistentIdentifier.short).")
  }

  /// Returns whether the store is still in place and is the one with a status, changed or not.
  package func isStore(_ status: FileStatus?) throws -> Bool {
    guard let status, let present = try FileStatus.of(store) else { return false }
    return present.isSameItem(as: status)
  }
}

// MARK: Names that differ only in case

extension DocumentLocation {
  /// Returns another document whose path differs only in case, or in how characters are composed.
  ///
  /// A disk that treats both paths as equal, which another device may have, can't hold both documents.
  ///
  /// - Parameters:
  ///   - own: a document that doesn't count, because it is this one.
  ///   - listings: the known listings of the container.
  package func otherSpelling(
    besides own: DocumentLocation? = nil, knowing listings: ContainerListings? = nil
  ) throws -> DocumentLocation? {
    try spellings(knowing: listings).first { other in
      // Compares bytes, because strings treat two compositions of a character as equal.
      try !other.path.hasBytes(of: path) && own.map { !other.path.hasBytes(of: $0.path) } ?? true
        && other.hasStore && FileStatus.of(other.document) != nil
    }
  }

  /// Returns the documents whose paths differ at most in case, or in how characters are composed.
  package func spellings(knowing listings: ContainerListings?) throws -> [DocumentLocation] {
    var found = [""]
    for name in path.pathNames() where !found.isEmpty {
      found = try found.flatMap { folder in
        func all() throws -> [String] { try Layout.documentNames(in: folder, of: container) }
        let place = folder.pathNames().reduce(container) { $0.appending($1) }
        let names =
          try listings?.names(like: name, in: place, listing: all)
          ?? all().filter { $0.lowercased() == name.lowercased() }
        return names.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
      }
    }
    return found.map { DocumentLocation(container: container, path: $0) }
  }

  /// Throws an error for a document that can't exist beside another one on every device.
  func checkSpelling(
    besides own: DocumentLocation? = nil, knowing listings: ContainerListings? = nil
  ) throws {
    if let other = try otherSpelling(besides: own, knowing: listings) {
      throw refusal(of: other.path)
    }
  }

  /// Returns the error for a document beside another one that a disk may confuse with it.
  func refusal(of other: String) -> FileError {
    FileError(
      .exists, path: document,
      message: """
        “\(Printable.text(path))” and “\(Printable.text(other))” differ only in how they are spelled; on \
        devices that take such names for one, both can’t be in one folder. Rename one of them first.
        """)
  }
}

extension DocumentLocation {
  /// Finds the container and the path of a document, which need not exist itself.
  ///
  /// The container is the nearest folder above it with `.docversions`, or else its own folder.
  package init(of url: URL, links: LinkUse = .followed) throws {
    guard url.isFileURL else {
      throw VersionError(
        .invalidArgument, document: url.absoluteString,
        message: "“\(Printable.text(url.absoluteString))” is not the address of a file.")
    }
    try self.init(of: url.filePath, links: links)
  }

  package init(of given: FilePath, links: LinkUse = .followed) throws {
    let document: FilePath
    do {
      document = try Self.normalized(given)
    } catch let error as FileError where error.code == .notFound {
      if let stored = try ContainerFolder.placeBehindLink(at: given, leadingTo: nil)
        .flatMap(Self.stored)
      {
        self = stored
        return
      }
      // The folder of a deleted document may be gone, too.
      let place = try Self.normalizedWithoutFolder(given)
      guard let stored = try Self.stored(Self.container(above: place), place) else { throw error }
      self = stored
      return
    }
    if let stored = try ContainerFolder.placeBehindLink(at: given, leadingTo: document)
      .flatMap(Self.stored)
    {
      self = stored
      return
    }
    let container = try Self.container(above: document)
    guard links != .itself, try FileStatus.of(document)?.kind == .symbolicLink else {
      try self.init(container: container, document: document)
      return
    }
    // A document that was replaced by a link keeps its own versions.
    if let stored = try Self.stored(container, document) {
      self = stored
      return
    }
    if links == .refused { throw try Self.refusal(ofLink: document) }
    let target = try document.resolvingLinks()
    guard target.starts(with: container), try Self.container(above: target) == container else {
      throw FileError(
        .unsupportedKind, path: document,
        message: """
          “\(document.printable)” is a link to “\(target.printable)”, outside this folder; name that \
          document itself.
          """)
    }
    try self.init(container: container, document: target)
  }

  private static func refusal(ofLink link: FilePath) throws -> FileError {
    let target = Printable.text(try Folder.linkTarget(of: link))
    return FileError(
      .unsupportedKind, path: link,
      message: """
        “\(link.printable)” is a link to “\(target)”, not a document; name the document that it leads to.
        """)
  }

  private init(container: FilePath, document: FilePath) throws {
    var rest = document
    guard rest.removePrefix(container), !rest.components.isEmpty else {
      throw FileError(
        .invalidName, path: document,
        message: "“\(document.printable)” can’t be a document of itself.")
    }
    let names = try rest.components.map { component in
      guard let name = component.withPlatformString({ String(validatingCString: $0) }) else {
        throw FileError(
          .invalidName, path: document,
          message: "The name of “\(document.printable)” is not valid UTF-8; rename it first.")
      }
      return name
    }
    if names.contains(where: ContainerPath.isStoresFolder) {
      throw FileError(
        .invalidName, path: document,
        message: "“\(document.printable)” belongs to a store and isn’t a document.")
    }
    if names.contains(where: ContainerPath.isGitFolder) {
      throw FileError(
        .invalidName, path: document,
        message: "“\(document.printable)” belongs to git and isn’t a document.")
    }
    if let flaw = ContainerPath.flaw(ofName: document.lastName) {
      throw FileError(
        .invalidName, path: document,
        message: "The name of “\(document.printable)” \(flaw); rename it first.")
    }
    self.init(container: container, path: names.joined(separator: "/"))
  }

  /// Returns the document with versions at a path, whatever item is there now; `nil` if there is none.
  private static func stored(
    _ container: FilePath, _ document: FilePath
  ) throws -> DocumentLocation? {
    do {
      let location = try Self(container: container, document: document)
      return try location.hasStore ? location : nil
    } catch let error as FileError where error.code == .invalidName {
      return nil
    }
  }

  /// Returns the absolute path, with the links above the last name followed.
  static func normalized(_ given: FilePath) throws -> FilePath {
    let path = given
    guard let name = path.lastComponent, name.kind == .regular else {
      // "/", "..", ".": folders, whatever the path.
      return try path.isEmpty ? FilePath(".").resolvingLinks() : path.resolvingLinks()
    }
    return try path.parentFolder.resolvingLinks().appending(name)
  }

  /// Does the same for a path of which only some folders exist.
  static func normalizedWithoutFolder(_ path: FilePath) throws -> FilePath {
    guard let name = path.lastComponent, name.kind == .regular, try FileStatus.of(path) == nil
    else { return try path.resolvingLinks() }
    return try normalizedWithoutFolder(path.parentFolder).appending(name)
  }

  /// Returns the nearest folder above a document that is a container, or else the document's own folder.
  private static func container(above document: FilePath) throws -> FilePath {
    try ContainerFolder.nearest(from: document.parentFolder) ?? document.parentFolder
  }
}

/// The meaning of a path that names a symbolic link, if no document was ever saved under its name.
package enum LinkUse {
  /// The document that it leads to, for operations on contents and versions; a link out of the container is
  /// an error.
  case followed
  /// An error, for operations that can move or remove the item with that name: the link would lead nowhere
  /// after them.
  case refused
  /// The link itself, for places at which an item will be created.
  case itself
}

extension DocumentLocation {
  /// The document's ids in its store's config, or where it rests; `nil` if they can't be read.
  package var documentIdentity: DocumentIdentity? {
    do {
      guard let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) else {
        return try RestingDocuments.document(of: self)?.identity
      }
      return DocumentIdentity(configuration: try StoreConfiguration.values(in: bytes))
    } catch {
      // The exchange of this document reports the fault.
      return nil
    }
  }

  /// The ids in the config of the document's store; `nil` if they can't be read.
  var identityOfStore: DocumentIdentity? {
    do {
      return DocumentIdentity(configuration: try StoreSafety.configuration(of: store))
    } catch {
      return nil
    }
  }
}
