/// The meanings of colors; without colors, the text stays plain.
extension String {
  /// The identifier of a version.
  var asIdentifier: String { styled(.yellow) }
  /// Something good: current, merges cleanly.
  var asGood: String { styled(.green) }
  /// Something that waits for a person.
  var asOpen: String { styled(.magenta) }
  /// Something that matters less.
  var asMuted: String { styled(.dim) }
  /// A heading inside a listing.
  var asHeading: String { styled(.bold) }
  /// The word before an error.
  var asError: String { styled(.red, .bold) }
  /// Added text.
  var asAdded: String { styled(.green) }
  /// Removed text.
  var asRemoved: String { styled(.red) }
  /// Added words inside a changed line.
  var asAddedWord: String { styled(.green, .bold, .underline) }
  /// Removed words inside a changed line.
  var asRemovedWord: String { styled(.red, .bold, .underline) }
  /// A place in a text.
  var asPlace: String { styled(.cyan) }

  private func styled(_ styles: TerminalStyle...) -> String {
    guard Console.hasColours, !isEmpty else { return self }
    let codes = styles.map { String($0.rawValue) }.joined(separator: ";")
    return "\u{1B}[\(codes)m\(self)\u{1B}[0m"
  }
}

/// The styles of text on a terminal, by the codes of ECMA-48.
private enum TerminalStyle: Int {
  case bold = 1
  case dim = 2
  case underline = 4
  case red = 31
  case green = 32
  case yellow = 33
  case magenta = 35
  case cyan = 36
}
