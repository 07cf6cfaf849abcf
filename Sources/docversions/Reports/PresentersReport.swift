internal import DocumentVersions
internal import Foundation

/// The programs that have documents open, and the requests that they received: `{"messages", "programs"}`.
struct PresentersReport: Encodable {
  /// A process.
  struct Program: Encodable {
    let items: [String]
    let name: String
    let process: Int32
    let stopped: Bool
  }

  /// One end of a message.
  struct End: Encodable {
    let name: String
    let process: Int32
  }

  /// A message and its outcome.
  struct Message: Encodable {
    let access: String
    @Nullable var failure: String?
    let from: End
    let items: [String]
    let kind: String
    @Nullable var milliseconds: Double?
    let number: Int
    @Nullable var target: String?
    let time: String
    @Nullable var to: End?
    /// The date for people, who read it in a different form.
    let date: Date

    private enum CodingKeys: CodingKey {
      case access, failure, from, items, kind, milliseconds, number, target, time, to
    }
  }

  let messages: [Message]
  let programs: [Program]

  init(_ programs: [PresenterListing.Program], _ messages: [PresenterListing.Message]) {
    self.programs = programs.map {
      Program(
        items: $0.items.map(\.path), name: $0.name, process: $0.process, stopped: $0.isStopped)
    }
    self.messages = messages.map { message in
      Message(
        access: message.access, failure: message.failure,
        from: End(name: message.sender.name, process: message.sender.process),
        items: message.items.map(\.path), kind: message.kind,
        milliseconds: message.duration.map { ($0 * 1e5).rounded() / 1e2 },
        number: message.number, target: message.target?.path, time: Timestamp.text(message.date),
        to: message.receiver.map { End(name: $0.name, process: $0.process) }, date: message.date)
    }
  }
}
