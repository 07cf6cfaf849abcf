import Foundation

/// How thorough the fault tests are.
///
/// | variable | |
/// | --- | --- |
/// | `DOCVERSIONS_FAULTS` | `full`: everything; otherwise a choice that suits every change |
/// | `DOCVERSIONS_FAULT_OPERATIONS` | power cuts: only these operations, with commas between them |
/// | `DOCVERSIONS_FAULT_MODELS` | power cuts: only these models |
/// | `DOCVERSIONS_FAULT_REPORT` | power cuts: the file for a table of what was found |
/// | `DOCVERSIONS_KEEP` | power cuts: the folder for states that are not right |
enum FaultMode {
  /// Whether everything is to be tried, for minutes.
  static let isFull = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULTS"] == "full"

  /// A number that depends on the mode.
  static func pick<Value>(short: Value, full: Value) -> Value { isFull ? full : short }
}
