#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The loose objects of a repository, each in its own file.
///
/// docversions reads them itself, because libgit2 1.5.1 and 1.9.7 never return from a truncated object
/// (`git_zstream_get_output` asks zlib for more forever), or from a FIFO in its place.
struct LooseObjects {
  let folder: RepositoryFolder
  /// The checks of objects on reading.
  let check: ObjectCheck

  /// Reads a loose object, and checks that its bytes have its id.
  ///
  /// - Parameters:
  ///   - kind: the required kind; `nil` for any kind.
  ///   - most: the maximum size in bytes; a larger object is an error before it is inflated.
  /// - Returns: the object; `nil` if there is no such file.
  func read(
    _ id: ObjectID, as kind: ObjectKind? = nil, upTo most: Int = .max
  ) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8])? {
    guard let header = try header(of: id), let stream = try stream(of: id) else { return nil }
    try header.kind.check(id, size: header.size, as: kind, upTo: most)
    let count = header.length + header.size
    guard var object = Inflater.inflate(stream, upTo: count), object.end == stream.count,
      object.bytes.count == count
    else { throw .damaged(id) }
    // In place, because a copy would take as much memory again.
    object.bytes.removeFirst(header.length)
    let contents = object.bytes
    guard try check.isId(id, of: header.kind, contents) else { throw .damaged(id) }
    return (header.kind, contents)
  }

  /// Reads the kind and the size of an object from the first bytes of its file.
  ///
  /// - Returns: the kind, the size, and the length of the header; `nil` if there is no such file.
  func header(of id: ObjectID) throws(GitError) -> (kind: ObjectKind, size: Int, length: Int)? {
    guard let start = try stream(of: id, upTo: 512) else { return nil }
    guard let head = Inflater.inflate(start, upTo: 64)?.bytes, let end = head.firstIndex(of: 0)
    else { throw .damaged(id) }
    let words = head[..<end].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2, let kind = ObjectKind(word: words[0]), let size = Int(words[1]),
      size >= 0
    else { throw .damaged(id) }
    // zlib inflates a byte to at most 1,032 bytes, so a larger size is false.
    guard let fileSize = try withFile(of: id, { _, size in size }), size / 1_040 <= fileSize
    else { throw .damaged(id) }
    return (kind, size, end + 1)
  }

  /// Removes loose objects that are also elsewhere, or that are old and not needed.
  func remove(coveredBy kept: Set<ObjectID>, orAsOldAs age: Int) throws(GitError) {
    for start in UInt8.min...UInt8.max {
      let digits = (start < 16 ? "0" : "") + String(start, radix: 16)
      let names = try folder.files(in: "objects/\(digits)").names()
      for name in names {
        guard let id = ObjectID(hexadecimal: digits + name) else { continue }
        let path = folder.cPath(path(of: id))
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { continue }
        if kept.contains(id) || time(nil) - status.modified >= age {
          guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw .fromSystem("remove object \(id)", errno)
          }
        }
      }
      // An empty folder would slow every later listing.
      if !names.isEmpty { _ = unsafe rmdir(folder.cPath("objects/\(digits)")) }
    }
  }

  /// Returns whether an object is loose.
  func contains(_ id: ObjectID) -> Bool {
    var status = stat()
    return unsafe lstat(folder.cPath(path(of: id)), &status) == 0
  }

  /// Lists the loose objects.
  ///
  /// - Returns: the ids, and the paths of other files in the folders of objects.
  func list() throws(GitError) -> (ids: [ObjectID], others: [String]) {
    var ids: [ObjectID] = []
    var others: [String] = []
    for name in try folder.files(in: "objects").names().sorted() {
      if name == "pack" || name == "info" { continue }
      guard name.utf8.count == 2, let files = try namesIfFolder("objects/\(name)") else {
        others.append("objects/\(name)")
        continue
      }
      for file in files {
        if let id = ObjectID(hexadecimal: name + file), id.description == name + file {
          ids.append(id)
        } else {
          others.append("objects/\(name)/\(file)")
        }
      }
    }
    return (ids, others)
  }

  private func namesIfFolder(_ path: String) throws(GitError) -> [String]? {
    var status = stat()
    guard unsafe lstat(folder.cPath(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return nil
    }
    return try folder.files(in: path).names().sorted()
  }

  private func path(of id: ObjectID) -> String {
    "objects/\(id.description.prefix(2))/\(id.description.dropFirst(2))"
  }

  /// Reads the first bytes of an object's file, or all of them; `nil` if there is no such file.
  private func stream(of id: ObjectID, upTo most: Int = .max) throws(GitError) -> [UInt8]? {
    try withFile(of: id) { descriptor, size throws(GitError) in
      let wanted = min(size, most)
      let bytes = try readPart(0..<wanted, of: descriptor, "read object \(id)")
      guard bytes.count == wanted else { throw .damaged(id) }
      return bytes
    }
  }

  /// Opens an object's file, which must be a regular file, and passes its descriptor and size to a closure.
  private func withFile<Result>(
    of id: ObjectID, _ body: (Int32, Int) throws(GitError) -> Result
  ) throws(GitError) -> Result? {
    let descriptor = unsafe open(
      folder.cPath(path(of: id)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    // The errors of O_NOFOLLOW for a link, and of opening a socket.
    if descriptor < 0, errno == ELOOP || errno == ENXIO { throw .damaged(id) }
    guard descriptor >= 0 else { throw .fromSystem("read object \(id)", errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .fromSystem("read object \(id)", errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= ObjectKind.tree.mostBytes
    else { throw .damaged(id) }
    return try body(descriptor, Int(status.st_size))
  }
}
