#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A user of the system.
package enum SystemUser {
  /// Returns a user's name; the number if the user has no name.
  package static func name(of number: UInt32) -> String {
    names(of: number).login ?? String(number)
  }

  /// Returns a user's login name and full name, as far as the system knows them.
  package static func names(of number: UInt32) -> (login: String?, full: String?) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { text in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard let start = text.baseAddress,
        getpwuid_r(number, &entry, start, text.count, &found) == 0, found != nil
      else { return (nil, nil) }
      // The full name is the first of the comma-separated fields.
      let full = entry.pw_gecos.map { String(cString: $0) }?.split(separator: ",").first
      return (entry.pw_name.map { String(cString: $0) }, full.map(String.init))
    }
  }
}
