#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The search for leaks that a sanitizer does when a process ends.
public enum LeakCheck {
  /// Does it now instead, where there is one: it cannot be done in a process that is traced, or that has become
  /// another user's.
  public static func doNow() {
    guard let symbol = dlsym(nil, "__lsan_do_leak_check") else { return }
    unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
  }
}
