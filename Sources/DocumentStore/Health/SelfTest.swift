/// The outcome of trying out whether checking works, and whether the file system keeps what documents rely on.
package struct SelfTest: Sendable {
  /// A property that was tried out.
  package struct Check: Hashable, Sendable {
    /// The property.
    package let name: String
    /// Whether it is as it must be.
    package let isPassed: Bool
    /// More about it.
    package let detail: String
  }

  /// The properties, in the order in which they were tried out.
  package let checks: [Check]

  /// Whether all checks passed.
  package var isPassed: Bool { checks.allSatisfy(\.isPassed) }
}
