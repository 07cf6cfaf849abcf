internal import DocumentFiles
internal import SystemPackage

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
    guard words.count == 2, let kind = ObjectKind(rawValue: words[0]), let size = Int(words[1]),
      size >= 0
    else { throw .damaged(id) }
    // zlib inflates a byte to at most 1,032 bytes, so a larger size is false.
    guard let file = try file(of: id), size / 1_040 <= file.size
    else { throw .damaged(id) }
    return (kind, size, end + 1)
  }

  /// Removes loose objects that are also elsewhere, or that are old and not needed.
  func remove(coveredBy kept: Set<ObjectID>, orAsOldAs age: Int) throws(GitError) {
    for start in UInt8.min...UInt8.max {
      let digits = (start < 16 ? "0" : "") + String(start, radix: 16)
      let files = folder.files(in: "objects/\(digits)")
      let names = try files.names()
      for name in names {
        guard let id = ObjectID(hexadecimal: digits + name),
          let status = try files.status(of: name)
        else { continue }
        if kept.contains(id) || status.age >= age { try files.remove(name) }
      }
      // An empty folder would slow every later listing.
      if !names.isEmpty { _ = Folder.removeIfEmpty(folder.path("objects/\(digits)")) }
    }
  }

  /// Returns whether an object is loose.
  func contains(_ id: ObjectID) -> Bool {
    var status = stat()
    return unsafe folder.path(path(of: id)).withPlatformString { unsafe lstat($0, &status) } == 0
  }

  /// Lists the loose objects.
  ///
  /// - Returns: the ids, and the paths of other files in the folders of objects.
  func list() throws(GitError) -> (ids: [ObjectID], others: [String]) {
    var ids: [ObjectID] = []
    var others: [String] = []
    for name in try folder.files(in: "objects").names() {
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
    guard try folder.files.status(of: path)?.kind == .folder else { return nil }
    return try folder.files(in: path).names()
  }

  private func path(of id: ObjectID) -> String {
    let digits = id.description
    return "objects/\(digits.prefix(2))/\(digits.dropFirst(2))"
  }

  /// Reads the first bytes of an object's file, or all of them; `nil` if there is no such file.
  private func stream(of id: ObjectID, upTo most: Int = .max) throws(GitError) -> [UInt8]? {
    guard let file = try file(of: id) else { return nil }
    let wanted = min(file.size, most)
    let bytes = try file.read(0..<wanted, "read object \(id)")
    guard bytes.count == wanted else { throw .damaged(id) }
    return bytes
  }

  /// Opens an object's file, which must be a regular file; `nil` if there is no such file.
  private func file(of id: ObjectID) throws(GitError) -> OpenFile? {
    let file: OpenFile?
    do { file = try OpenFile(folder.path(path(of: id)), named: "object \(id)") } catch {
      // The numbers are those for a link, and for a socket.
      let isOther = error.code == .malformed || [ELOOP, ENXIO].contains(error.systemError)
      throw isOther ? .damaged(id) : error
    }
    if let file, file.size > ObjectKind.tree.mostBytes { throw .damaged(id) }
    return file
  }
}
