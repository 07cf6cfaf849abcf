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
  /// - Parameters:
  ///   - kind: what the object must be; nil for any kind.
  ///   - most: more bytes than these are refused before any is inflated.
  /// - Returns: nil when there is no such file.
  func readLoose(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8])? {
    guard let header = try looseHeader(id), let stream = try looseStream(id) else { return nil }
    try header.kind.check(id, size: header.size, as: kind, upTo: most)
    let count = header.length + header.size
    guard let object = Inflater.inflate(stream, upTo: count), object.end == stream.count,
      object.bytes.count == count
    else { throw .damaged(id) }
    let contents = Array(object.bytes[header.length...])
    guard try packs.check.isId(id, of: header.kind, contents) else { throw .damaged(id) }
    return (header.kind, contents)
  }

  /// What the file of an object says it holds, read from its first bytes.
  ///
  /// - Returns: nil when there is no such file; `length` is that of the header itself.
  func looseHeader(_ id: ObjectID) throws(GitError) -> (kind: ObjectKind, size: Int, length: Int)? {
    guard let start = try looseStream(id, upTo: 512) else { return nil }
    guard let head = Inflater.inflate(start, upTo: 64)?.bytes, let end = head.firstIndex(of: 0)
    else { throw .damaged(id) }
    let words = head[..<end].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2, let kind = ObjectKind(name: words[0]), let size = Int(words[1]),
      size >= 0
    else { throw .damaged(id) }
    // zlib makes at most 1,032 bytes of one: a larger size is a lie.
    guard let fileSize = try withLooseFile(id, { _, size in size }), size / 1_040 <= fileSize
    else { throw .damaged(id) }
    return (kind, size, end + 1)
  }

  /// Removes loose objects that are elsewhere too, or that are old and not needed.
  func removeLoose(coveredBy kept: Set<ObjectID>, orAsOldAs age: Int) throws(GitError) {
    for start in UInt8.min...UInt8.max {
      let digits = String(start, radix: 16)
      let folder = "objects/\(start < 16 ? "0" : "")\(digits)"
      let names = try PackFolder(cPath(folder)).names()
      for name in names {
        guard let id = ObjectID(hexadecimal: folder.suffix(2) + name) else { continue }
        var status = stat()
        guard unsafe lstat(cPath(looseName(id)), &status) == 0 else { continue }
        if kept.contains(id) || time(nil) - status.modified >= age {
          guard unsafe unlink(cPath(looseName(id))) == 0 || errno == ENOENT else {
            throw .fromSystem("remove object \(id)", errno)
          }
        }
      }
      // Empty folders would only be looked through.
      if !names.isEmpty { _ = unsafe rmdir(cPath(folder)) }
    }
  }

  /// Whether an object has a file of its own.
  func hasLoose(_ id: ObjectID) -> Bool {
    var status = stat()
    return unsafe lstat(cPath(looseName(id)), &status) == 0
  }

  private func looseName(_ id: ObjectID) -> String {
    "objects/\(id.description.prefix(2))/\(id.description.dropFirst(2))"
  }

  /// The first bytes of an object's file, or all of them; nil when there is no such file.
  private func looseStream(_ id: ObjectID, upTo most: Int = .max) throws(GitError) -> [UInt8]? {
    try withLooseFile(id) { descriptor, size throws(GitError) in
      let wanted = min(size, most)
      let bytes = try readPart(0..<wanted, of: descriptor, "read object \(id)")
      guard bytes.count == wanted else { throw .damaged(id) }
      return bytes
    }
  }

  /// Opens an object's file, which must be a plain one, and hands over its size too.
  private func withLooseFile<Result>(
    _ id: ObjectID, _ body: (Int32, Int) throws(GitError) -> Result
  ) throws(GitError) -> Result? {
    let descriptor = unsafe open(
      cPath(looseName(id)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    // What O_NOFOLLOW says of a link, and opening of a socket.
    if descriptor < 0, errno == ELOOP || errno == ENXIO { throw .damaged(id) }
    guard descriptor >= 0 else { throw .fromSystem("read object \(id)", errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .fromSystem("read object \(id)", errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= ObjectKind.blob.mostBytes
    else { throw .damaged(id) }
    return try body(descriptor, Int(status.st_size))
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
