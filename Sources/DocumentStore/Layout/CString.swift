extension UnsafePointer<CChar> {
  /// A copy of the C string, with its terminating zero.
  package var nullTerminated: [CChar] {
    var end = self
    while end.pointee != 0 { end += 1 }
    return Array(UnsafeBufferPointer(start: self, count: self.distance(to: end) + 1))
  }
}
