internal import DocumentFiles

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The names of the author and the device that new versions carry.
public struct Identity: Hashable, Sendable, Codable {
  /// The author's name.
  public var author: String
  /// The device's name.
  public var device: String

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - author: the author's name, as others see it.
  ///   - device: the device's name, as others see it.
  public init(author: String, device: String) {
    self.author = author
    self.device = device
  }

  /// The identity from the system: the account's full name, or else its login name, and the host's name.
  ///
  /// It comes from the user database and the kernel, not from the environment.
  public static var system: Identity {
    Identity(author: accountName ?? unknown, device: hostName ?? unknown)
  }

  /// The name of an unknown person or device.
  package static let unknown = "unknown"

  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return text(name)
  }

  /// The account’s full name; `nil` if the system knows only its login name, as for `root`.
  package static var fullName: String? {
    let names = SystemUser.names(of: geteuid())
    return names.full == names.login ? nil : names.full
  }

  private static var accountName: String? { fullName ?? SystemUser.names(of: geteuid()).login }

  private static func text(_ name: [CChar]) -> String? {
    let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
