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
  package static var fullName: String? { account.fullName }

  private static var accountName: String? { account.fullName ?? account.loginName }

  private static var account: (fullName: String?, loginName: String?) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard let start = buffer.baseAddress,
        getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0, found != nil
      else { return (nil, nil) }
      let loginName = entry.pw_name.map { String(cString: $0) }
      // The full name is the first of the comma-separated fields.
      let fullName = entry.pw_gecos.map { String(cString: $0) }?.split(separator: ",").first
        .map(String.init)
      return (fullName == loginName ? nil : fullName, loginName)
    }
  }

  private static func text(_ name: [CChar]) -> String? {
    let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
