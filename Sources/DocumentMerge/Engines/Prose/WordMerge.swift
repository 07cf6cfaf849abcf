/// Merges two edits of a text by words.
///
/// The rules, in this order:
///
/// 1. The same change on both sides is one change.
/// 2. Two changes combine if at least one word between them is unchanged. Punctuation is not enough, nor,
///    within a sentence, are the parts of a code, or numbers with their units.
/// 3. A sentence that one side rewrote and the other side changed is not merged.
/// 4. The numbers of a sentence belong together; if both sides changed some, they are not merged.
/// 5. Words that both sides added at different places are not added twice.
/// 6. Words that one side moved and the other side removed are not merged.
/// 7. Spaces and line wraps are merged separately from the words, so that rewrapping doesn't clash with an
///    edit. If both sides rewrapped, the wraps of ours are used.
enum WordMerge {
  /// Merges a text that both sides changed; `nil` if the changes clash.
  static func merged(_ sides: MergeSides<[UInt8]>) -> [UInt8]? {
    switch sides.settled {
    case .theirs: return sides.theirs
    case .some: return sides.ours
    case nil: break
    }
    guard let base = sides.base else { return nil }
    var numbers = WordNumbers()
    let merge = ThreeTokens(
      base: WordTokens(base), ours: WordTokens(sides.ours), theirs: WordTokens(sides.theirs),
      numbers: &numbers)
    guard let merge, merge.isFreeOfClashes else { return nil }
    let (bytes, expected) = merge.written()
    // Because spaces come from more than one side, they may have joined or split a word.
    return numbers.numbers(of: WordTokens(bytes)) == expected ? bytes : nil
  }
}

/// Three texts as words, and the changes between them.
private struct ThreeTokens {
  private struct Hunk {
    let kind: MergeDecision.Kind
    let change: LineChange
  }

  private let base: WordTokens
  private let ours: WordTokens
  private let theirs: WordTokens
  private let baseNumbers: [Int]
  private let oursNumbers: [Int]
  private let theirsNumbers: [Int]
  private let hunks: [Hunk]

  init?(base: WordTokens, ours: WordTokens, theirs: WordTokens, numbers: inout WordNumbers) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
    let baseNumbers = numbers.numbers(of: base)
    self.baseNumbers = baseNumbers
    let (oursNumbers, theirsNumbers) = (numbers.numbers(of: ours), numbers.numbers(of: theirs))
    (self.oursNumbers, self.theirsNumbers) = (oursNumbers, theirsNumbers)
    guard
      let oursChanges = WordDifference.changes(from: baseNumbers, to: oursNumbers),
      let theirsChanges = WordDifference.changes(from: baseNumbers, to: theirsNumbers)
    else { return nil }
    let theirsByPlace = Dictionary(
      theirsChanges.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    let oursHunks = oursChanges.map { change in
      let isSame = theirsByPlace[change.old].map { other in
        oursNumbers[change.new].elementsEqual(theirsNumbers[other])
      }
      return Hunk(kind: isSame == true ? .same : .ours, change: change)
    }
    let same = Set(oursHunks.lazy.filter { $0.kind == .same }.map(\.change.old))
    let theirsHunks = theirsChanges.filter { !same.contains($0.old) }
      .map { Hunk(kind: .theirs, change: $0) }
    hunks = (oursHunks + theirsHunks).sorted {
      ($0.change.old.lowerBound, $0.change.old.upperBound)
        < ($1.change.old.lowerBound, $1.change.old.upperBound)
    }
  }

  var isFreeOfClashes: Bool {
    areApart && !isAddedTwice && !isRevived && !isRewrittenAndTouched && !haveNumbersOfBoth
  }

  /// True if both sides changed a number in the same sentence, such as a dose and its frequency.
  private var haveNumbersOfBoth: Bool {
    let sentences = base.sentences
    var touched: [MergeDecision.Kind: Set<Int>] = [:]
    for hunk in hunks where hunk.kind != .same {
      let source = hunk.kind == .theirs ? theirs : ours
      let hasNumber =
        hunk.change.old.contains { NumberWords.contains(base.text($0)) }
        || hunk.change.new.contains { NumberWords.contains(source.text($0)) }
      guard hasNumber else { continue }
      let places = hunk.change.old.isEmpty ? [hunk.change.old.lowerBound] : Array(hunk.change.old)
      touched[hunk.kind, default: []].formUnion(places.map { sentences[$0] })
    }
    return !touched[.ours, default: []].isDisjoint(with: touched[.theirs, default: []])
  }

