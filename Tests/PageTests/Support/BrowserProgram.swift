import DocumentTestSupport
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A running Chromium, which is controlled through two pipes with messages of its DevTools protocol, each
/// ended by a null byte.
///
/// Starting one takes longer than most tests, so it serves one test after the other until no test uses one.
final class BrowserProgram: Sendable {
  /// The path of the program; nil if there is none.
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  private let running: RunningProgram
  private let profile: ScratchFolder
  private let commands: FileHandle
  private let answers: FileHandle
  private let unread = Mutex(Data())
  private let number = Atomic(0)

  private init() throws {
    guard let path = Self.path else {
      throw Browser.Failure(description: "There is no browser.")
    }
    profile = try ScratchFolder(isInMemory: true)
    let (input, output) = (try Self.pipeEnds(), try Self.pipeEnds())
    var arguments = [
      "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-extensions", "--disable-background-networking",
      "--disable-component-update", "--user-data-dir=\(profile.url.path)", "about:blank",
    ]
    // Its sandbox refuses root, as which tests run in containers.
    if geteuid() == 0 { arguments.insert("--no-sandbox", at: 0) }
    running = try RunningProgram(
      path, arguments,
      environment: ["HOME": profile.url.path, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"],
      descriptors: [input.reading, output.writing])
    close(input.reading)
    close(output.writing)
    commands = FileHandle(fileDescriptor: input.writing, closeOnDealloc: true)
    answers = FileHandle(fileDescriptor: output.reading, closeOnDealloc: true)
  }

  /// Returns the two ends of a pipe, which no other program inherits, with numbers above those that a program
  /// gets.
  private static func pipeEnds() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 20) }
    for end in ends { close(end) }
    return (high[0], high[1])
  }

  // MARK: One test after the other

  private struct Programs {
    var idle: [BrowserProgram] = []
    var lentCount = 0
  }

  private static let programs = Mutex(Programs())

  /// Returns a program for the exclusive use of a test: one that no test uses, or a new one.
  static func lent() throws -> BrowserProgram {
    let idle = programs.withLock { programs in
      programs.lentCount += 1
      return programs.idle.popLast()
    }
    do {
      return try idle ?? BrowserProgram()
    } catch {
      programs.withLock { $0.lentCount -= 1 }
      throw error
    }
  }

  /// Returns it for other tests; if no test uses one, all end.
  func giveBack(isSound: Bool) {
    Self.programs.withLock { programs in
      programs.lentCount -= 1
      if isSound { programs.idle.append(self) }
      if programs.lentCount == 0 { programs.idle = [] }
    }
  }

  // MARK: Messages

  /// Sends a command, and returns its result.
  func send(
    _ method: String, _ parameters: [String: Any], session: String?
  ) throws -> [String: Any] {
    let number = number.add(1, ordering: .relaxed).newValue
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    message["sessionId"] = session
    try commands.write(contentsOf: try JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      let answer = try JSONSerialization.jsonObject(with: next()) as? [String: Any] ?? [:]
      guard answer["id"] as? Int == number else { continue }
      if let error = answer["error"] {
        throw Browser.Failure(description: "\(method): \(error)")
      }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func next() throws -> Data {
    try unread.withLock { unread in
      while true {
        if let end = unread.firstIndex(of: 0) {
          defer { unread = Data(unread[(end + 1)...]) }
          return Data(unread[unread.startIndex..<end])
        }
        let more = answers.availableData
        if more.isEmpty { throw Browser.Failure(description: "The browser has ended.") }
        unread += more
      }
    }
  }
}
