package import Foundation

extension CocoaError {
  /// The file that the system refused to Foundation, and the reason; `nil` for any other error.
  package var refusal: (path: String, cause: String)? {
    guard let path = filePath ?? url?.path, let cause = underlying as? POSIXError else {
      return nil
    }
    return (path, String(cString: strerror(cause.code.rawValue)))
  }
}
