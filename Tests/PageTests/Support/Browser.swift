import DocumentTestSupport
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A real browser without a window, driven through two pipes: messages of its DevTools protocol, each ended by a zero.
///
/// One test has it, and waits for each answer.
final class Browser {
  /// A failure of the browser, or of a script in its page.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Where the browser is; nil where there is none, and these tests are left out.
  static let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  private let running: RunningProgram
  private let profile: ScratchFolder
  private let commands: FileHandle
  private let answers: FileHandle
  private var unread = Data()
  private var number = 0

  init() throws {
    guard let program = Self.program else { throw Failure(description: "There is no browser.") }
    profile = try ScratchFolder(isInMemory: true)
    let (input, output) = (try Self.pipeEnds(), try Self.pipeEnds())
    var arguments = [
      "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-extensions", "--disable-background-networking",
      "--disable-component-update", "--user-data-dir=\(profile.url.path)", "about:blank",
    ]
    // Its sandbox refuses the administrator, as whom tests run in containers.
    if geteuid() == 0 { arguments.insert("--no-sandbox", at: 0) }
    running = try RunningProgram(
      program, arguments,
      environment: ["HOME": profile.url.path, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"],
      descriptors: [input.reading, output.writing])
    close(input.reading)
    close(output.writing)
    commands = FileHandle(fileDescriptor: input.writing, closeOnDealloc: true)
    answers = FileHandle(fileDescriptor: output.reading, closeOnDealloc: true)
  }

  /// Two ends that no other program inherits, with numbers above those that one gets.
  private static func pipeEnds() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 20) }
    for end in ends { close(end) }
    return (high[0], high[1])
  }

  /// Sends a command, and returns its result.
  @discardableResult
  func send(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil
  ) throws -> [String: Any] {
    number += 1
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    message["sessionId"] = session
    try commands.write(contentsOf: try JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      let answer = try next()
      guard answer["id"] as? Int == number else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func next() throws -> [String: Any] {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let message = unread[unread.startIndex..<end]
        unread = Data(unread[(end + 1)...])
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      let more = answers.availableData
      if more.isEmpty { throw Failure(description: "The browser has ended.") }
      unread += more
    }
  }

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - size: of the page, in points.
  ///   - isDark: whether the desktop asks for dark colours.
  func open(
    _ address: String, size: (width: Int, height: Int) = (1200, 800), isDark: Bool = false
  ) throws -> BrowserWindow {
    let target = try send("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
    let session =
      try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
      as? String ?? ""
    let window = BrowserWindow(browser: self, session: session)
    try window.send("Page.enable")
    try window.send(
      "Emulation.setDeviceMetricsOverride",
      ["width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": false])
    let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    try window.send("Emulation.setEmulatedMedia", ["features": [scheme]])
    try window.send("Page.navigate", ["url": address])
    return window
  }
}
