internal import DocumentVersions
internal import Foundation

/// A document with one text, as a page edits it.
///
/// The text is stored in the units that a browser counts (UTF-16). Its line endings stay as they are in the
/// file; a browser sees each of them as one line feed.
@MainActor
final class TextDocument: Document {
  private var units: [UInt16] = []
  /// The line ending of inserted lines.
  private var lineEnd: [UInt16] = Array("\n".utf16)
  /// False if the bytes aren't text.
  private(set) var isText = true
  /// A number that grows with each change of the text, and that a process never uses twice.
  private(set) var revision = 0
  /// Called when the text, the state or the unsaved changes have changed.
  var onChange: (@MainActor () -> Void)?

  private static var lastRevision = 0

  private static let lineFeed = UInt16(ascii: "\n")
  private static let carriageReturn = UInt16(ascii: "\r")

  /// The text in the form that a browser sees.
  var text: String {
    var shown: [UInt16] = []
    shown.reserveCapacity(units.count)
    var index = 0
    while index < units.count {
      let isReturn = units[index] == Self.carriageReturn
      shown.append(isReturn ? Self.lineFeed : units[index])
      index += step(at: index)
    }
    return String(decoding: shown, as: UTF16.self)
  }

  /// Returns the number of units at an index that count as one: two for a line ending of two.
  private func step(at index: Int) -> Int {
    let isPair =
      units[index] == Self.carriageReturn && index + 1 < units.count
      && units[index + 1] == Self.lineFeed
    return isPair ? 2 : 1
  }

  /// Replaces a part of the text.
  ///
  /// - Parameters:
  ///   - start: the position of the part, in the units that a browser sees.
  ///   - count: the number of these units.
  ///   - inserted: the text that replaces it.
  ///   - name: the name of the change in the undo menu.
  /// - Returns: false if the text has no such part.
  func replace(
    from start: Int, count: Int, with inserted: String, named name: String = "Change"
  ) -> Bool {
    guard start >= 0, count >= 0, let first = index(of: start, from: 0),
      let end = index(of: count, from: first)
    else { return false }
    let new = inserted.utf16.flatMap { $0 == Self.lineFeed ? lineEnd : [$0] }
    change(first..<end, to: new, named: name)
    return true
  }

  /// Replaces units, and records how to undo that.
  private func change(_ range: Range<Int>, to new: [UInt16], named name: String) {
    let old = Array(units[range])
    let changed = range.lowerBound..<(range.lowerBound + new.count)
    units.replaceSubrange(range, with: new)
    didChange()
    undoManager?.levelsOfUndo = 1000
    undoManager?.registerUndo(withTarget: self) { $0.change(changed, to: old, named: name) }
    undoManager?.setActionName(name)
    // Each change that a page sends can be undone separately.
    undoManager?.endEvent()
    onChange?()
  }

  /// Replaces the whole text if it differs.
  func replace(with text: String) {
    let (old, new) = (Array(self.text.utf16), Array(text.utf16))
    guard old != new else { return }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    let inserted = String(decoding: new[start..<(new.count - end)], as: UTF16.self)
    _ = replace(from: start, count: old.count - end - start, with: inserted)
  }

  /// Returns the index that is a number of shown units after another one; nil after the end.
  private func index(of count: Int, from first: Int) -> Int? {
    var index = first
    for _ in 0..<count {
      guard index < units.count else { return nil }
      index += step(at: index)
    }
    return index
  }

  private func didChange() {
    Self.lastRevision += 1
    revision = Self.lastRevision
  }

  // MARK: The document

  override func contents(forType type: String) throws -> DocumentContents {
    .data(Data(String(decoding: units, as: UTF16.self).utf8))
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    isText = false
    units = []
    if case .data(let data) = contents, let text = String(validating: data, as: UTF8.self) {
      isText = true
      units = Array(text.utf16)
    }
    isReadOnly = !isText
    let end = units.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
    lineEnd = end.map { Array(units[$0..<($0 + step(at: $0))]) } ?? [Self.lineFeed]
    didChange()
    onChange?()
  }

  override func save(to url: URL, for operation: SaveOperation) async throws {
    defer { onChange?() }
    try await super.save(to: url, for: operation)
  }

  override func handle(_ error: any Error) { onChange?() }

  override func presentedItemDidMove(to url: URL) async {
    await super.presentedItemDidMove(to: url)
    onChange?()
  }
}

extension UInt16 {
  fileprivate init(ascii character: Unicode.Scalar) { self = UInt16(UInt8(ascii: character)) }
}
