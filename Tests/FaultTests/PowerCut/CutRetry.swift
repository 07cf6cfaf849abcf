import DocumentTestSupport
import DocumentVersions
import Foundation

/// A command that is repeated after the power is back.
enum CutRetry {
  /// Runs a command in a separate process or, in the full mode with its thousands of states, through the
  /// library if that is equivalent.
  ///
  /// - Returns: the failure; nil if it succeeds.
  static func complaint(of line: [String], in root: URL) throws -> String? {
    if TestMode.isFull, let action = action(line, in: root) {
      do {
        try action(CutProgram.store)
        return nil
      } catch {
        return "\(error)"
      }
    }
    let result = try CutProgram.run(line, in: root)
    return result.exitCode == 0 ? nil : "\(result.exitCode): \(result.errorOutput)"
  }

  /// Returns the call of the library that a command stands for; nil for commands that only the program has.
  private static func action(_ line: [String], in root: URL) -> ((SynchronousStore) throws -> Void)?
  {
    let document = root.appending(path: line[1])
    return switch (line[0], line.count) {
    case ("save", 2): { try $0.save(document) }
    case ("delete", 2): { try $0.delete(document) }
    case ("rename", 3): { try $0.rename(document, to: line[2]) }
    case ("restore", 3): { try $0.restore(version(line[2], of: document, in: $0)) }
    case ("remove", 3): { try $0.remove([version(line[2], of: document, in: $0)], of: document) }
    case ("exchange", 3):
      { store in
        for document in try store.exchange(root.appending(path: line[2]), through: document)
          .documents
        {
          if let failure = document.failure { throw failure }
        }
      }
    default: nil
    }
  }

  private static func version(_ id: String, of document: URL, in store: SynchronousStore) throws
    -> FileVersion
  {
    guard let found = try store.history(of: document).versions.first(where: { "\($0.id)" == id })
    else { throw NoSuchVersion(id: id) }
    return found
  }

  private struct NoSuchVersion: Error {
    let id: String
  }
}
