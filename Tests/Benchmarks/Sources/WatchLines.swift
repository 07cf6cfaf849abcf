import Foundation

/// Watching a folder, beside saving its documents by hand.
extension Line {
  static let watching = [watchOfMany]

  private static let watchOfMany = Line(
    name: "watch --once of 1,000 edited documents", peer: "save --all of them", target: 3
  ) { bench in
    let names = (0..<1_000).map { "\($0).txt" }
    func edit() throws {
      for name in names {
        try bench.editText(name)
        // It has settled.
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -60)],
          ofItemAtPath: bench.ours.appending(path: name).path)
      }
    }
    try edit()
    try bench.docversions("save", "--all")
    return (
      { _ in
        try edit()
        return try bench.docversions("watch", "--once")
      },
      { _ in
        try edit()
        return try bench.docversions("save", "--all")
      }
    )
  }
}
