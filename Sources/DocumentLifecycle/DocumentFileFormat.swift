internal import DocumentFiles
public import DocumentStore
public import Foundation

/// The form in which a class of documents keeps its contents on disk, where that is not what
/// ``Document/contents(forType:)`` returns: compressed, encrypted, or written by another library.
///
/// A document has it as ``Document/fileFormat``. Both methods run on a thread of their own, where they may block, one
/// access of a document at a time; a format is a value that refers to no document, so that it can touch none. It
/// builds on ``DocumentContents/init(contentsOf:)`` and ``DocumentContents/write(to:originalContentsURL:)``, as an
/// override builds on its superclass.
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
  /// Where the item changes meanwhile, what was read is thrown away, and it is read again.
  ///
  /// - Parameters:
  ///   - url: a file or a folder; nothing may be written there.
  ///   - type: the document's type.
  ///   - progress: to be set while reading.
  func read(
    from url: URL, ofType type: String, progress: OperationProgress
  ) throws -> DocumentContents

  /// Writes contents to a place where nothing is.
  ///
  /// What is written replaces the document in one step afterwards, durably, with the permissions of what was there.
  /// Where this throws, the document stays as it is.
  ///
  /// - Parameters:
  ///   - contents: what ``Document/contents(forType:)`` returned.
  ///   - url: the place, in a folder that only the user can read; the document's name, but not its folder.
  ///   - type: the document's type.
  ///   - originalContentsURL: the document as it is on disk; members that did not change can be linked from there. Nil
  ///     where there is none.
  ///   - progress: to be set while writing.
  func write(
    _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
    progress: OperationProgress
  ) throws
}

extension DocumentContents {
  /// Reads a file or a package as it is; blocks while it reads.
  ///
  /// - Throws: ``FileError``: `not-found`, `not-permitted`, `too-large`, `changing`, and `unsupported-kind` for
  ///   anything but a file or a folder.
  public init(contentsOf url: URL) throws {
    self = try DiskRevision.read(url, as: DiskForm()).contents
  }

  /// Writes a file or a package as it is to a place where nothing is; blocks while it writes.
  ///
  /// - Parameters:
  ///   - url: the place.
  ///   - original: the package that it was read from or written as last; files that did not change are linked from
  ///     there. Nil to write all.
  /// - Throws: the errors of writing.
  public func write(to url: URL, originalContentsURL original: URL? = nil) throws {
    switch self {
    case .data(let data): try data.write(to: url, options: .withoutOverwriting)
    case .package(let package): try package.wrapper().write(to: url, originalContentsURL: original)
    }
  }
}

/// The attributes that a document's file gets when it is written.
public struct DocumentFileAttributes: Sendable, Equatable {
  /// The permission bits; nil for those that the file has.
  public var permissions: Int?
  /// The modification date; nil for the present.
  public var modificationDate: Date?

  /// Makes attributes; by default none of its own.
  public init(permissions: Int? = nil, modificationDate: Date? = nil) {
    self.permissions = permissions
    self.modificationDate = modificationDate
  }
}

/// The reason for a save, which says what becomes of the contents besides the file.
public enum SaveOperation: Sendable, Equatable {
  /// The document is new: nothing may be in its place, and it gets its first version.
  case creating
  /// The app asked for a version, which stays.
  case version(note: String?)
  /// The document makes a version by itself, which may be thrown away once another one follows.
  case discardableVersion
  /// The file alone is written.
  case autosaving
}
