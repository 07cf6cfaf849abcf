internal import DocumentFiles
internal import Foundation
internal import Synchronization

/// The records of one adoption, one for each of its containers.
final class AdoptionJournals: Sendable {
  private let date: Date
  private let journals = Mutex<[String: AdoptionJournal]>([:])

  /// - Parameter date: the start of the adoption.
  init(at date: Date) {
    self.date = date
  }

  /// Returns the record of a container.
  func journal(of container: URL) throws -> AdoptionJournal {
    try journals.withLock { journals in
      let journal = try journals[container.path] ?? AdoptionJournal(of: container, at: date)
      journals[container.path] = journal
      return journal
    }
  }
}
