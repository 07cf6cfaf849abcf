internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// A document that a person has open in an app: a text, or a package whose members are written one by one.
@MainActor
final class StoryDocument: Document {
  /// The contents that the app shows.
  private(set) var shown = ItemContents.file(Data(), isExecutable: false)
  /// The number of loads since the document was opened, including that one.
  private(set) var loads = 0
  private let disk: StoryDisk

  init(_ url: URL, _ environment: DocumentEnvironment, on disk: StoryDisk) {
    self.disk = disk
    super.init(fileURL: url, environment: environment)
  }

  override var fileFormat: (any DocumentFileFormat)? { disk.isFull ? FullDisk() : nil }

  /// Replaces the shown contents, as one change that can be undone.
  func type(_ new: ItemContents) throws {
    let old = shown
    guard new != old else { return }
    try change(to: new)
    undoManager?.registerUndo(withTarget: self) { document in
      // The earlier contents can be shown again.
      do { try document.type(old) } catch { document.handle(error) }
    }
    undoManager?.setActionName("Typing")
    undoManager?.endEvent()
  }

  private func change(to new: ItemContents) throws {
    if case .folder(let members) = new {
      let tree = try wrapper ?? DocumentWrapper(directoryWithFileWrappers: [:])
      try members.replaceMembers(of: tree)
      wrapper = tree
    }
    shown = new
  }

  /// Saves the document; a stopped app saves nothing until it continues.
  override func save(to url: URL, for operation: SaveOperation) async throws {
    while disk.isAppStopped.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    try await super.save(to: url, for: operation)
  }

  override func contents(forType type: String) throws -> DocumentContents {
    switch shown {
    case .file(let data, _): return .data(data)
    case .folder:
      guard let wrapper else { throw Mismatch("“\(localizedName)” isn’t a package") }
      return .package(try wrapper.snapshot())
    case .link: throw Mismatch("“\(localizedName)” is a link")
    }
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    loads += 1
    switch contents {
    case .data(let data): shown = .file(data, isExecutable: false)
    case .package(let package):
      let tree = package.wrapper()
      shown = try ItemContents(tree)
      wrapper = tree
    }
  }
}

/// The state of a device's disk and app in a story.
@MainActor
final class StoryDisk {
  var isFull = false
  nonisolated let isAppStopped = Mutex(false)

  nonisolated init() {}
}

/// A file format for a full disk, to which nothing can be written.
private struct FullDisk: DocumentFileFormat {
  func read(
    from url: URL, ofType type: String, progress: OperationProgress
  ) throws -> DocumentContents {
    try DocumentContents(contentsOf: url)
  }

  func write(
    _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
    progress: OperationProgress
  ) throws {
    throw FileError(.noSpace, path: try url.filePath, message: "The disk is full.")
  }
}

extension ItemContents {
  /// Creates the contents of a wrapper.
  fileprivate init(_ wrapper: DocumentWrapper) throws {
    if wrapper.isDirectory {
      self = .folder(try wrapper.fileWrappers.mapValues { try ItemContents($0) })
    } else if wrapper.isSymbolicLink {
      self = .link(try wrapper.symbolicLinkDestinationURL.relativePath)
    } else {
      self = .file(try wrapper.regularFileContents, isExecutable: false)
    }
  }

  fileprivate func wrapper() throws -> DocumentWrapper {
    switch self {
    case .file(let data, _): return DocumentWrapper(regularFileWithContents: data)
    case .link(let target):
      return DocumentWrapper(symbolicLinkWithDestinationURL: URL(filePath: target))
    case .folder(let members):
      return try DocumentWrapper(directoryWithFileWrappers: members.mapValues { try $0.wrapper() })
    }
  }
}

extension [String: ItemContents] {
  /// Replaces the members that differ.
  fileprivate func replaceMembers(of tree: DocumentWrapper) throws {
    for (name, member) in try tree.fileWrappers {
      if let new = self[name], try ItemContents(member) == new { continue }
      try tree.removeFileWrapper(member)
    }
    let present = try tree.fileWrappers
    for (name, new) in self where present[name] == nil {
      let member = try new.wrapper()
      try member.setPreferredFilename(name)
      _ = try tree.addFileWrapper(member)
    }
  }
}
