internal import DocumentVersions
internal import Foundation

/// An error in reading a scenario, with its position and the expected words.
package struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  ///
  /// New codes may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's stable name, as it appears in JSON output.
    package let rawValue: String

    /// Creates a code from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A line does not follow the grammar.
    package static let syntax = Code(rawValue: "syntax")
    /// A line names a device that the scenario does not have.
    package static let unknownDevice = Code(rawValue: "unknown-device")
    /// A line names a file that is not in the scenario's folder.
    package static let missingFile = Code(rawValue: "missing-file")
    /// A line names a path that leads out of its folder.
    package static let invalidPath = Code(rawValue: "invalid-path")
    /// The system does not let a file or folder be read.
    package static let unreadable = Code(rawValue: "unreadable")
    /// There is no scenario at the path.
    package static let noScenario = Code(rawValue: "no-scenario")
  }

  /// The kind of failure.
  package let code: Code
  /// The path of the file or folder concerned.
  package let file: String
  /// The line, counted from 1; `nil` if the failure doesn't concern a line.
  package let line: Int?
  /// The fault and the expectation, in one sentence.
  package let message: String

  /// The place and the message, as compilers write them: "path:3: expected …".
  package var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}

/// The texts for alerts and logs of Foundation.
extension ScenarioError: LocalizedError {
  /// The sentence for a person.
  package var errorDescription: String? { description }
}

extension ScenarioError {
  /// Describes an item that the system does not let be read.
  init(unreadable item: URL, _ error: any Error) {
    let number = (error as? FileError)?.systemError
    let cause =
      (error as? CocoaError)?.refusal?.cause ?? number.map { String(cString: strerror($0)) }
    self.init(
      code: .unreadable, file: item.relativePath, line: nil,
      message: cause.map { "This can’t be read: \($0)." } ?? error.inWords)
  }
}
