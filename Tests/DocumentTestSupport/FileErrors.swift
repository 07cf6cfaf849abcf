package import DocumentFiles
package import Testing

/// Expects a ``FileError`` with a code.
@discardableResult
package func expectFileError(
  _ code: FileError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> FileError? {
  let error = #expect(throws: FileError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
  return error
}
