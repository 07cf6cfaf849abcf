extension [CChar] {
  /// A C string with more at its end.
  func appending(_ text: String) -> [CChar] {
    var joined: [CChar] = []
    joined.reserveCapacity(count + text.utf8.count)
    joined += dropLast() as ArraySlice<CChar>
    joined += text.utf8.lazy.map { CChar(bitPattern: $0) }
    joined.append(0)
    return joined
  }
}
