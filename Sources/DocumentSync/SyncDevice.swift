package import Foundation

/// A device that meets others at a remote, as it has described itself there.
package struct SyncDevice: Hashable, Sendable, Identifiable {
  /// The random identity: 32 hexadecimal digits.
  package let id: String
  /// The device's name; not unique.
  package let name: String
  /// When the device last published something.
  package let lastPublished: Date
  /// The number of documents that it knows of.
  package let documents: Int
  /// True for the device that asks.
  package let isCurrent: Bool
}
