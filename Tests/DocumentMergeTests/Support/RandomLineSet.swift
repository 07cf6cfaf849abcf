import DocumentMerge
import DocumentTestSupport

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// The lines after some edits; each has a mark and a number of its own.
  private mutating func edited(_ lines: [String], mark: String) -> [String] {
    var lines = lines
    for edit in 0...pick(3) {
      let new = "\(mark)\(edit)"
      let place = pick(max(lines.count, 1))
      switch pick(6) {
      // The text of an option is its identity.
      case 0...1 where !lines.isEmpty && !lines[place].hasSuffix(".txt"):
        lines[place] = lines[place].prefix { $0 != "=" } + "==" + new
      case 2 where !lines.isEmpty: lines.remove(at: place)
      case 3 where !lines.contains { $0.hasPrefix("n==") }: lines.append("n==\(new)")
      case 4 where !lines.isEmpty: lines[place] = "# \(new)\n" + lines[place]
      default: lines.insert("p-\(new)==\(new)", at: pick(lines.count + 1))
      }
    }
    return lines
  }

  /// Required packages: a base and two edited sides.
  mutating func lineSetSides() -> MergeSides<[UInt8]> {
    let all = ["alpha==1", "Beta==2", "gamma_x==3", "-r other.txt", "delta==4"]
    let base = Array(all.shuffled(using: &self).prefix(pick(6)))
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(base: base, ours: ours, theirs: theirs).map { lines in
      Array(lines.map { $0 + "\n" }.joined().utf8)
    }
  }
}
