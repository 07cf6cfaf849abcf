@testable import DocumentTransport

/// What a git server sends: its greeting, or its answer to a request, in pieces of some size.
///
/// The first byte says which, and the second one how large the pieces are. Nothing may trap, and what was read in pieces
/// must come to the same as what was read at once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard input.count > 2 else { return 0 }
  let size = Int(input[1]) + 1
  let bytes = input[2...]
  let (whole, parts) = (read(bytes, input[0], bytes.count), read(bytes, input[0], size))
  precondition(whole == parts)
  return 0
}

/// Reads bytes in pieces, and returns what they come to.
private func read(_ bytes: ArraySlice<UInt8>, _ kind: UInt8, _ size: Int) -> String {
  let pieces = stride(from: bytes.startIndex, to: bytes.endIndex, by: max(1, size)).map {
    bytes[$0..<min(bytes.endIndex, $0 + size)]
  }
  do {
    switch kind % 3 {
    case 0:
      var reader = GreetingReader { _ in true }
      for piece in pieces where try reader.add(piece) { break }
      return "\(reader.greeting.references.sorted { $0.key < $1.key })"
    case 1:
      var answer = FetchAnswer()
      var received = 0
      for piece in pieces { try answer.add(piece) { received += $0.count } }
      return "\(received) \(answer.isComplete)"
    default:
      var answer = PushAnswer(to: Greeting())
      for piece in pieces { try answer.add(piece) }
      try answer.check([])
      return "taken"
    }
  } catch let error as TransportError {
    return "\(error.kind) \(error.message)"
  } catch {
    return "\(error)"
  }
}
