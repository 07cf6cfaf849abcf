import DocumentMerge
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Decisions about versions that are not those in conflict any more")
struct OutdatedDecisionTests {
  private let base = #"{"color": "red", "name": "x", "size": 1}"#
  private let document = "a.json"

  /// The changes between a decision and its use.
  enum Change: CaseIterable {
    case edit, savedEdit, thirdVersion, otherDocument

    /// Makes it happen.
    ///
    /// - Returns: the document whose conflict is resolved then.
    func happen(in world: World) throws -> String {
      let edited = #"{"color": "green", "name": "edited", "size": 1}"#
      switch self {
      case .edit: try world.scratch.write(edited, to: "tom/a.json")
      case .savedEdit: try world.save(edited, as: "a.json", on: "tom")
      case .thirdVersion:
        try world.save(edited, as: "a.json", on: "ida")
        try world.exchange("ida", "tom")
      case .otherDocument:
        try world.disagree(
          about: "b.json", base: #"{"color": "red"}"#, mira: #"{"color": "blue"}"#,
          tom: #"{"color": "green"}"#)
        return "b.json"
      }
      return "a.json"
    }
  }

  /// Creates a world in which Mira and Tom disagree about the color, and Ida has their base.
  private func disagreement(tom: String) throws -> World {
    let world = try World()
    try world.save(base, as: document, on: "mira")
    try world.exchange("mira", "tom", "ida")
    try world.save(#"{"color": "blue", "name": "x", "size": 1}"#, as: document, on: "mira")
    try world.save(tom, as: document, on: "tom")
    try world.exchange("mira", "tom")
    return world
  }

  private func proposal(for url: URL, in world: World) async throws -> MergeProposal {
    let conflict = try await Conflict.of(url, store: VersionStore(world.store("tom")))
    return try await #require(conflict).proposal()
  }

  private func expectRefusal<Failure: Error>(
    _ strategy: ResolutionStrategy, in world: World, of document: String,
    _ isExpected: (Failure) -> Bool
  ) async throws {
    let url = world.url("tom", document)
    let text = try world.read(document, on: "tom")
    await #expect {
      try await world.resolver(strategy, on: "tom").resolve(url)
    } throws: {
      ($0 as? Failure).map(isExpected) == true
    }
    #expect(try !world.history(document, on: "tom").unresolvedConflicts.isEmpty)
    #expect(try world.read(document, on: "tom") == text)
  }

  @Test("A proposal settles no conflict of other versions", arguments: Change.allCases)
  func proposal(change: Change) async throws {
    let world = try disagreement(tom: #"{"color": "red", "name": "x", "size": 2}"#)
    let url = world.url("tom", document)
    let proposal = try await proposal(for: url, in: world)
    #expect(proposal.isComplete)
    try await expectRefusal(
      ResolutionStrategy(name: "former") { _ in .merged(proposal, because: "it was made before") },
      in: world, of: change.happen(in: world)
    ) { (error: VersionError) in error.code == .changedMeanwhile }
  }

  @Test("A proposal that still fits settles the conflict")
  func fittingProposal() async throws {
    let world = try disagreement(tom: #"{"color": "red", "name": "x", "size": 2}"#)
    let url = world.url("tom", document)
    let proposal = try await proposal(for: url, in: world)
    let outcome = try await world.resolver(
      ResolutionStrategy(name: "former") { _ in .merged(proposal, because: "it was made before") },
      on: "tom"
    ).resolve(url)
    guard case .resolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      try world.read(document, on: "tom") == #"{"color": "blue", "name": "x", "size": 2}"#)
  }

  @Test("An answer to a question about other versions is none", arguments: Change.allCases)
  func answer(change: Change) async throws {
    let world = try disagreement(tom: #"{"color": "green", "name": "x", "size": 1}"#)
    let url = world.url("tom", document)
    let clashes = try await proposal(for: url, in: world).clashes
    let answers = Dictionary(
      uniqueKeysWithValues: clashes.map { ($0.id, MergeAnswer.theirs) })
    #expect(answers.count == 1)
    try await expectRefusal(
      .ask { _ in .answer(answers) }, in: world, of: change.happen(in: world)
    ) { (error: MergeError) in error.code == .invalidAnswer }
  }

  @Test("A version that an edit followed is not kept")
  func keep() async throws {
    let world = try disagreement(tom: #"{"color": "green", "name": "x", "size": 1}"#)
    let former = try #require(world.history(document, on: "tom").current)
    let document = try Change.savedEdit.happen(in: world)
    try await expectRefusal(
      ResolutionStrategy(name: "former") { _ in .keep(former, because: "it was chosen before") },
      in: world, of: document
    ) { (error: VersionError) in error.code == .noSuchVersion }
  }
}
