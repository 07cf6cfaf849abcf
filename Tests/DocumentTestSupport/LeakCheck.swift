#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The search for leaks that a sanitizer does when a process ends.
public enum LeakCheck {
  /// Performs the search now, if there is a sanitizer, because it isn't possible in a process that is traced
  /// or has become another user's.
  public static func doNow() {
    guard let symbol = dlsym(nil, "__lsan_do_leak_check") else { return }
    unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
  }
}
