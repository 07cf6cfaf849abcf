public import Foundation

/// A new, empty folder for one test, which is removed with the last reference to it.
public final class ScratchFolder: Sendable {
  /// The folder, without links in its path.
  public let url: URL

  /// Makes the folder.
  ///
  /// - Parameter isInMemory: puts it in memory if there is room, because synchronizing takes no time there.
  ///   This is the default except in the full mode; false for tests of file systems.
  public init(isInMemory: Bool = !TestMode.isFull) throws {
    let memory = isInMemory ? ProcessFolder.inMemory : nil
    url = try (memory ?? ProcessFolder.onDisk).get().makeFolder()
  }

  deinit {
    // A folder that is left behind doesn't fail a test.
    do { try FileManager.default.removeItem(at: url) } catch {}
  }

  /// The URL of an item in the folder.
  public subscript(_ path: String) -> URL {
    url.appending(path: path)
  }

  /// Writes a file, with the folders above it.
  @discardableResult
  public func write(_ contents: String, to path: String) throws -> URL {
    let file = self[path]
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: file)
    return file
  }

  /// The text of a file.
  public func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: self[path]), as: UTF8.self)
  }
}
