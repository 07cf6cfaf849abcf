internal import CFileSystem

/// Memory that is not used any more.
package enum FreedMemory {
  /// Gives it back to the system, for a process that goes on for long after it needed much of it.
  package static func giveBack() { docversions_give_back_memory() }
}
