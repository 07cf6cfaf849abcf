@testable internal import DocumentGit
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#endif

/// The index of a pack, a pack, or a delta of an object; the first byte selects which.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  switch first {
  case UInt8(ascii: "i"): readIndex(rest)
  case UInt8(ascii: "p"): readPack(rest)
  default: apply(rest)
  }
  return 0
}

/// Applies a delta to a base of 256 bytes.
private func apply(_ delta: [UInt8]) {
  do {
    let result = try Delta.apply(delta, to: Array(0...255))
    let size = try Delta.resultSize(delta)
    precondition(result.count == size, "it is not as large as it says")
  } catch {}
}

/// Reads an index unchanged, and with its correct checksum.
private func readIndex(_ bytes: [UInt8]) {
  do { _ = try PackIndex(decoding: bytes) } catch {}
  let sound = bytes + Checksum.of(bytes[...]).bytes
  do {
    let index = try PackIndex(decoding: sound)
    _ = try PackIndex(decoding: index.encoded())
  } catch {}
  write(sound, to: "pack-fuzz.idx")
  write(Array("PACK".utf8) + [0, 0, 0, 2, 0, 0, 0, 1], to: "pack-fuzz.pack")
  open { pack in
    do {
      for id in try pack.index.objects().prefix(20) {
        if let offset = try pack.index.offset(of: id) { read(id, at: offset, pack) }
      }
      _ = try pack.index.offset(of: .emptyTree)
    } catch {}
  }
}

/// Reads entries at three places of a pack, the last of which are often deltas of earlier ones.
private func readPack(_ bytes: [UInt8]) {
  let header = Array("PACK".utf8) + [0, 0, 0, 2, 0, 0, 0, 3]
  let checksum = Checksum.of(bytes[...])
  write(header + bytes + checksum.bytes, to: "pack-fuzz.pack")
  let ids = (0..<3).map { ObjectID(of: .blob, [$0]) }
  let entries = ids.enumerated().map { number, id in
    PackIndex.Entry(id: id, offset: 12 + number * bytes.count / 3, check: 0)
  }
  write(PackIndex(entries, packChecksum: checksum).encoded(), to: "pack-fuzz.idx")
  open { pack in
    for entry in entries { read(entry.id, at: entry.offset, pack) }
  }
  salvage()
  receive()
  // Without an index that counts, what is in it is looked for.
  write([], to: "pack-fuzz.idx")
  salvage()
}

private func read(_ id: ObjectID, at offset: Int, _ pack: OpenPack) {
  do {
    let entry = try pack.entry(at: offset, of: id)
    _ = try pack.inflate(entry, of: id, upTo: 1 << 20)
  } catch {}
  let packs = PackSet(
    only: pack, in: PackFolder(FilePath(folder)), checking: .forgery)
  do { _ = try packs.size(of: id) } catch {}
  do { _ = try packs.read(id, upTo: 1 << 20) } catch {}
  do { _ = try packs.whole(id) } catch {}
}

private func salvage() {
  do {
    guard let found = try PackSalvage("pack-fuzz", in: PackFolder(FilePath(folder))) else {
      return
    }
    for (id, offset) in found.places {
      let object = try found.read(at: offset)
      let again = ObjectID(of: object.kind, object.bytes)
      precondition(again == id, "other bytes came under this id")
    }
  } catch {}
}

/// Reads the pack as one that arrives from a server.
private func receive() {
  let path = FilePath(folder)
  do {
    guard let pack = try OpenPack(scanning: "pack-fuzz", in: PackFolder(path)) else { return }
    let objects = ObjectStore(in: RepositoryFolder(path), checking: .forgery)
    let contents = try PackContents(of: pack, besides: objects) { _ in }
    precondition(contents.entries.count == 3 && contents.bases.isEmpty)
  } catch {}
}

private func open(_ body: (OpenPack) -> Void) {
  do {
    if let pack = try OpenPack("pack-fuzz", in: PackFolder(FilePath(folder))) {
      body(pack)
    }
  } catch {}
}

private func write(_ bytes: [UInt8], to name: String) {
  let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
  close(file)
}

/// A folder in memory, made once.
private let folder: String = {
  let path = "/dev/shm/docversions-fuzz-packs-\(getpid())"
  mkdir(path, 0o700)
  return path
}()
