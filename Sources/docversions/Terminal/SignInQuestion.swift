internal import DocumentVersions
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Asks at the terminal for a name, and for a password, which isn't shown while it is typed.
enum SignInQuestion {
  /// The terminal's settings before echoing was turned off.
  private static let former = Mutex<(terminal: Int32, attributes: termios)?>(nil)

  /// - Parameter isAgain: true after the server refused a name and password.
  /// - Returns: `nil` if nothing was typed, or there is no terminal.
  static func ask(_ request: CredentialRequest, again isAgain: Bool) -> Credential? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    let place = Printable.text("\(request.scheme)://\(request.host)")
    if isAgain { write("\(place) does not take that name and password.\n", to: terminal) }
    var user = request.user
    if user == nil {
      write("Name for \(place): ", to: terminal)
      user = line(from: terminal)
    }
    guard let user, !user.isEmpty else { return nil }
    write("Password or token of \(Printable.text(user)) for \(place): ", to: terminal)
    hide(terminal)
    let password = line(from: terminal)
    restoreTerminal()
    write("\n", to: terminal)
    guard let password, !password.isEmpty else { return nil }
    return Credential(user: user, password: password)
  }

  private static func hide(_ terminal: Int32) {
    var attributes = termios()
    guard tcgetattr(terminal, &attributes) == 0 else { return }
    former.withLock { $0 = (terminal, attributes) }
    attributes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &attributes)
  }

  /// Turns echoing on again, even if a signal ends the program.
  static func restoreTerminal() {
    former.withLock { former in
      if let (terminal, attributes) = former {
        withUnsafePointer(to: attributes) { _ = tcsetattr(terminal, TCSAFLUSH, $0) }
      }
      former = nil
    }
  }

  /// Reads the rest of the line; nil at the end of the input, or if a signal stops the program.
  private static func line(from terminal: Int32) -> String? {
    var bytes: [UInt8] = []
    while !Signals.isStopping {
      var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard Foundation.poll(&poll, 1, 200) > 0 else { continue }
      var byte: UInt8 = 0
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(validating: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  private static func write(_ text: String, to terminal: Int32) {
    ProgressLine.clear()
    let bytes = Array(text.utf8)
    _ = Foundation.write(terminal, bytes, bytes.count)
  }
}
