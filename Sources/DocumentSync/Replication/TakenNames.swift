internal import DocumentFiles

/// The paths that documents are about to get, as a disk that ignores case sees them.
struct TakenNames {
  private var documents: Set<String> = []
  private var folders: Set<String> = []

  /// Returns whether a path can be used beside the others: neither it nor a folder above it is among them,
  /// and none of them is below it.
  func areFree(for path: String) -> Bool {
    let all = Self.prefixes(of: path)
    return all.allSatisfy { !documents.contains($0) } && !folders.contains(path.lowercased())
  }

  mutating func take(_ path: String) {
    documents.insert(path.lowercased())
    folders.formUnion(Self.prefixes(of: path).dropLast())
  }

  /// Returns the folders above a path, and the path itself, in lowercase.
  private static func prefixes(of path: String) -> [String] {
    var passed = ""
    return path.pathNames().map { name in
      passed += (passed.isEmpty ? "" : "/") + name.lowercased()
      return passed
    }
  }
}
