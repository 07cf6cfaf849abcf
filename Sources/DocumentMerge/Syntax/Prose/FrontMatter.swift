/// The front matter of a text: settings between two lines that determine their format, as in Jekyll and Hugo.
struct FrontMatter {
  /// The line before and after the settings.
  enum Mark: String, CaseIterable {
    case yaml = "---"
    case toml = "+++"

    /// The mark as a line.
    var line: [UInt8] { Array(rawValue.utf8) + [.lineFeed] }
  }

  let mark: Mark
  /// The lines between the marks.
  let settings: TextLines
  /// The lines after the front matter.
  let body: TextLines

  /// Divides a text; `nil` if it doesn't begin with front matter.
  init?(_ text: TextLines) {
    guard text.count > 1,
      let mark = Mark.allCases.first(where: { text[0..<1].elementsEqual($0.line) }),
      let end = (1..<text.count).first(where: { text[$0].elementsEqual(mark.line) }),
      // YAML may also end like this; then the mark after it is a rule in the text.
      !(1..<end).contains(where: { text[$0].elementsEqual("...\n".utf8) })
    else { return nil }
    self.mark = mark
    settings = TextLines(Array(text[1..<end]))
    body = TextLines(Array(text[end + 1..<text.count]))
  }

  /// The number of lines before the body.
  var lineCount: Int { settings.count + 2 }

  /// Returns the number of lines before the body, for other settings.
  static func lineCount(with settings: [UInt8]) -> Int { TextLines(settings).count + 2 }

  /// Returns a text made of other parts.
  static func text(_ mark: Mark, settings: [UInt8], body: [UInt8]) -> [UInt8] {
    let end: [UInt8] = settings.isEmpty || settings.last == .lineFeed ? [] : [.lineFeed]
    return mark.line + settings + end + mark.line + body
  }
}
