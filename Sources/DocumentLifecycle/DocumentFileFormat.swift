internal import DocumentFiles
public import DocumentStore
public import Foundation

/// The on-disk format of a document class, if it differs from ``Document/contents(forType:)``: compressed, encrypted,
/// or written by another library.
///
/// A document returns its format from ``Document/fileFormat``. Both methods run on a separate thread, where they may
/// block, one access of a document at a time. A format is a value that refers to no document, so it can't touch one. It
/// uses ``DocumentContents/init(contentsOf:)`` and ``DocumentContents/write(to:originalContentsURL:)`` as an override
/// uses its superclass.
///
/// ```swift
/// struct Reversed: DocumentFileFormat {
///   func read(from url: URL, ofType type: String, progress: OperationProgress) throws -> DocumentContents {
///     .data(Data(try Data(contentsOf: url).reversed()))
///   }
///   func write(
///     _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
///     progress: OperationProgress
///   ) throws {
///     guard case .data(let data) = contents else { throw CocoaError(.fileWriteUnknown) }
///     try Data(data.reversed()).write(to: url)
///   }
/// }
/// ```
public protocol DocumentFileFormat: Sendable {
  /// Reads the document at a URL.
  ///
  /// If the item changes while it is read, the result is discarded and the item is read again.
  ///
  /// - Parameters:
  ///   - url: a file or a folder, which must not be changed.
  ///   - type: the document's type.
  ///   - progress: the progress to update while reading.
  func read(
    from url: URL, ofType type: String, progress: OperationProgress
  ) throws -> DocumentContents

  /// Writes contents to a new item.
  ///
  /// Afterward, the new item replaces the document in one step, durably, with the permissions of the old item. If the
  /// method throws, the document stays unchanged.
  ///
  /// - Parameters:
  ///   - contents: the result of ``Document/contents(forType:)``.
  ///   - url: the location of the new item, which has the document's name, in a folder that only the user can read.
  ///   - type: the document's type.
  ///   - originalContentsURL: the document on disk, from which unchanged members can be linked; `nil` if there is none.
  ///   - progress: the progress to update while writing.
  func write(
    _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
    progress: OperationProgress
  ) throws
}

extension DocumentContents {
  /// Reads a file or a package without conversion; blocks.
  ///
  /// - Throws: ``FileError``: `not-found`, `not-permitted`, `too-large`, `changing`, and `unsupported-kind` for an item
  ///   that is neither a file nor a folder.
  public init(contentsOf url: URL) throws {
    self = try DiskRevision.read(url, as: DiskForm()).contents
  }

  /// Writes a file or a package without conversion to a new item; blocks.
  ///
  /// - Parameters:
  ///   - url: the location of the new item.
  ///   - original: the package as it was last read or written, from which unchanged files are linked; `nil` to write
  ///     all files.
  /// - Throws: the errors of writing.
  public func write(to url: URL, originalContentsURL original: URL? = nil) throws {
    switch self {
    case .data(let data): try NewFile.write(Array(data), to: url.filePath)
    case .package(let package): try package.wrapper().write(to: url, originalContentsURL: original)
    }
  }
}

/// The attributes of a document's file when it is written.
public struct DocumentFileAttributes: Sendable, Equatable {
  /// The permission bits; `nil` to keep the file's.
  public var permissions: Int?
  /// The modification date; `nil` for the present date.
  public var modificationDate: Date?

  /// Creates attributes.
  public init(permissions: Int? = nil, modificationDate: Date? = nil) {
    self.permissions = permissions
    self.modificationDate = modificationDate
  }
}

/// The reason for a save, which determines whether it makes a version.
public enum SaveOperation: Sendable, Equatable {
  /// The document is new: no item may exist at its location, and it gets its first version.
  case creating
  /// The app asked for a version, which isn't discardable.
  case version(note: String?)
  /// The document makes a version automatically, which is discardable once another version follows.
  case discardableVersion
  /// Only the file is written.
  case autosaving
}
