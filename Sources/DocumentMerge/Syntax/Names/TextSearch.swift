/// Search by bytes, because lines are searched for many marks.
extension StringProtocol where SubSequence == Substring {
  /// Returns the first occurrence of a text in this one.
  func firstPlace(of mark: String) -> Range<Index>? {
    var own = self[...]
    guard let found = own.withUTF8({ $0.offset(of: mark) }) else { return nil }
    let start = utf8.index(startIndex, offsetBy: found)
    return start..<utf8.index(start, offsetBy: mark.utf8.count)
  }

  /// Returns the text after each occurrence of a mark in this text.
  func pieces(behind mark: String) -> [Substring] {
    var (pieces, rest): ([Substring], Substring) = ([], self[...])
    while let start = rest.firstPlace(of: mark) {
      rest = rest[start.upperBound...]
      pieces.append(rest)
    }
    return pieces
  }

  /// Returns whether this text begins with another one, byte by byte.
  func begins(with mark: some StringProtocol) -> Bool { utf8.starts(with: mark.utf8) }

  /// Returns whether this text contains another one.
  func has(_ mark: String) -> Bool {
    var own = self[...]
    return own.withUTF8 { $0.offset(of: mark) } != nil
  }
}

extension TextLines {
  /// Returns whether this text contains another one.
  func has(_ mark: String) -> Bool {
    bytes.withUnsafeBufferPointer { $0.offset(of: mark) } != nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of a text in these bytes.
  fileprivate func offset(of mark: String) -> Int? {
    var mark = mark
    return mark.withUTF8 { mark in
      guard let first = mark.first, mark.count <= count else { return mark.isEmpty ? 0 : nil }
      for start in 0...count - mark.count where self[start] == first {
        var length = 1
        while length < mark.count, self[start + length] == mark[length] { length += 1 }
        if length == mark.count { return start }
      }
      return nil
    }
  }
}
