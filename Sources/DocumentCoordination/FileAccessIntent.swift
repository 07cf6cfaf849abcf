public import Foundation
internal import Synchronization

/// An item that a coordinated access is to, and how (`NSFileAccessIntent`).
public final class FileAccessIntent: Sendable {
  let use: RequestedItem.Use
  private let place: Mutex<URL>

  private init(_ url: URL, _ use: RequestedItem.Use) {
    self.use = use
    place = Mutex(url)
  }

  /// The item; once the access is granted, where it is by then.
  public internal(set) var url: URL {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  /// Intends to read an item.
  ///
  /// - Parameters:
  ///   - url: the item.
  ///   - options: how.
  public static func readingIntent(
    with url: URL, options: FileCoordinator.ReadingOptions = []
  ) -> FileAccessIntent {
    FileAccessIntent(url, .reading(options))
  }

  /// Intends to write an item.
  ///
  /// - Parameters:
  ///   - url: the item.
  ///   - options: what is done to it.
  public static func writingIntent(
    with url: URL, options: FileCoordinator.WritingOptions = []
  ) -> FileAccessIntent {
    FileAccessIntent(url, .writing(options))
  }
}

extension FileCoordinator {
  /// How an item is read.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The options as bits, those of Apple's.
    public let rawValue: UInt
    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Presenters are not asked to save what is only in memory.
    public static let withoutChanges = ReadingOptions(rawValue: 1)
    /// The accessor gets what a symbolic link leads to.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Nothing is waited for, and the contents are not read.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// The accessor gets a copy, which goes afterwards, and other programs may write meanwhile.
    ///
    /// A folder stays a folder; it is not put into an archive.
    public static let forUploading = ReadingOptions(rawValue: 8)
  }

  /// What is done to an item that is written; one at most.
  public struct WritingOptions: OptionSet, Sendable {
    /// The options as bits, those of Apple's.
    public let rawValue: UInt
    /// Makes options of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// It is deleted: presenters close it first; accesses to what is in a folder are waited for.
    public static let forDeleting = WritingOptions(rawValue: 1)
    /// It is moved or renamed: accesses to what is in a folder are waited for.
    public static let forMoving = WritingOptions(rawValue: 2)
    /// What is new is brought into it: presenters save first.
    public static let forMerging = WritingOptions(rawValue: 4)
    /// Another item takes its place: as ``forDeleting``, and one that is moved meanwhile is not followed.
    public static let forReplacing = WritingOptions(rawValue: 8)
    /// Only attributes change that do not depend on the contents, such as tags.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }
}
