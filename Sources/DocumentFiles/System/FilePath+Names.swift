package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension FilePath {
  /// The path in the form of system calls.
  package var bytes: [UInt8] {
    withPlatformString { pointer in
      Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer))).map(
        UInt8.init(bitPattern:))
    }
  }

  /// Creates a path from the system's bytes, up to the first zero.
  package init(bytes: some Sequence<UInt8>) {
    let bytes = bytes.prefix { $0 != 0 }.map(CInterop.PlatformChar.init(bitPattern:))
    self.init(platformString: bytes + [0])
  }

  /// The folder that holds the item; "." for a bare name.
  package var parentFolder: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// The path with everything escaped that isn't plain printable text.
  package var printable: String {
    withPlatformString { pointer in
      Printable.text(UnsafeRawBufferPointer(start: pointer, count: length))
    }
  }

  /// Returns the path with a member's name, as raw bytes, appended.
  package func appending(bytes name: [UInt8]) -> FilePath {
    var path = self
    (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress, let component = Component(platformString: start) {
        path.append(component)
      }
    }
    return path
  }

  /// Returns the path with text appended to the last component.
  func appendingToName(_ suffix: String) -> FilePath {
    parentFolder.appending(bytes: lastName + Array(suffix.utf8))
  }

  /// The raw bytes of the last component; empty for a root.
  package var lastName: [UInt8] {
    lastComponent?.withPlatformString { pointer in
      Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer))).map(
        UInt8.init(bitPattern:))
    } ?? []
  }

  /// Returns the path without links, "." and "..", as the kernel resolves it.
  package func resolvingLinks() throws(FileError) -> FilePath {
    let resolved = withPlatformString { realpath($0, nil) }
    guard let resolved else { throw .failed(to: "find", self, .current) }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }
}