  /// True if one side added elsewhere what both sides removed: one moved it, and the other removed it.
  private var isRevived: Bool {
    func words(_ tokens: WordTokens, _ range: Range<Int>, _ numbers: [Int]) -> [Int] {
      range.filter { tokens.tokens[$0].weight > 0 }.map { numbers[$0] }.sorted()
    }
    let lost = hunks.filter { $0.kind == .same }.map { words(base, $0.change.old, baseNumbers) }
    return hunks.contains { hunk in
      guard hunk.kind != .same else { return false }
      let gained =
        hunk.kind == .ours
        ? words(ours, hunk.change.new, oursNumbers) : words(theirs, hunk.change.new, theirsNumbers)
      return lost.contains { CarriedWords.carried(from: $0, to: gained) != nil }
    }
  }

  /// True if both sides added the same words at different places.
  private var isAddedTwice: Bool {
    func added(_ kind: MergeDecision.Kind, _ tokens: WordTokens, _ numbers: [Int]) -> Set<[Int]> {
      let words = hunks.lazy.filter { $0.kind == kind && $0.change.old.isEmpty }.map { hunk in
        hunk.change.new.filter { tokens.tokens[$0].weight > 0 }.map { numbers[$0] }
      }
      return Set(words.filter { !$0.isEmpty })
    }
    return !added(.ours, ours, oursNumbers).isDisjoint(with: added(.theirs, theirs, theirsNumbers))
  }

  /// True if an unchanged word is between any two changes of different sides.
  private var areApart: Bool {
    var last: [MergeDecision.Kind: Int] = [:]
    let sentences = base.sentences
    /// The weight of the unchanged words before each word, and of those that aren't part of a code.
    var (unchanged, telling) = ([0], [0])
    let same = hunks.filter { $0.kind == .same }.map(\.change.old)
    var next = same[...]
    for (index, token) in base.tokens.enumerated() {
      while let first = next.first, first.upperBound <= index { next.removeFirst() }
      let isChanged = next.first?.contains(index) ?? false
      let weight = isChanged ? 0 : token.weight
      unchanged.append(unchanged[index] + weight)
      telling.append(telling[index] + (weight == 0 || base.isInCode(index) ? 0 : weight))
    }
    for hunk in hunks {
      if hunk.kind != .same, let other = last[hunk.kind == .ours ? .theirs : .ours] {
        let start = hunk.change.old.lowerBound
        guard other <= start else { return false }
        // A word that begins its line isn't part of a group on the line before.
        let side = hunk.kind == .ours ? ours : theirs
        let isOwnLine =
          hunk.change.old.isEmpty && side.space(hunk.change.new.lowerBound).contains(.lineFeed)
        let isInOneSentence = !isOwnLine && sentences[max(0, other - 1)] == sentences[start]
        let between = isInOneSentence ? telling : unchanged
        guard between[start] - between[other] >= WordTokens.wordWeight else { return false }
      }
      // A change of both sides can't overlap another one, because each side's changes are separate.
      if hunk.kind != .same { last[hunk.kind] = hunk.change.old.upperBound }
    }
    return true
  }

