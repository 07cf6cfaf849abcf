import Foundation
import Git2

/// The minimal cost of a version that stock git can read and that is on disk when it is reported as saved:
/// its three objects in a hand-made pack, the pack's index, and the branch.
struct HandMadeRepository {
  private let packs: String
  private let branches: String
  private let stream: DeflateStream

  /// - Parameter folder: a bare repository.
  init(_ folder: URL) throws {
    packs = folder.appending(path: "objects/pack").path
    branches = folder.appending(path: "refs/heads").path
    stream = try DeflateStream()
  }

  /// Saves a text as the newest version of `a.txt`.
  func save(_ text: [UInt8], number: Int) throws {
    let parent = FileManager.default.contents(atPath: "\(branches)/main")
      .map { "parent \(String(decoding: $0, as: UTF8.self))" }
    let blob = Object(3, "blob", text)
    let tree = Object(2, "tree", Array("100644 a.txt\0".utf8) + blob.id)
    let person = "Mira <mira@example.org> \(1_700_000_000 + number) +0000"
    let lines = "tree \(tree.name)\n\(parent ?? "")author \(person)\ncommitter \(person)\n\nedit\n"
    let commit = Object(1, "commit", Array(lines.utf8))
    let (pack, index) = try self.pack([blob, tree, commit])

    let name = "\(packs)/pack-\(Object.hexadecimal(pack.suffix(20)))"
    for (bytes, kind) in [(pack, "pack"), (index, "idx")] {
      try write(bytes, to: "\(name).\(kind)", within: packs)
    }
    try synchronise(packs)
    try write(Array("\(commit.name)\n".utf8), to: "\(branches)/main", within: branches)
    try synchronise(branches)
  }

  private struct Object {
    let kind: UInt8
    let bytes: [UInt8]
    let id: [UInt8]

    init(_ kind: UInt8, _ word: String, _ bytes: [UInt8]) {
      self.kind = kind
      self.bytes = bytes
      id = Self.sha1(Array("\(word) \(bytes.count)\0".utf8) + bytes)
    }

    var name: String { Self.hexadecimal(id[...]) }

    static func sha1(_ bytes: [UInt8]) -> [UInt8] {
      var context = sha1_ctx()
      nettle_sha1_init(&context)
      nettle_sha1_update(&context, bytes.count, bytes)
      return [UInt8](unsafeUninitializedCapacity: Int(SHA1_DIGEST_SIZE)) { digest, count in
        count = Int(SHA1_DIGEST_SIZE)
        nettle_sha1_digest(&context, count, digest.baseAddress)
      }
    }

    static func hexadecimal(_ id: ArraySlice<UInt8>) -> String {
      let digits = Array("0123456789abcdef".utf8)
      return String(
        decoding: id.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }

  /// Returns a pack and its index, in the formats of git's documentation.
  private func pack(_ objects: [Object]) throws -> (pack: [UInt8], index: [UInt8]) {
    var pack = Array("PACK".utf8) + Self.number(2) + Self.number(objects.count)
    var places: [(object: Object, place: Int, check: Int)] = []
    for object in objects {
      let place = pack.count
      var size = object.bytes.count
      var first = object.kind << 4 | UInt8(size & 15)
      size >>= 4
      while size > 0 {
        pack.append(first | 128)
        first = UInt8(size & 127)
        size >>= 7
      }
      pack.append(first)
      try stream.deflate(object.bytes, behind: &pack)
      let check = pack[place...].withUnsafeBufferPointer {
        crc32(0, $0.baseAddress, UInt32($0.count))
      }
      places.append((object, place, Int(check)))
    }
    pack += Object.sha1(pack)

    places.sort { $0.object.id.lexicographicallyPrecedes($1.object.id) }
    var index: [UInt8] = [255, 116, 79, 99] + Self.number(2)
    for start in 0..<256 { index += Self.number(places.count { $0.object.id[0] <= start }) }
    for (object, _, _) in places { index += object.id }
    for (_, _, check) in places { index += Self.number(check) }
    for (_, place, _) in places { index += Self.number(place) }
    index += pack.suffix(20)
    index += Object.sha1(index)
    return (pack, index)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// Writes a file under another name, and renames it once it is on disk.
  private func write(_ bytes: [UInt8], to path: String, within folder: String) throws {
    let new = "\(folder)/new.lock"
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    defer { close(file) }
    guard file >= 0, Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
      rename(new, path) == 0
    else { throw BenchError("can’t write \(path)") }
  }

  private func synchronise(_ folder: String) throws {
    let folder = open(folder, O_RDONLY)
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw BenchError("can’t wait for the disk") }
  }
}

/// A zlib stream that is reused, because creating one takes longer than compressing a small text.
private final class DeflateStream {
  private var stream = z_stream()

  init() throws {
    guard deflateInit_(&stream, 1, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw BenchError("zlib does not begin")
    }
  }

  deinit { deflateEnd(&stream) }

  func deflate(_ bytes: [UInt8], behind others: inout [UInt8]) throws {
    deflateReset(&stream)
    var bytes = bytes
    let room = Int(deflateBound(&stream, UInt(bytes.count)))
    var isDone = false
    let deflated = bytes.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: room) { output, count in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(room))
        isDone = Git2.deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = room - Int(stream.avail_out)
      }
    }
    guard isDone else { throw BenchError("zlib does not end") }
    others += deflated
  }
}
