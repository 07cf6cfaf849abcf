extension PackageMerge {
  /// Records the decision about the path of a member, and asks if the sides contradict each other.
  mutating func decideAboutPlace(of member: AlignedMember) {
    if let other = member.crowdedOut { decideWhoStands(at: member.place, or: other) }
    guard !member.isRenamedAndDeleted, let words = member.words(options.labels) else { return }
    let places = MergeSides<PackagePath?>(
      base: member.base, ours: member.ours, theirs: member.theirs)
    let decision = MergeDecision(
      kind: member.placeKind, place: MergePlace(member: member.place),
      base: member.base?.description, ours: places.ours?.description,
      theirs: places.theirs?.description, explanation: words)
    guard let alternative = member.alternative else {
      record(decision)
      return
    }
    let clash = MergeClash(decision, places.map { $0?.bytes }, choices: [.ours, .theirs])
    if answer(to: clash) == .theirs { relocations[member.place] = alternative }
  }

  /// Asks which of two members gets a path, and which one a free name.
  private mutating func decideWhoStands(at path: PackagePath, or other: PackagePath) {
    let words = [path, other].map { place in
      moved[place]?.base.map { $0 == path ? "changed" : "renamed from \($0)" } ?? "added"
    }
    let clash = MergeClash(
      MergeDecision(
        kind: .clash, place: MergePlace(member: path), ours: words[0], theirs: words[1],
        explanation: """
          Each side has another member named \(path). Both are kept: that of \(options.labels.ours) has the name, \
          that of \(options.labels.theirs) is \(other).
          """),
      MergeSides(base: nil, ours: Array(words[0].utf8), theirs: Array(words[1].utf8)),
      choices: [.ours, .theirs])
    if answer(to: clash) == .theirs {
      relocations[path] = other
      relocations[other] = path
    }
  }

  /// Moves members to the paths that the answers choose.
  mutating func relocate() {
    guard !relocations.isEmpty else { return }
    var moving: [PackagePath: MergedMember] = [:]
    for (old, new) in relocations { moving[new] = members.removeValue(forKey: old) }
    for (path, member) in moving {
      members[path] = member
      for folder in path.ancestors where members[folder] == .kept(.folder) {
        members[folder] = nil
      }
    }
  }
}

extension AlignedMember {
  /// The kind of decision about the path.
  fileprivate var placeKind: MergeDecision.Kind {
    if isRenamedTwice { return .clash }
    if folderRenamedBy != nil { return .combined }
    return ours == theirs ? .same : isRenamedByOurs ? .ours : .theirs
  }

  /// Returns a sentence about the change of the path; `nil` if it is unchanged.
  func words(_ labels: MergeLabels) -> String? {
    let isByOurs = folderRenamedBy.map { $0 == .theirs } ?? isRenamedByOurs
    let (side, other) = isByOurs ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
    guard let path = isByOurs ? ours : theirs else { return nil }
    if folderRenamedBy != nil {
      let change = base.map { "renamed \($0) to \(path)" } ?? "added \(path)"
      return "\(side) \(change), and \(other) renamed its folder: it is \(wantedPlace)."
    }
    guard let base, isRenamedByOurs || isRenamedByTheirs else { return nil }
    if isRenamedAndDeleted { return "\(other) deleted \(base), and \(side) renamed it to \(path)." }
    if isRenamedTwice, let theirs {
      return "\(labels.ours) renamed \(base) to \(path), and \(labels.theirs) to \(theirs)."
    }
    return "\(ours == theirs ? "Both sides" : "Only \(side)") renamed \(base) to \(path)."
  }
}
