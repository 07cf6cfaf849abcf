internal import CFileSystem

/// Limits for child processes.
package enum ProcessLimits {
  /// Limits the address space of a child process; only on Linux, because other systems can't do this for
  /// another process.
  package static func limitMemory(of process: Int32, to bytes: Int) {
    docversions_limit_memory(process, UInt64(max(bytes, 0)))
  }
}
