internal import DocumentFiles
internal import SystemPackage

/// The bytes of a container's lock file that represent an item.
///
/// A hash of the item's path in the container gives their offset. The file isn't that long, and two items that share
/// bytes only wait for each other.
struct LockByte {
  enum Part: Int64 {
    /// All accesses to the item pass it, so that overlapping readers don't starve writers.
    case gate
    /// Shared by readers, and exclusive for a writer.
    case access
    /// The gate of a folder's contents.
    case insideGate
    /// Shared by accesses to a folder's contents, and exclusive for moving or deleting the folder.
    case inside
  }

  /// The hash of the path.
  let item: Int64

  init(of path: FilePath, in container: FilePath) {
    var rest = path
    _ = rest.removePrefix(container)
    item = Self.hash(rest.bytes) & (1 << 59 - 1)
  }

  init(containing byte: Int64) { item = byte >> 2 }

  func number(_ part: Part) -> Int64 { item << 2 | part.rawValue }

  /// Returns the byte for agreeing on the locks of a purpose.
  static func door(of purpose: String) -> Int64 {
    1 << 62 | hash(Array(purpose.utf8)) & (1 << 59 - 1)
  }

  /// Returns the FNV-1a hash of bytes.
  private static func hash(_ bytes: [UInt8]) -> Int64 {
    Int64(
      bitPattern: bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}

/// The process that last accessed an item, for the error message of an access that waited in vain.
struct LockRecord {
  private static let size = 64
  private static let slots: Int64 = 4096

  private static func offset(of item: LockByte) -> Int {
    Int(item.item % slots) * size
  }

  /// Records that this process accesses an item.
  static func write(_ item: LockByte, in locks: ByteLocks) {
    let program = ProgramIdentity.current
    var record = bytes(item.item) + bytes(Int64(program.process))
    record += Array(program.name.utf8.prefix(size - record.count))
    record += Array(repeating: 0, count: size - record.count)
    locks.write(record, at: offset(of: item))
  }

  /// Returns the process that last accessed an item; `nil` if it isn't known, or has ended.
  static func read(_ item: LockByte, in locks: ByteLocks) throws -> ProgramIdentity? {
    let start = offset(of: item)
    let record = try locks.read(start..<start + size)
    guard record.count == size, record.prefix(8).elementsEqual(bytes(item.item)) else { return nil }
    let process = record[8..<16].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard let process = Int32(exactly: process), ProcessStatus.isAlive(process) else { return nil }
    let name = record[16...].prefix { $0 != 0 }
    return ProgramIdentity(name: String(decoding: name, as: UTF8.self), process: process)
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
