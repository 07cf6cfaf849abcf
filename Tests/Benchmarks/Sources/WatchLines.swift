import Foundation

/// Watching a folder, compared with saving its documents manually.
extension Line {
  static let watching = [watchOfMany, watchOfKnown]

  private static let watchOfKnown = Line(
    name: "watch --once of 10,000 documents, nothing to do", peer: "status of them", target: 2
  ) { bench in
    for number in 0..<10_000 {
      let name = "\(number / 500)/\(number).md"
      try bench.write(Data("# Note \(number)\n\nA few words.\n".utf8), to: name)
    }
    try bench.docversions("save", "--all")
    return (
      { _ in try bench.docversions("watch", "--once") },
      { _ in try bench.docversions("status") }
    )
  }

  private static let watchOfMany = Line(
    name: "watch --once of 1,000 edited documents", peer: "save --all of them", target: 3
  ) { bench in
    let names = (0..<1_000).map { "\($0).txt" }
    func edit() throws {
      for name in names {
        try bench.editText(name)
        // The file has settled.
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
