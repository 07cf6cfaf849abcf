public import Foundation

/// A device that meets others at a remote, as it has described itself there.
public struct SyncDevice: Hashable, Sendable, Identifiable {
  /// The random identity: 32 hexadecimal digits.
  public let id: String
  /// The device's name; not unique.
  public let name: String
  /// When the device last published something.
  public let lastPublished: Date
  /// The number of documents that it knows of.
  public let documents: Int
  /// True for the device that asks.
  public let isCurrent: Bool
}
