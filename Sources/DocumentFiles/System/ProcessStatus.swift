internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The system's information about a process of any program.
package enum ProcessStatus {
  /// Returns whether a process exists.
  package static func isAlive(_ process: Int32) -> Bool {
    process > 0 && (kill(process, 0) == 0 || Errno.current == .notPermitted)
  }

  /// Returns whether a signal has stopped a process, which then does nothing until it is continued; false if
  /// the system doesn't know.
  package static func isStopped(_ process: Int32) throws(FileError) -> Bool {
    #if os(Linux)
    let path = FilePath("/proc/\(process)/stat")
    guard try FileStatus.of(path) != nil else { return false }
    let status = try Descriptor.open(reading: path).readAll(expecting: 1024)
    // The state follows the name, which is in parentheses and may contain some.
    let end = status.lastIndex(of: UInt8(ascii: ")")) ?? status.startIndex
    let state = status[end...].dropFirst().first { $0 != UInt8(ascii: " ") }
    return state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
    #else
    return false
    #endif
  }
}
