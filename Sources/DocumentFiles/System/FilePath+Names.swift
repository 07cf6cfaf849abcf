package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension FilePath {
  /// The path in the form of system calls.
  package var bytes: [UInt8] {
    withPlatformString { Array(cString: $0) }
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
    let string = name.map(CInterop.PlatformChar.init(bitPattern:)) + [0]
    return Component(platformString: string).map(appending) ?? self
  }

  /// Returns the path with text appended to the last component.
  func appendingToName(_ suffix: String) -> FilePath {
    parentFolder.appending(bytes: lastName + Array(suffix.utf8))
  }

  /// The raw bytes of the last component; empty for a root.
  package var lastName: [UInt8] {
    lastComponent?.withPlatformString { Array(cString: $0) } ?? []
  }

  /// Returns the path without links, "." and "..", as the kernel resolves it.
  package func resolvingLinks() throws(FileError) -> FilePath {
    let resolved = withPlatformString { realpath($0, nil) }
    guard let resolved else { throw .failed(to: "find", self, .current) }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }
}

extension [UInt8] {
  fileprivate init(cString: UnsafePointer<CInterop.PlatformChar>) {
    self = UnsafeBufferPointer(start: cString, count: strlen(cString)).map(UInt8.init(bitPattern:))
  }
}
