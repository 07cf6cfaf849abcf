extension VerifyReport {
  /// The lines for a person.
  func lines(for file: DocumentArgument) -> [String] {
    let counts = [
      Wording.count(versions, "version"), Wording.count(objects, "object"), Wording.size(bytes),
    ].joined(separator: ", ")
    let state = whole ? "whole".asGood : "DAMAGED".asError
    var lines = ["\(file.shown)  \(state) · \(counts)"]
    for finding in findings {
      let place = finding.file.map { "  (\($0))".asMuted } ?? ""
      lines.append("  \(finding.message)\(place)")
    }
    if !whole {
      lines.append("  See what can be repaired:  ".asMuted + "docversions doctor \(file.word)")
    }
    return lines
  }
}
