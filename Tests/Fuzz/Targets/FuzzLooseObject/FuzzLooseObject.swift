@testable internal import DocumentGit
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#endif

/// The file of a loose object.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let id = ObjectID.emptyTree
  let digits = id.description
  let path = "\(store)/objects/\(digits.prefix(2))/\(digits.dropFirst(2))"
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
  close(file)
  do {
    let repository = try Repository(opening: FilePath(store))
    do { _ = try repository.size(of: id) } catch {}
    let object = try repository.read(id)
    precondition(object.kind == .tree && object.bytes.isEmpty, "other bytes came under this id")
  } catch {}
  return 0
}

/// A store in memory, made once.
private let store: String = {
  let path = "/dev/shm/docversions-fuzz-store-\(getpid())"
  let digits = ObjectID.emptyTree.description
  for folder in ["", "/objects", "/objects/\(digits.prefix(2))", "/refs"] {
    mkdir(path + folder, 0o700)
  }
  for (name, text) in [
    ("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\nrepositoryformatversion = 0\n"),
  ] {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT, 0o600)
    _ = write(file, text, text.utf8.count)
    close(file)
  }
  return path
}()
