#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reads a part of an open file; returns fewer bytes only at the end of the file.
///
/// - Parameter operation: the operation for the error, such as "read object 12ab…".
func readPart(
  _ range: Range<Int>, of descriptor: Int32, _ operation: @autoclosure () -> String
) throws(GitError) -> [UInt8] {
  guard !range.isEmpty else { return [] }
  var failure: Int32 = 0
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
    while count < range.count {
      let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
      let step = unsafe pread(
        descriptor, place, range.count - count, off_t(range.lowerBound + count))
      if step > 0 {
        count += step
      } else if step == 0 || errno != EINTR {
        failure = step == 0 ? 0 : errno
        return
      }
    }
  }
  if failure != 0 { throw .fromSystem(operation(), failure) }
  return bytes
}
