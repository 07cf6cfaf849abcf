internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Loose objects are read here: libgit2, 1.5.1 and still 1.9.7, never returns from one that is cut short
/// (`git_zstream_get_output` asks zlib for more for ever), nor from a FIFO in its place.
extension Repository {
  /// Reads an object that has a file of its own, and checks that its bytes have its id.
  ///
  /// - Returns: nil when there is no such file.
  func readLoose(_ id: ObjectID) throws(GitError) -> GitObject? {
    guard let stream = try looseStream(id) else { return nil }
    let head = try inflate(stream, upTo: 64, of: id).bytes
    guard let end = head.firstIndex(of: 0) else { throw damaged(id) }
    let words = head[..<end].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    // zlib makes at most 1,032 bytes of one: a larger size is a lie.
    guard words.count == 2, let kind = ObjectKind(name: words[0]), let size = Int(words[1]),
      (0...stream.count * 1_040).contains(size)
    else { throw damaged(id) }
    let (bytes, isWhole) = try inflate(stream, upTo: end + 1 + size, of: id)
    guard isWhole, bytes.count == end + 1 + size else { throw damaged(id) }
    let object = try GitObject(kind, Array(bytes[(end + 1)...]))
    guard object.id == id else { throw damaged(id) }
    return object
  }

  private func looseStream(_ id: ObjectID) throws(GitError) -> [UInt8]? {
    let name = "objects/\(id.description.prefix(2))/\(id.description.dropFirst(2))"
    let descriptor = unsafe open(cPath(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .fromSystem("read object \(id)", errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw damaged(id)
    }
    let size = Int(status.st_size)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
        let step = unsafe pread(descriptor, place, size - count, off_t(count))
        if step > 0 { count += step } else if step == 0 || errno != EINTR { return }
      }
    }
    guard bytes.count == size else { throw .fromSystem("read object \(id)", errno) }
    return bytes
  }

  private func inflate(
    _ stream: [UInt8], upTo most: Int, of id: ObjectID
  ) throws(GitError) -> (bytes: [UInt8], isWhole: Bool) {
    var isWhole: Int32 = 0
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      result = unsafe docversions_inflate(stream, stream.count, buffer.baseAddress, most, &isWhole)
      count = max(0, result)
    }
    guard result >= 0 else { throw damaged(id) }
    return (bytes, isWhole != 0)
  }

  private func damaged(_ id: ObjectID) -> GitError {
    .malformed("object \(id) is damaged")
  }
}

extension ObjectKind {
  /// The kind by the name that stands in an object's file.
  fileprivate init?(name: String) {
    switch name {
    case "commit": self = .commit
    case "tree": self = .tree
    case "blob": self = .blob
    default: return nil
    }
  }
}
