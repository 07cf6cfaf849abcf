package import Foundation

extension CocoaError {
  /// Which file the system refused to Foundation, and why; nil where it was something else.
  package var refusal: (path: String, cause: String)? {
    guard let path = filePath ?? url?.path, let cause = underlying as? POSIXError else {
      return nil
    }
    return (path, String(cString: strerror(cause.code.rawValue)))
  }
}
