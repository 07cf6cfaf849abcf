package import Foundation

/// A device that syncs through a remote, as it has described itself there.
package struct SyncDevice: Hashable, Sendable, Identifiable {
  /// The random identity: 32 hexadecimal digits.
  package let id: String
  /// The device's name; not unique.
  package let name: String
  /// The date when the device last published something.
  package let lastPublished: Date
  /// The number of documents that it knows.
  package let documents: Int
  /// True for this device.
  package let isCurrent: Bool
}
