extension [CChar] {
  /// Returns the C string with text appended.
  func appending(_ text: String) -> [CChar] {
    var text = text
    var joined: [CChar] = []
    joined.reserveCapacity(count + text.utf8.count)
    joined += dropLast() as ArraySlice<CChar>
    text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe joined.append(contentsOf: $0) }
    }
    joined.append(0)
    return joined
  }
}
