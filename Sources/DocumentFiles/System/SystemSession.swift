#if canImport(Glibc)
internal import Glibc
internal import SystemPackage
#else
internal import Darwin
#endif

/// The system's session: the time since the last boot.
package enum SystemSession {
  /// The identifier of this session, which changes with each boot; `nil` if the system doesn't provide one.
  ///
  /// Data from before the boot may have been lost in a power cut, unless the writer waited for the disk.
  package static var identifier: String? {
    #if canImport(Glibc)
    do {
      let file = try Descriptor.open(reading: FilePath("/proc/sys/kernel/random/boot_id"))
      let bytes = try file.readAll(expecting: 64)
      return bytes.isEmpty ? nil : String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    } catch {
      return nil
    }
    #else
    var name = [CChar](repeating: 0, count: 64)
    var size = name.count
    guard sysctlbyname("kern.bootsessionuuid", &name, &size, nil, 0) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #endif
  }
}
