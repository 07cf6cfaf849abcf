internal import CFileSystem

/// Limits for programs that are run.
package enum ProcessLimits {
  /// Limits the address space of a child process; only on Linux, as elsewhere no process can do that for another.
  package static func limitMemory(of process: Int32, to bytes: Int) {
    docversions_limit_memory(process, UInt64(max(bytes, 0)))
  }
}
