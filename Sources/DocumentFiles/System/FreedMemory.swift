internal import CFileSystem

/// Memory that is not used any more.
package enum FreedMemory {
  /// Lets all threads use what others have freed, for a process in which many do the same to very many documents.
  package static func share() { docversions_share_memory() }

  /// Gives it back to the system, for a process that goes on for long after it needed much of it.
  package static func giveBack() { docversions_give_back_memory() }
}
