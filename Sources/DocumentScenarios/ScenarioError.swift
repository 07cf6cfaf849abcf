internal import DocumentVersions
public import Foundation

/// Why a scenario could not be read: where, and what was expected there.
public struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  ///
  /// New codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's stable name, as it appears in JSON output.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A line does not follow the grammar.
    public static let syntax = Code(rawValue: "syntax")
    /// A line names a device that the scenario does not have.
    public static let unknownDevice = Code(rawValue: "unknown-device")
    /// A line names a file that is not in the scenario's folder.
    public static let missingFile = Code(rawValue: "missing-file")
    /// A line names a path that leads out of the folder it belongs in.
    public static let invalidPath = Code(rawValue: "invalid-path")
    /// The system does not let a file or folder be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// There is no scenario at the path.
    public static let noScenario = Code(rawValue: "no-scenario")
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the file or folder concerned.
  public let file: String
  /// The line, counted from 1; nil where the failure is not about one.
  public let line: Int?
  /// What is wrong, and what was expected, in one sentence.
  public let message: String

  /// The place and the message, as compilers write them: "path:3: expected …".
  public var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}

/// What alerts and logs of Foundation show.
extension ScenarioError: LocalizedError {
  /// The sentence for a person.
  public var errorDescription: String? { description }
}

extension ScenarioError {
  /// What the system does not let be read.
  init(unreadable item: URL, _ error: any Error) {
    let number = (error as? FileError)?.systemError
    let cause =
      (error as? CocoaError)?.refusal?.cause ?? number.map { String(cString: strerror($0)) }
    self.init(
      code: .unreadable, file: item.relativePath, line: nil,
      message: cause.map { "This can’t be read: \($0)." } ?? error.inWords)
  }
}
