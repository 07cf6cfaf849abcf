import DocumentVersions
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Accesses that programs coordinate.
extension Line {
  static let coordination = [access(withPresenter: false), access(withPresenter: true)]

  /// A coordinated access, compared with a lock on the file, which excludes others without notifying them.
  private static func access(withPresenter hasPresenter: Bool) -> Line {
    Line(
      name: "100 coordinated writes\(hasPresenter ? " with one presenter" : "")",
      peer: "the same under flock", target: hasPresenter ? 30 : 4
    ) { bench in
      let (ours, other) = (bench.ours.appending(path: "a.txt"), bench.git.appending(path: "a.txt"))
      for url in [ours, other] { try Data("text".utf8).write(to: url) }
      let presenter = BenchPresenter(ours)
      if hasPresenter { try await FileCoordinator.addFilePresenter(presenter) }
      return (
        { _ in
          try await Timing.of {
            for _ in 0..<100 {
              try await FileCoordinator().coordinate(writingItemAt: ours) {
                try Data("other".utf8).write(to: $0)
              }
            }
          }
        },
        { _ in
          try await Timing.of {
            for _ in 0..<100 {
              let file = open(other.path, O_RDWR | O_CLOEXEC)
              flock(file, LOCK_EX)
              try Data("other".utf8).write(to: other)
              close(file)
            }
          }
        }
      )
    }
  }
}

private final class BenchPresenter: FilePresenter {
  private let url: URL

  init(_ url: URL) { self.url = url }

  var presentedItemURL: URL? { url }
}
