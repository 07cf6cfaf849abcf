internal import CFileSystem

/// Unused memory.
package enum FreedMemory {
  /// Lets all threads use memory that others have freed, for a process with many threads that do the same for
  /// very many documents.
  package static func share() { docversions_share_memory() }

  /// Returns unused memory to the system, for a process that continues for a long time after it needed much
  /// memory.
  package static func giveBack() { docversions_give_back_memory() }
}
