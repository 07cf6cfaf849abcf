package import Foundation
package import SystemPackage

extension CocoaError {
  /// The file and the reason in an error of Foundation that reports a refusal of the system; `nil` for any
  /// other error.
  package var refusal: (path: String, cause: String)? {
    guard let path = filePath ?? url?.path, let cause = underlying as? POSIXError else {
      return nil
    }
    return (path, String(cString: strerror(cause.code.rawValue)))
  }
}

extension FileError {
  /// Runs a closure that uses Foundation, and reports refusals of the system as errors with a code.
  ///
  /// - Parameters:
  ///   - action: the attempt, so that "Can’t `action` “path”" reads well.
  ///   - path: the file for an error that names none.
  package static func typed<Result>(
    to action: String, _ path: FilePath, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as CocoaError {
      guard let cause = error.underlying as? POSIXError else { throw error }
      let file = (error.filePath ?? error.url?.path).map { FilePath($0) }
      throw FileError.failed(to: action, file ?? path, Errno(rawValue: cause.code.rawValue))
    }
  }
}
