/// The outcome of testing whether checks find damage, and whether the file system provides what documents
/// rely on.
package struct SelfTest: Sendable {
  /// A tested property.
  package struct Check: Hashable, Sendable {
    /// The property.
    package let name: String
    /// True if the property holds.
    package let isPassed: Bool
    /// Details about the result.
    package let detail: String
  }

  /// The properties, in the order of the tests.
  package let checks: [Check]

  /// True if all checks passed.
  package var isPassed: Bool { checks.allSatisfy(\.isPassed) }
}
