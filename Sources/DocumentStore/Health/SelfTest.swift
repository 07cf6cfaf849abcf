/// The outcome of trying out whether checking works, and whether the file system keeps what documents rely on.
public struct SelfTest: Sendable {
  /// A property that was tried out.
  public struct Check: Hashable, Sendable {
    /// The property.
    public let name: String
    /// Whether it is as it must be.
    public let isPassed: Bool
    /// More about it.
    public let detail: String
  }

  /// The properties, in the order in which they were tried out.
  public let checks: [Check]

  /// Whether everything is as it must be.
  public var isPassed: Bool { checks.allSatisfy(\.isPassed) }
}
