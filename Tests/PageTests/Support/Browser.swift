import Foundation

/// A real headless browser, with its own cookies and storage.
///
/// One test uses it, and waits for each answer. Its process may have served another test before.
final class Browser {
  /// A failure of the browser, or of a script in its page.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The path of the browser; nil if there is none, in which case these tests are left out.
  static let program = BrowserProgram.path

  private let running: BrowserProgram
  private var context = ""

  init() throws {
    running = try BrowserProgram.lent()
    context = try send("Target.createBrowserContext")["browserContextId"] as? String ?? ""
  }

  deinit {
    // A browser that doesn't answer serves no other test.
    let isSound = (try? send("Target.disposeBrowserContext", ["browserContextId": context])) != nil
    running.giveBack(isSound: isSound)
  }

  /// Sends a command, and returns its result.
  @discardableResult
  func send(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil
  ) throws -> [String: Any] {
    try running.send(method, parameters, session: session)
  }

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - size: the size of the page, in points.
  ///   - isDark: whether the desktop requests dark colors.
  func open(
    _ address: String, size: (width: Int, height: Int) = (1200, 800), isDark: Bool = false
  ) throws -> BrowserWindow {
    let blank = ["url": "about:blank", "browserContextId": context]
    let target = try send("Target.createTarget", blank)["targetId"] ?? ""
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