  /// True if one side changed most of a sentence in which the other side also changed something.
  private var isRewrittenAndTouched: Bool {
    struct Sentence {
      var words = 0
      var removed: [MergeDecision.Kind: Int] = [:]
      var added: [MergeDecision.Kind: Int] = [:]
      var touched: Set<MergeDecision.Kind> = []
    }
    let numbers = base.sentences
    var sentences = Array(repeating: Sentence(), count: (numbers.last ?? 0) + 1)
    for (token, sentence) in zip(base.tokens, numbers) { sentences[sentence].words += token.weight }
    for hunk in hunks {
      let sides: [MergeDecision.Kind] = hunk.kind == .same ? [.ours, .theirs] : [hunk.kind]
      let source = hunk.kind == .theirs ? theirs : ours
      let added = source.tokens[hunk.change.new]
      for side in sides {
        for index in hunk.change.old {
          sentences[numbers[index]].removed[side, default: 0] += base.tokens[index].weight
          if hunk.kind != .same { sentences[numbers[index]].touched.insert(side) }
        }
        // Whole sentences between two others belong to neither.
        let place = hunk.change.old.lowerBound
        let isBetween = place == 0 || numbers[place - 1] != numbers[place]
        guard !added.isEmpty, !(hunk.change.old.isEmpty && isBetween) else { continue }
        sentences[numbers[place]].added[side, default: 0] += added.reduce(0) { $0 + $1.weight }
        if hunk.kind != .same { sentences[numbers[place]].touched.insert(side) }
      }
    }
    return sentences.contains { sentence in
      func isRewritten(by side: MergeDecision.Kind) -> Bool {
        2 * sentence.removed[side, default: 0] > sentence.words
          || sentence.added[side, default: 0] > 2 * sentence.words
      }
      return sentence.touched == [.ours, .theirs]
        && (isRewritten(by: .ours) || isRewritten(by: .theirs))
    }
  }

  /// Walks the words: those that neither side changed, with their positions in the three texts, and the
  /// changes with their start positions on both sides.
  private func walk(
    unchanged: (_ base: Int, _ ours: Int, _ theirs: Int) -> Void,
    changed: (_ hunk: Hunk, _ ours: Int, _ theirs: Int) -> Void = { _, _, _ in }
  ) {
    var (position, oursAt, theirsAt) = (0, 0, 0)
    func advance(to end: Int) {
      for offset in 0..<end - position {
        unchanged(position + offset, oursAt + offset, theirsAt + offset)
      }
      (oursAt, theirsAt) = (oursAt + end - position, theirsAt + end - position)
      position = end
    }
    for hunk in hunks {
      advance(to: hunk.change.old.lowerBound)
      changed(hunk, oursAt, theirsAt)
      position = hunk.change.old.upperBound
      oursAt += hunk.kind == .theirs ? hunk.change.old.count : hunk.change.new.count
      theirsAt += hunk.kind == .ours ? hunk.change.old.count : hunk.change.new.count
    }
    advance(to: base.tokens.count)
  }

  /// Returns the merged text, and the numbers of its words.
  func written() -> (bytes: [UInt8], numbers: [Int]) {
    var bytes: [UInt8] = []
    var written: [Int] = []
    let prefersOurs = haveBothWrapped
    func space(_ position: Int, _ oursAt: Int, _ theirsAt: Int) {
      // If the first words are removed, the text starts with its original space, not with a line wrap.
      if written.isEmpty, position > 0 {
        bytes += oursAt == 0 ? ours.space(0) : theirsAt == 0 ? theirs.space(0) : base.space(0)
        return
      }
      let (base, ours, theirs) = (
        base.space(position), ours.space(oursAt), theirs.space(theirsAt)
      )
      let isOurs = base != ours || base == theirs || prefersOurs && !ours.isEmpty && !base.isEmpty
      bytes += isOurs ? ours : theirs
    }
    walk { position, oursAt, theirsAt in
      space(position, oursAt, theirsAt)
      bytes += ours.text(oursAt)
      written.append(oursNumbers[oursAt])
    } changed: { hunk, oursAt, theirsAt in
      let (source, numbers) = hunk.kind == .theirs ? (theirs, theirsNumbers) : (ours, oursNumbers)
      for index in hunk.change.new {
        if index > hunk.change.new.lowerBound || hunk.change.old.isEmpty || hunk.kind == .same {
          bytes += source.space(index)
        } else {
          space(hunk.change.old.lowerBound, oursAt, theirsAt)
        }
        bytes += source.text(index)
        written.append(numbers[index])
      }
    }
    return (bytes, written)
  }

  /// True if both sides moved line wraps between words that neither side changed.
  private var haveBothWrapped: Bool {
    var (isOurs, isTheirs) = (false, false)
    func isWrap(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
      !old.isEmpty && !new.isEmpty && old.contains(.lineFeed) != new.contains(.lineFeed)
    }
    walk { position, oursAt, theirsAt in
      let space = base.space(position)
      isOurs = isOurs || isWrap(space, ours.space(oursAt))
      isTheirs = isTheirs || isWrap(space, theirs.space(theirsAt))
    }
    return isOurs && isTheirs
  }
}
