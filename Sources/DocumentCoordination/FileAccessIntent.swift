public import Foundation
internal import Synchronization

/// An item and the kind of a coordinated access to it (`NSFileAccessIntent`).
public final class FileAccessIntent: Sendable {
  let use: RequestedItem.Use
  private let place: Mutex<URL>

  private init(_ url: URL, _ use: RequestedItem.Use) {
    self.use = use
    place = Mutex(url)
  }

  /// The location of the item, which is updated when the access is granted.
  public internal(set) var url: URL {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  /// Creates an intent to read an item.
  ///
  /// - Parameters:
  ///   - url: the item.
  ///   - options: how to read the item.
  public static func readingIntent(
    with url: URL, options: FileCoordinator.ReadingOptions = []
  ) -> FileAccessIntent {
    FileAccessIntent(url, .reading(options))
  }

  /// Creates an intent to write an item.
  ///
  /// - Parameters:
  ///   - url: the item.
  ///   - options: the kind of change.
  public static func writingIntent(
    with url: URL, options: FileCoordinator.WritingOptions = []
  ) -> FileAccessIntent {
    FileAccessIntent(url, .writing(options))
  }
}

extension FileCoordinator {
  /// Options for reading an item.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The options as a bit mask, with Apple's bits.
    public let rawValue: UInt
    /// Creates options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Doesn't ask presenters to save unsaved changes.
    public static let withoutChanges = ReadingOptions(rawValue: 1)
    /// Passes the target of a symbolic link to the accessor.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Doesn't wait, for an accessor that doesn't read the contents.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// Passes a temporary copy to the accessor, so that other programs may write in the meantime.
    ///
    /// A folder stays a folder and isn't archived.
    public static let forUploading = ReadingOptions(rawValue: 8)
  }

  /// The kind of change to a written item; use at most one option.
  public struct WritingOptions: OptionSet, Sendable {
    /// The options as a bit mask, with Apple's bits.
    public let rawValue: UInt
    /// Creates options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Deletes the item.
    ///
    /// Presenters close it first. For a folder, this waits for accesses to its contents.
    public static let forDeleting = WritingOptions(rawValue: 1)
    /// Moves or renames the item.
    ///
    /// For a folder, this waits for accesses to its contents.
    public static let forMoving = WritingOptions(rawValue: 2)
    /// Merges new contents into the item.
    ///
    /// Presenters save first.
    public static let forMerging = WritingOptions(rawValue: 4)
    /// Replaces the item with another one.
    ///
    /// This works like ``forDeleting``, but doesn't follow an item that moves in the meantime.
    public static let forReplacing = WritingOptions(rawValue: 8)
    /// Changes only attributes that don't depend on the contents, such as tags.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }
}
