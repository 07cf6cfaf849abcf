/// A pattern for a text, with `*` for any characters and `?` for one.
struct WildcardPattern: Sendable {
  private enum Part: Equatable {
    case character(Character)
    case one
    case many
  }

  private let parts: [Part]

  /// Reads a pattern; `\` before a character makes it stand for itself.
  init(_ pattern: String) {
    var parts: [Part] = []
    var rest = pattern[...]
    while let sign = rest.popFirst() {
      switch sign {
      case "*": if parts.last != .many { parts.append(.many) }
      case "?": parts.append(.one)
      case "\\": parts.append(.character(rest.popFirst() ?? sign))
      default: parts.append(.character(sign))
      }
    }
    self.parts = parts
  }

  /// Returns whether the whole text matches.
  ///
  /// Only the last `*` is retried, so the time is at most the product of both lengths.
  func matches(_ text: String) -> Bool {
    var (place, part) = (text.startIndex, 0)
    var retry: (place: String.Index, part: Int)?
    while place < text.endIndex {
      if part < parts.count, parts[part] == .many {
        part += 1
        retry = (place, part)
      } else if part < parts.count, parts[part] == .one || parts[part] == .character(text[place]) {
        part += 1
        place = text.index(after: place)
      } else if let last = retry {
        place = text.index(after: last.place)
        part = last.part
        retry = (place, part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .many }
  }
}
