internal import DocumentFiles
internal import SystemPackage

/// A file of a repository that stays open while it is referenced.
final class OpenFile: Sendable {
  private let descriptor: Descriptor
  /// The size in bytes.
  let size: Int
  /// The modification time, in nanoseconds since 1970.
  let modified: Int64

  /// The descriptor, which is open while this object is referenced.
  var number: Int32 { descriptor.number }

  /// Opens a file, without following a link; `nil` if it doesn't exist.
  ///
  /// - Parameter name: the name, for messages.
  init?(_ path: FilePath, named name: @autoclosure () -> String) throws(GitError) {
    let opened: Descriptor?
    do { opened = try .open(ifThere: path) } catch { throw .fromSystem("read \(name())", error) }
    guard let file = opened else { return nil }
    let status: FileStatus
    do { status = try file.status() } catch { throw .fromSystem("read \(name())", error) }
    guard status.kind == .file else { throw .malformed("“\(name())” is not a file") }
    descriptor = file
    size = status.size
    modified = status.modified
  }

  /// Reads a part of the file; returns fewer bytes only at the end of the file.
  ///
  /// - Parameter operation: the operation for the error, such as "read object 12ab…".
  func read(
    _ range: Range<Int>, _ operation: @autoclosure () -> String
  ) throws(GitError) -> [UInt8] {
    do { return try descriptor.read(range) } catch { throw .fromSystem(operation(), error) }
  }
}
