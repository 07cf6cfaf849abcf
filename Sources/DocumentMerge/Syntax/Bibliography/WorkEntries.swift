/// The entries of a bibliography, and its strings.
struct WorkEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      guard line.hasPrefix("@") else {
        if line.first == "}" || line.first == " " || line.first == "\t" {
          names.extendLast(to: number)
        }
        continue
      }
      let parts = line.split(separator: "{", maxSplits: 1)
      let kind = parts[0].lowercased().trimmingSuffix { $0 == " " }
      guard parts.count == 2, kind != "@comment", kind != "@preamble" else { continue }
      let name = parts[1].drop { $0 == " " }.prefix { !",}= ".contains($0) }
      // Keys are compared in lowercase.
      if !name.isEmpty {
        names.add((kind == "@string" ? "@string " : "") + name.lowercased(), number)
      }
    }
  }
}
