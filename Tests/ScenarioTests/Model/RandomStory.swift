import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation

/// A random story, which is the same for the same seed.
struct RandomStory {
  private var random: SeededGenerator
  private(set) var world: ModelWorld
  private var backups: [(index: Int, copy: ModelledDevice)] = []
  private var count = 0

  /// - Parameter server: the server through which the devices exchange; nil for a folder.
  init(seed: Int, server: GitServer? = nil) throws {
    random = SeededGenerator(seed: seed)
    let offsets = [0.0, -172_800, 0, 86_400].prefix(Int.random(in: 3...4, using: &random))
    world = try ModelWorld(clockOffsets: Array(offsets), server: server)
  }

  /// Plays a number of steps, comparing after each, and then lets all devices agree.
  mutating func play(steps: Int) async throws {
    try perform("d0 begins") { world, text in
      try world.edit(0, to: text)
      try world.save(0)
    }
    for index in world.devices.indices where Bool.random(using: &random) || index < 2 {
      try perform("\(index) exchanges") { world, _ in try world.exchange(index) }
    }
    for _ in 0..<steps { try await step() }
    try agree()
  }

  // MARK: One step

  private mutating func step() async throws {
    world.clock.advance(
      bySeconds: [0, 0.001, 1, 60].randomElement(using: &random) ?? 1)
    let index = Int.random(in: world.devices.indices, using: &random)
    let model = world.devices[index].model
    guard model.base != nil else {
      try perform("\(index) exchanges") { world, _ in try world.exchange(index) }
      return
    }
    let known = world.graph.ancestors(of: model.heads).subtracting(model.removed)
    let readable = known.intersection(model.contents)
      .filter { world.graph.content(of: $0) != nil }.sorted { $0.description < $1.description }
    let removable = known.subtracting(model.heads).sorted { $0.description < $1.description }
    let conflicts = world.graph.ranked(model.heads).dropFirst()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<24:
      try perform("\(index) saves") { world, text in
        try world.edit(index, to: text)
        try world.save(index)
      }
    case 24..<27:
      // The contents come from a backup, or from a program's memory.
      let shown = model.base.flatMap(world.graph.content)
      let former = readable.filter { world.graph.content(of: $0) != shown }
      guard let text = former.randomElement(using: &random).flatMap(world.graph.content) else {
        return
      }
      try perform("\(index) saves what was there before") { world, _ in
        try world.edit(index, to: text)
        try world.save(index)
      }
    case 27..<30:
      try perform("\(index) edits") { world, text in try world.edit(index, to: text) }
    case 30..<36:
      guard let base = readable.randomElement(using: &random) else { return }
      try perform("\(index) saves based on \(base.short)") { world, text in
        try world.edit(index, to: text)
        try world.save(index, base: base)
      }
    case 36..<44:
      let isMerge = Bool.random(using: &random)
      // A version that was edited since is followed by the edits, and can't be kept as it is.
      let choice = model.heads.filter { model.unsaved == nil || $0 != model.base }
        .sorted { $0.description < $1.description }
      guard let kept = choice.randomElement(using: &random) else { return }
      world.story.append("\(index) resolves by \(isMerge ? "merge else latest" : kept.short)")
      try await world.resolve(index, by: isMerge ? .merge(else: .latest) : .keep(kept))
      try world.compare(index)
    case 44..<49:
      guard let wanted = readable.randomElement(using: &random) else { return }
      try perform("\(index) restores \(wanted.short)") { world, _ in
        try world.restore(index, to: wanted)
      }
    case 49..<54:
      guard let victim = removable.randomElement(using: &random) else { return }
      try perform("\(index) removes \(victim.short)") { world, _ in try world.remove(index, victim)
      }
    case 54..<56:
      try perform("\(index) removes others") { world, _ in try world.removeOthers(index) }
    case 56..<59:
      guard let conflict = conflicts.randomElement(using: &random) else { return }
      try perform("\(index) marks \(conflict.short)") { world, _ in
        try world.markResolved(index, [conflict])
      }
    case 59..<62:
      try perform("\(index) deletes") { world, _ in try world.delete(index) }
    case 62..<64:
      guard world.devices.count < 5 else { return }
      try perform("\(index) is cloned") { world, _ in try world.clone(index) }
    case 64..<66:
      world.story.append("\(index) is backed up")
      backups.append((index, try world.backup(index, number: backups.count)))
    case 66..<69:
      guard let backup = backups.randomElement(using: &random) else { return }
      try perform("\(backup.index) goes back to a backup", backup.index) { world, _ in
        try world.replace(backup.index, by: backup.copy)
      }
    case 69..<72:
      let published = world.graph.ancestors(of: world.folder.heads)
        .sorted { $0.description < $1.description }
      guard let text = published.compactMap(world.graph.content).randomElement(using: &random)
      else { return }
      try perform("\(index) starts apart") { world, _ in try world.startApart(index, with: text) }
    case 72..<78:
      try perform("\(index) undoes") { world, _ in try world.undo(index) }
    default:
      try perform("\(index) exchanges", index) { world, _ in try world.exchange(index) }
    }
  }

  /// Performs a deed in the world, and compares every affected device.
  private mutating func perform(
    _ words: String, _ index: Int? = nil, _ body: (inout ModelWorld, String) throws -> Void
  ) throws {
    world.story.append(words)
    try body(&world, text(for: words))
    let number = index ?? words.prefix { $0.isNumber }.first.flatMap { Int(String($0)) } ?? 0
    try world.compare(number)
  }

  /// Returns a text of a few lines, one of them new, so that some changes overlap and others don't.
  private mutating func text(for words: String) -> String {
    count += 1
    let number = words.prefix { $0.isNumber }.first.flatMap { Int(String($0)) } ?? 0
    let shown = world.devices[number].model.base.flatMap(world.graph.content)
    var lines = shown?.split(separator: "\n").map(String.init) ?? (1...8).map { "line \($0)" }
    let place = Int.random(in: lines.indices, using: &random)
    lines[place] = "line \(place + 1), change \(count)"
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: The end

  /// Saves unsaved edits, exchanges until no version moves, and checks that all devices agree.
  private mutating func agree() throws {
    for index in world.devices.indices where world.devices[index].model.unsaved != nil {
      try perform("\(index) saves at the end") { world, _ in try world.save(index) }
    }
    var rounds = 0
    var isMoving = true
    while isMoving {
      isMoving = false
      rounds += 1
      guard rounds < 10 else { throw world.mismatch("the devices do not come to rest") }
      for index in world.devices.indices {
        world.story.append("\(index) exchanges at the end")
        if try world.exchange(index) { isMoving = true }
        try world.compare(index)
      }
    }
    let everything = world.graph.ancestors(of: world.folder.heads)
    for index in world.devices.indices {
      let model = world.devices[index].model
      guard model.heads == world.folder.heads, world.graph.ancestors(of: model.heads) == everything
      else { throw world.mismatch("\(index) does not agree with the folder") }
      guard model.base == world.graph.ranked(model.heads).first else {
        throw world.mismatch("\(index) does not show the current version")
      }
      try world.compare(index, reading: true)
      let problems = try world.devices[index].device.problems()
      guard problems.isEmpty else { throw world.mismatch(problems.joined(separator: "\n")) }
    }
    let problems = try GitCheck.problems(inStore: world.cloud)
    guard problems.isEmpty else { throw world.mismatch(problems.joined(separator: "\n")) }
  }
}
