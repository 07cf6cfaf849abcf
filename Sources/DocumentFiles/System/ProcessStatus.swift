internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What the system says of a process, of any program.
package enum ProcessStatus {
  /// Whether there is such a process.
  package static func isAlive(_ process: Int32) -> Bool {
    process > 0 && (kill(process, 0) == 0 || Errno.current == .notPermitted)
  }

  /// Whether a process was stopped by a signal, and does nothing until it is continued; false if the system does not say.
  package static func isStopped(_ process: Int32) throws(FileError) -> Bool {
    #if os(Linux)
    let path = FilePath("/proc/\(process)/stat")
    guard try FileStatus.of(path) != nil else { return false }
    let status = try Descriptor.open(reading: path).readAll(expecting: 1024)
    // The state follows the name, which is in parentheses and may hold some.
    let end = status.lastIndex(of: UInt8(ascii: ")")) ?? status.startIndex
    let state = status[end...].dropFirst().first { $0 != UInt8(ascii: " ") }
    return state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
    #else
    return false
    #endif
  }
}
