import DocumentTestSupport
import Foundation
import Testing

/// A condition that holds in a page, as a script.
struct PageCondition: ExpressibleByStringInterpolation {
  let script: String

  init(stringLiteral script: String) { self.script = script }

  static let isSaved: Self = "document.querySelector('.state')?.textContent === 'Saved'"

  static func text(contains part: String) -> Self {
    "document.querySelector('textarea')?.value.includes('\(part)')"
  }

  static func lists(_ count: Int) -> Self {
    "document.querySelectorAll('#list li').length === \(count)"
  }
}

/// A window of a browser: a person's actions in it, and its contents.
struct BrowserWindow {
  let browser: Browser
  let session: String

  @discardableResult
  func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    try browser.send(method, parameters, session: session)
  }

  /// The value of a script, as text.
  @discardableResult
  func value(_ script: String) throws -> String {
    let result = try send(
      "Runtime.evaluate",
      [
        "expression": "(async () => String(\(script)))()", "awaitPromise": true,
        "returnByValue": true,
      ])
    if let failure = result["exceptionDetails"] {
      throw Browser.Failure(description: "\(script): \(failure)")
    }
    return (result["result"] as? [String: Any])?["value"] as? String ?? ""
  }

  /// Does something in the page.
  func run(_ script: String) throws { try value("(() => { \(script) })()") }

  /// Waits until a condition holds in the page.
  func waits(until condition: PageCondition, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    // A page that is being loaded can't be queried yet.
    let holds = eventually(every: .milliseconds(20)) {
      do { return try value(condition.script) == "true" } catch { return false }
    }
    let shown = holds ? "" : try value("document.body.innerText")
    try #require(
      holds, "\(condition.script); the page shows: \(shown)", sourceLocation: sourceLocation)
  }

  /// Types a text at the caret.
  func type(_ text: String) throws { try send("Input.insertText", ["text": text]) }

  /// Presses a key by its name.
  func press(_ key: String, isControlled: Bool = false) throws {
    let codes = [
      "Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, " ": 32,
      "Backspace": 8, "Delete": 46, "End": 35, "Home": 36, "F2": 113,
    ]
    var event: [String: Any] = [
      "key": key, "windowsVirtualKeyCode": codes[key] ?? Int(key.uppercased().utf8.first ?? 0),
      "modifiers": isControlled ? 2 : 0,
    ]
    var down = event
    down["type"] = "keyDown"
    if !isControlled { down["text"] = key == "Enter" ? "\r" : key.count == 1 ? key : nil }
    event["type"] = "keyUp"
    try send("Input.dispatchKeyEvent", down)
    try send("Input.dispatchKeyEvent", event)
  }

  /// The processor time that the page's thread takes, in milliseconds.
  func processorTime() throws -> Double {
    try send("Performance.enable", ["timeDomain": "threadTicks"])
    let metrics = try send("Performance.getMetrics")["metrics"] as? [[String: Any]] ?? []
    let tasks = metrics.first { $0["name"] as? String == "TaskDuration" }
    return (tasks?["value"] as? Double ?? 0) * 1000
  }

  /// Shows a document, or another view of it: "Note.md", "Note.md!history".
  func go(to place: String) throws {
    let encoded =
      place.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "!.-_"))) ?? place
    try run("location.hash = '\(encoded)'")
  }

  /// Returns the roles and names for screen readers.
  func accessibleNames() throws -> [(role: String, name: String)] {
    try send("Accessibility.enable")
    let nodes = try send("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
    func text(_ value: Any?) -> String { (value as? [String: Any])?["value"] as? String ?? "" }
    return nodes.filter { $0["ignored"] as? Bool != true }
      .map { (text($0["role"]), text($0["name"])) }
  }

  /// Keeps a picture of the page for review: `.build/page/NAME.png`.
  func picture(_ name: String) throws {
    let shot = try send("Page.captureScreenshot", ["format": "png"])["data"] as? String ?? ""
    let data = try #require(Data(base64Encoded: shot))
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/page")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "\(name).png"))
  }
}
