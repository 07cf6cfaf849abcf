package import DocumentStore
package import Testing

extension Device {
  /// Expects that stock git finds nothing wrong.
  package func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let problems = try problems()
    #expect(problems.isEmpty, sourceLocation: sourceLocation)
  }
}

/// Expects a ``VersionError`` with a code.
package func expectVersionError(
  _ code: VersionError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was thrown instead of \(code.rawValue)", sourceLocation: sourceLocation)
  } catch let error as VersionError {
    #expect(error.code == code, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
