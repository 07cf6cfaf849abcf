#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A user of the system.
package enum SystemUser {
  /// Returns a user's name; the number if the user has no name.
  package static func name(of number: UInt32) -> String {
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { text in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard let start = text.baseAddress,
        getpwuid_r(number, &entry, start, text.count, &found) == 0, let user = found?.pointee,
        let name = user.pw_name
      else { return nil as String? }
      return String(cString: name)
    }
    return name ?? String(number)
  }
}
