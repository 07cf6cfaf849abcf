internal import CGit2
@testable internal import DocumentGit
@testable internal import DocumentStore

#if canImport(Glibc)
internal import Glibc
#endif

/// A store's config; one that we accept has the same meaning for git as for us.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do {
    let values = try StoreConfiguration.values(in: bytes)
    for (name, value) in gitValues(bytes) {
      precondition(values[name] != nil, "git reads “\(name)”, which was not seen")
      precondition(!name.hasSuffix(".worktree"), value)
    }
  } catch {}
  return 0
}

/// Returns the values that libgit2 reads from a config.
private func gitValues(_ bytes: [UInt8]) -> [(String, String)] {
  do { _ = try GitLibrary.version() } catch { preconditionFailure("\(error)") }
  let path = "/dev/shm/docversions-fuzz-\(getpid())"
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
  close(file)
  defer { unlink(path) }
  var config: OpaquePointer?
  guard git_config_open_ondisk(&config, path) == 0 else { return [] }
  defer { git_config_free(config) }
  var iterator: OpaquePointer?
  guard git_config_iterator_new(&iterator, config) == 0 else { return [] }
  defer { git_config_iterator_free(iterator) }
  var found: [(String, String)] = []
  var entry: UnsafeMutablePointer<git_config_entry>?
  while git_config_next(&entry, iterator) == 0, let entry {
    found.append(
      (String(cString: entry.pointee.name), entry.pointee.value.map { String(cString: $0) } ?? ""))
  }
  return found
}
