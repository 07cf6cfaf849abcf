package import DocumentTestSupport
package import Foundation

extension Device {
  /// Starts the built program as this person, in the container.
  ///
  /// It uses the system's clock; if times matter, the environment sets `DOCVERSIONS_NOW`.
  ///
  /// - Parameters:
  ///   - program: another program than the project's.
  ///   - launcher: a program that runs the program, with its arguments, for example to drop rights.
  ///   - person: another person who sits at the device.
  package func start(
    _ arguments: [String], of program: URL = BuiltProgram.url, launcher: [String] = [],
    as person: String? = nil,
    environment: [String: String] = [:]
  ) throws -> RunningProgram {
    let line = launcher + [program.path] + arguments
    return try RunningProgram(
      line[0], Array(line.dropFirst()), in: container,
      environment: [
        "DOCVERSIONS_AUTHOR": person ?? name, "DOCVERSIONS_DEVICE": "\(name)’s laptop", "TZ": "UTC",
      ].merging(environment) { $1 })
  }

  /// Runs the program as ``start(_:of:launcher:as:environment:)`` does, and waits for its end.
  @discardableResult
  package func run(_ arguments: String...) throws -> Command.Result { try run(arguments) }

  @discardableResult
  package func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Command.Result {
    try start(arguments, environment: environment).wait()
  }
}
