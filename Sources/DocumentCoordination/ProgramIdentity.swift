internal import DocumentFiles
internal import Foundation

/// The identity of a process in messages.
struct ProgramIdentity: Codable, Hashable, Sendable {
  /// The name of the program, for people.
  let name: String
  let process: Int32

  /// This process.
  static let current = ProgramIdentity(
    name: String(decoding: ProcessInfo.processInfo.processName.utf8.prefix(40), as: UTF8.self),
    process: ProcessInfo.processInfo.processIdentifier)

  /// The name and the process: "“notes” (process 4711)".
  var quoted: String { "“\(Printable.text(name))” (process \(process))" }

  /// True if the process is stopped and can't answer.
  var isStopped: Bool {
    // Without it, the message has less detail.
    do { return try ProcessStatus.isStopped(process) } catch { return false }
  }
}
