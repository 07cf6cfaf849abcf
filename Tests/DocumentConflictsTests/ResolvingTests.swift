import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Resolving conflicts")
struct ResolvingTests {
  private let base = "one\ntwo\nthree\nfour\nfive\n"
  private let mira = "ONE\ntwo\nthree\nfour\nfive\n"
  private let tom = "one\ntwo\nthree\nfour\nFIVE\n"
  private let clashing = "uno\ntwo\nthree\nfour\nfive\n"

  private func resolution(
    _ outcome: ResolutionOutcome, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Resolution {
    guard case .resolved(let resolution) = outcome else {
      Issue.record("not resolved: \(outcome)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    return resolution
  }

  @Test("Two devices that edited offline see the same conflict and the same current version")
  func airplaneMode() throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    for device in ["mira", "tom"] {
      let history = try world.history("a.md", on: device)
      #expect(history.current?.author == "tom")
      #expect(history.unresolvedConflicts.map(\.author) == ["mira"])
      #expect(history.unresolvedConflicts.map(\.savingDevice) == ["mira’s laptop"])
      #expect(try world.read("a.md", on: device) == tom)
    }
    try world.expectSound("mira", "tom")
  }

  @Test("Who is asked nothing has answered: what the changes combine to is taken")
  func nothingToAnswer() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    let strategy = ResolutionStrategy.ask { question in
      .answer(Dictionary(uniqueKeysWithValues: question.proposal.clashes.map { ($0.id, .theirs) }))
    }
    let outcome = try await world.resolver(strategy, on: "mira")
      .resolve(world.url("mira", "a.md"))
    #expect(try resolution(outcome).version.kind == .merge)
    #expect(try world.read("a.md", on: "mira") == "ONE\ntwo\nthree\nfour\nFIVE\n")
  }

  @Test("Merging combines both, keeps both in the history, and settles the conflict everywhere")
  func merge() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    let outcome = try await world.resolver(.merge, on: "mira").resolve(world.url("mira", "a.md"))
    let resolution = try resolution(outcome)
    #expect(try world.read("a.md", on: "mira") == "ONE\ntwo\nthree\nfour\nFIVE\n")
    #expect(resolution.chosen == nil)
    #expect(resolution.strategy == "merge")
    #expect(resolution.version.kind == .merge)
    #expect(resolution.settled.map(\.author) == ["tom", "mira"])
    #expect(Set(resolution.decisions.map(\.kind)) == [.ours, .theirs])
    #expect(resolution.version.parents == resolution.settled.map(\.id))
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      let history = try world.history("a.md", on: device)
      #expect(history.unresolvedConflicts.isEmpty)
      #expect(history.current == resolution.version)
      #expect(history.versions.count == 4)
      #expect(try world.read("a.md", on: device) == "ONE\ntwo\nthree\nfour\nFIVE\n")
    }
    try world.expectSound("mira", "tom")
  }

  @Test("A contradiction leaves everything as it is, and says where it is")
  func mergeUndecided() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: clashing)
    let before = try world.history("a.md", on: "mira").versions
    let outcome = try await world.resolver(.merge, on: "mira").resolve(world.url("mira", "a.md"))
    guard case .unresolved(let questions, nil) = outcome else {
      Issue.record("resolved: \(outcome)")
      return
    }
    #expect(questions.map(\.kind) == [.clash])
    #expect(questions.first?.base == "one\n")
    #expect(questions.first?.ours == "uno\n")
    #expect(questions.first?.theirs == "ONE\n")
    #expect(try world.history("a.md", on: "mira").versions == before)
  }

  @Test("Unsaved edits become a version that the outcome reports, also where the conflict stays")
  func undecidedEdits() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: clashing)
    try world.scratch.write("eins\ntwo\nthree\nfour\nfive\n", to: "tom/a.md")
    let outcome = try await world.resolver(.merge, on: "tom").resolve(world.url("tom", "a.md"))
    guard case .unresolved(_, let edits?) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let history = try world.history("a.md", on: "tom")
    #expect(history.current == edits)
    #expect(history.versions.count == 4)
    #expect(try world.read("a.md", on: "tom") == "eins\ntwo\nthree\nfour\nfive\n")
  }

  @Test("The latest is the one that was modified last, current or not")
  func latest() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    // Mira’s file is older in the store’s order, but was modified later.
    let outcome = try await world.resolver(.latest, on: "tom").resolve(world.url("tom", "a.md"))
    let resolution = try resolution(outcome)
    let newest = resolution.settled.max { $0.modificationDate < $1.modificationDate }
    #expect(resolution.chosen == newest)
    #expect(resolution.version.kind == .resolve)
    let contents = try await resolution.version.contents()
    let chosen = try await resolution.chosen?.contents()
    #expect(contents == chosen)
  }

  @Test("A version can be kept by name; another document’s version is refused")
  func keep() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    let stranger = try world.save("x", as: "b.md", on: "tom")
    let document = world.url("tom", "a.md")
    await #expect(throws: VersionError.self) {
      try await world.resolver(.keep(stranger.id), on: "tom").resolve(document)
    }
    let loser = try #require(try world.history("a.md", on: "tom").unresolvedConflicts.first)
    let outcome = try await world.resolver(.keep(loser.id), on: "tom").resolve(document)
    #expect(try resolution(outcome).chosen == loser)
    #expect(try world.read("a.md", on: "tom") == mira)
    // The other one is still there.
    #expect(try world.history("a.md", on: "tom").versions.contains { $0.author == "tom" })
  }

  @Test("Asking shows the base, both sides and a proposal, and does what is answered")
  func ask() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: clashing)
    let document = world.url("mira", "a.md")
    let expectedBase = base
    let outcome = try await world.resolver(
      .ask { question in
        #expect(question.conflict.versions.map(\.author) == ["tom", "mira"])
        let contents = try await question.conflict.base?.contents()
        #expect(contents == Data(expectedBase.utf8))
        #expect(question.proposal.questions.count == 1)
        #expect(
          question.proposal.bytes.map { String(decoding: $0, as: UTF8.self) }?.contains("<<<")
            == true)
        return .use(Data("by hand\n".utf8))
      }, on: "mira"
    ).resolve(document)
    #expect(try resolution(outcome).decisions.map(\.kind) == [.combined])
    #expect(try world.read("a.md", on: "mira") == "by hand\n")
  }

  @Test("Asking can end in a version, in the proposal, or in nothing")
  func answers() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    let document = world.url("mira", "a.md")
    let skipped = try await world.resolver(.ask { _ in .skip }, on: "mira").resolve(document)
    guard case .unresolved = skipped else {
      Issue.record("resolved: \(skipped)")
      return
    }
    let accepted = try await world.resolver(.ask { _ in .useProposal }, on: "mira").resolve(
      document)
    #expect(try resolution(accepted).version.kind == .merge)
    #expect(try world.read("a.md", on: "mira") == "ONE\ntwo\nthree\nfour\nFIVE\n")
  }

  @Test("Strategies combine: merge, else latest; merge, else ask; merge, else keep")
  func combined() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: clashing)
    let document = world.url("mira", "a.md")
    var store = VersionStore(world.store("mira"))
    store.isDryRun = true
    let preview = try await ConflictResolver(.merge(else: .latest), store: store).resolve(document)
    #expect(try resolution(preview).strategy == "merge, else latest")
    #expect(try world.history("a.md", on: "mira").unresolvedConflicts.count == 1)
    let outcome = try await world.resolver(
      .merge(else: .ask { .keep($0.conflict.versions[1].id) }), on: "mira"
    ).resolve(document)
    #expect(try resolution(outcome).chosen?.author == "mira")
  }

  @Test("Unsaved edits take part in a resolution, which reports them")
  func unsavedEdits() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    try world.scratch.write("one\ntwo\nTHREE\nfour\nFIVE\n", to: "tom/a.md")
    let outcome = try await world.resolver(.merge, on: "tom").resolve(world.url("tom", "a.md"))
    #expect(try resolution(outcome).keptEdits != nil)
    #expect(try world.read("a.md", on: "tom") == "ONE\ntwo\nTHREE\nfour\nFIVE\n")
  }

  @Test("Without a conflict there is nothing to resolve")
  func noConflict() async throws {
    let world = try World()
    try world.save("x", as: "a.md", on: "mira")
    let outcome = try await world.resolver(.latest, on: "mira").resolve(world.url("mira", "a.md"))
    guard case .noConflict = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("Three versions are merged one after the other")
  func threeWays() async throws {
    let world = try World()
    try world.save(base, as: "a.md", on: "mira")
    try world.exchange("mira", "tom", "ida")
    try world.save(mira, as: "a.md", on: "mira")
    try world.save(tom, as: "a.md", on: "tom")
    try world.save("one\ntwo\nDREI\nfour\nfive\n", as: "a.md", on: "ida")
    try world.exchange("mira", "tom", "ida")
    #expect(try world.history("a.md", on: "tom").unresolvedConflicts.count == 2)
    let outcome = try await world.resolver(.merge, on: "tom").resolve(world.url("tom", "a.md"))
    #expect(try resolution(outcome).settled.count == 3)
    try world.exchange("tom", "mira", "ida")
    #expect(try world.read("a.md", on: "ida") == "ONE\ntwo\nDREI\nfour\nFIVE\n")
    #expect(try world.history("a.md", on: "ida").unresolvedConflicts.isEmpty)
    try world.expectSound("mira", "tom", "ida")
  }

  @Test("Two devices that resolve alike join silently, with one identity for the result")
  func equalResolutions() async throws {
    let world = try World()
    try world.disagree(base: base, mira: mira, tom: tom)
    for device in ["mira", "tom"] {
      _ = try await world.resolver(.merge, on: device).resolve(world.url(device, "a.md"))
    }
    try world.exchange("mira", "tom")
    let histories = try ["mira", "tom"].map { try world.history("a.md", on: $0) }
    #expect(histories.allSatisfy { $0.unresolvedConflicts.isEmpty })
    #expect(histories[0].current == histories[1].current)
    #expect(histories[0].current?.kind == .join)
    try world.expectSound("mira", "tom")
  }

  @Test("Deleted against edited shows the edit, and merging asks")
  func deleteAgainstEdit() async throws {
    let world = try World()
    try world.save(base, as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    try world.save(tom, as: "a.md", on: "tom")
    world.clock.advance(bySeconds: 60)
    try world.store("mira").delete(world.url("mira", "a.md"))
    try world.exchange("tom", "mira")
    #expect(try world.read("a.md", on: "mira") == tom)
    let outcome = try await world.resolver(.merge, on: "mira").resolve(world.url("mira", "a.md"))
    guard case .unresolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let deletion = try #require(try world.history("a.md", on: "mira").unresolvedConflicts.first)
    _ = try await world.resolver(.keep(deletion.id), on: "mira").resolve(
      world.url("mira", "a.md"))
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(!FileManager.default.fileExists(atPath: world.url(device, "a.md").path))
    }
    try world.expectSound("mira", "tom")
  }

  @Test("Without the version that both were made from, nothing comes back that one side removed")
  func lostBase() async throws {
    let world = try World()
    try world.save(#"{"kept": 1, "secret": 2}"#, as: "a.json", on: "mira")
    try world.exchange("mira", "tom")
    try world.save(#"{"kept": 1, "secret": 2, "new": 3}"#, as: "a.json", on: "tom")
    try world.save(#"{"kept": 1}"#, as: "a.json", on: "mira")
    try world.exchange("mira")
    try world.save(#"{"kept": 4}"#, as: "a.json", on: "mira")
    let (store, url) = (world.store("mira"), world.url("mira", "a.json"))
    let oldest = try #require(try world.history("a.json", on: "mira").versions.last)
    try store.remove([oldest], of: url)
    try world.exchange("tom", "mira")
    // As long as the removal can be undone, the removed contents serve as the base.
    let merged = try await world.resolver(.merge, on: "mira").resolve(url)
    #expect(try world.read("a.json", on: "mira") == #"{"kept": 4, "new": 3}"#)
    #expect(try resolution(merged).version.kind == .merge)
    _ = try store.undo(url)
    world.clock.advance(bySeconds: 86_400 * 30)
    try store.collect(url, grace: .zero)
    guard
      case .unresolved(let questions, _) = try await world.resolver(.merge, on: "mira").resolve(
        url)
    else {
      Issue.record("merged without a base")
      return
    }
    #expect(questions.map(\.place) == [.document])
    #expect(questions[0].explanation.contains(oldest.id.short))
    _ = try await world.resolver(.latest, on: "mira").resolve(url)
    try world.expectSound("mira", "tom")
  }

  @Test("Renamed against edited merges to both")
  func renameAgainstEdit() async throws {
    let world = try World()
    try world.save(base, as: "a.md", on: "mira")
    try world.exchange("mira", "tom")
    try world.save(tom, as: "a.md", on: "tom")
    world.clock.advance(bySeconds: 60)
    try world.store("mira").rename(world.url("mira", "a.md"), to: "b.md")
    try world.exchange("mira", "tom")
    _ = try await world.resolver(.merge, on: "tom").resolve(world.url("tom", "b.md"))
    try world.exchange("tom", "mira")
    #expect(try world.read("b.md", on: "mira") == tom)
    #expect(try world.read("b.md", on: "tom") == tom)
    try world.expectSound("mira", "tom")
  }

  @Test("A package is merged member by member")
  func packages() async throws {
    let world = try World()
    try world.scratch.write("text\n", to: "mira/Trip.notes/text.txt")
    try world.scratch.write("a\n", to: "mira/Trip.notes/sub/a.txt")
    try world.store("mira").save(world.url("mira", "Trip.notes"))
    try world.exchange("mira", "tom")
    try world.scratch.write("text of mira\n", to: "mira/Trip.notes/text.txt")
    try world.scratch.write("new\n", to: "mira/Trip.notes/new.txt")
    try world.store("mira").save(world.url("mira", "Trip.notes"))
    try world.scratch.write("a of tom\n", to: "tom/Trip.notes/sub/a.txt")
    world.clock.advance(bySeconds: 60)
    try world.store("tom").save(world.url("tom", "Trip.notes"))
    try world.exchange("mira", "tom")
    _ = try await world.resolver(.merge, on: "mira").resolve(world.url("mira", "Trip.notes"))
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      #expect(try world.read("Trip.notes/text.txt", on: device) == "text of mira\n")
      #expect(try world.read("Trip.notes/sub/a.txt", on: device) == "a of tom\n")
      #expect(try world.read("Trip.notes/new.txt", on: device) == "new\n")
    }
    try world.expectSound("mira", "tom")
  }
}

/// The reasons that strategies give.
struct ReasonTests {
  @Test(
    "Of versions that were modified at the same moment none is called the last", arguments: [0, 60])
  func tie(secondsApart: Int) async throws {
    let world = try World()
    let desk = try world.device("mira")
    let first = try desk.save("one\n", as: "a.md")
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    for (text, seconds) in [("two\n", 0), ("three\n", secondsApart)] {
      try desk.write(text, to: "a.md")
      try FileManager.default.setAttributes(
        [.modificationDate: time + Double(seconds)], ofItemAtPath: desk["a.md"].path)
      world.clock.advance(bySeconds: 60)
      try desk.store.save(desk["a.md"], base: first)
    }
    let outcome = try await world.resolver(.latest, on: "mira").resolve(desk["a.md"])
    guard case .resolved(let resolution) = outcome else {
      Issue.record("not resolved")
      return
    }
    #expect(resolution.reason.contains("modified last") == (secondsApart > 0))
    #expect(resolution.reason.contains("same moment") == (secondsApart == 0))
  }
}
