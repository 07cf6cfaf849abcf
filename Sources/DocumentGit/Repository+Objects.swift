internal import CGit2

extension Repository {
  /// Reads an object and checks that its bytes have its id.
  ///
  /// Stands on `git_odb_read` for packed objects.
  package func read(_ id: ObjectID) throws(GitError) -> (kind: ObjectKind, bytes: [UInt8]) {
    if let object = try readLoose(id) { return (object.kind, object.bytes) }
    var raw = id.raw
    var object: OpaquePointer?
    try git("read object \(id)") { unsafe git_odb_read(&object, objects, &raw) }
    defer { unsafe git_odb_object_free(object) }
    guard let kind = unsafe ObjectKind(git_odb_object_type(object)) else {
      throw .malformed("object \(id) is of a kind that no document has")
    }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: git_odb_object_data(object), count: git_odb_object_size(object))
    return (kind, unsafe [UInt8](bytes))
  }

  /// Reads an object that must be of the given kind.
  package func read(_ id: ObjectID, as kind: ObjectKind) throws(GitError) -> [UInt8] {
    let object = try read(id)
    guard object.kind == kind else { throw .malformed("object \(id) is not a \(kind)") }
    return object.bytes
  }

  /// Reads and parses a commit.
  package func commit(_ id: ObjectID) throws(GitError) -> Commit {
    try Commit(decoding: read(id, as: .commit))
  }

  /// Reads and parses a tree.
  package func tree(_ id: ObjectID) throws(GitError) -> Tree {
    try Tree(decoding: read(id, as: .tree))
  }

  /// The size of an object in bytes, without reading it whole.
  package func size(of id: ObjectID) throws(GitError) -> Int {
    var raw = id.raw
    var size = 0
    var kind = GIT_OBJECT_INVALID
    try git("read header of \(id)") {
      unsafe git_odb_read_header(&size, &kind, objects, &raw)
    }
    return size
  }

  /// Whether the object is here.
  ///
  /// Looks for packs that other processes added meanwhile.
  package func contains(_ id: ObjectID) -> Bool {
    GitLibrary.start()
    var raw = id.raw
    return unsafe git_odb_exists(objects, &raw) == 1
  }

  /// Writes objects so that they survive a power cut once this returns, and reads the last one back.
  ///
  /// A few objects become loose files; more become one pack, so that the number of waits for the disk
  /// does not grow with the number of objects.
  package func write(_ pending: [GitObject]) throws(GitError) {
    let missing = pending.filter { !contains($0.id) }
    if missing.count <= Self.looseLimit {
      try createFolders(for: missing)
      for object in missing { try writeLoose(object) }
    } else {
      try writePack(missing)
    }
    // Success is claimed only for what can be read again.
    if let last = missing.last { _ = try read(last.id) }
  }

  /// More objects than this go into one pack.
  private static var looseLimit: Int { 8 }

  private func writeLoose(_ object: GitObject) throws(GitError) {
    var raw = git_oid()
    try git("write object") {
      unsafe object.bytes.withUnsafeBytes {
        unsafe git_odb_write(
          &raw, objects, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), $0.count,
          object.kind.raw)
      }
    }
    guard ObjectID(raw) == object.id else {
      throw .malformed("object \(object.id) was written under another id")
    }
  }

  /// Writes through a second handle whose object database keeps everything in memory, from which the
  /// pack is built; this handle keeps writing to disk.
  private func writePack(_ missing: [GitObject]) throws(GitError) {
    let builder = try Repository(opening: path)
    var backend: UnsafeMutablePointer<git_odb_backend>?
    try git("prepare pack") { unsafe git_mempack_new(&backend) }
    // The database owns the backend from here on.
    try git("prepare pack") {
      unsafe git_odb_add_backend(builder.objects, backend, Self.firstPriority)
    }
    for object in missing { try builder.writeLoose(object) }
    try builder.copy(missing.map(\.id), intoPacksOf: self)
  }

  /// Before every backend that a repository opens with.
  private static var firstPriority: Int32 { 999 }

  /// Copies the objects, in one new pack, into another repository.
  ///
  /// Stands on `git_packbuilder_write`.
  package func copy(
    _ ids: [ObjectID], intoPacksOf destination: borrowing Repository
  ) throws(GitError) {
    guard !ids.isEmpty else { return }
    var builder: OpaquePointer?
    try git("build pack") { unsafe git_packbuilder_new(&builder, handle) }
    defer { unsafe git_packbuilder_free(builder) }
    for id in ids {
      // The builder reads by itself: a damaged loose object must not get so far.
      _ = try readLoose(id)
      var raw = id.raw
      try git("add \(id) to pack") { unsafe git_packbuilder_insert(builder, &raw, nil) }
    }
    let folder = destination.path.dropLast() + "/objects/pack".utf8CString
    try git("write pack") {
      unsafe git_packbuilder_write(builder, Array(folder), 0o444, nil, nil)
    }
    try git("refresh objects") { unsafe git_odb_refresh(destination.objects) }
  }
}
