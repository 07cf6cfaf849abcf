import Foundation

/// The signals that ask the program to end.
///
/// Their handler writes to a pipe, so no signal is lost, whichever thread receives it and however early it
/// arrives.
enum Signals {
  private static let pipe: (reading: Int32, writing: Int32)? = {
    var ends: [Int32] = [-1, -1]
    return Foundation.pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }()

  /// Calls a closure for each signal that comes from now on, until the source is canceled; if no pipe can be
  /// created, a signal ends the program at once, which harms no document.
  static func forEach(_ body: @escaping @Sendable () -> Void) -> (any DispatchSourceRead)? {
    guard let pipe else { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: .global())
    source.setEventHandler {
      var byte: UInt8 = 0
      if read(pipe.reading, &byte, 1) == 1 { body() }
    }
    source.resume()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in
        var byte: UInt8 = 0
        if let pipe = Signals.pipe { _ = write(pipe.writing, &byte, 1) }
      }
    }
    return source
  }
}
