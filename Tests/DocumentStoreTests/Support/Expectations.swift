import DocumentFiles
import Testing

@testable import DocumentStore

/// Expects an error of this library, and nothing else: no trap, no error of another kind.
@discardableResult
func expectTypedError(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> String? {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as VersionError {
    return error.description
  } catch let error as FileError {
    return error.description
  } catch {
    Issue.record("\(type(of: error)) is not for callers: \(error)", sourceLocation: sourceLocation)
  }
  return nil
}
