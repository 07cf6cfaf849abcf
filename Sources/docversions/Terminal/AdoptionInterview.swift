internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Asks the user about conflicted copies: first the questions that no version can answer, then those that the
/// versions leave open.
final class AdoptionInterview: Sendable {
  /// An answer about a copy that contains its document, or that its document contains.
  private enum Offer {
    case takeCopy, keepDocument
  }

  private let store: SynchronousStore
  private let offers = Mutex<[URL: Offer]>([:])

  init(store: SynchronousStore) {
    self.store = store
  }

  /// Asks whether to adopt a copy, if that is a question.
  func isWanted(_ copy: ConflictedCopy) async throws -> Bool {
    let document = DocumentArgument(copy.document)
    let file = DocumentArgument(copy.url)
    guard case .asks(let question, _) = copy.outlook else { return true }
    switch question {
    case .ambiguousName:
      return Self.asks(
        "\(file.shown) may be a document of its own. Is it a copy of \(document.shown)?",
        ["y  yes", "n  no"]) == "y"
    case .containsDocument(let more):
      return offer(
        "\(file.shown) has all of \(document.shown), in the same order, and \(Wording.count(more, copy.pieces)) more.",
        "y  make it \(document.shown)", .takeCopy, for: copy)
    case .isContained(let more):
      return offer(
        "\(document.shown) has all of \(file.shown), in the same order, and \(Wording.count(more, copy.pieces)) more.",
        "y  keep \(document.shown) as it is", .keepDocument, for: copy)
    default: return true
    }
  }

  /// A strategy that reuses earlier answers to a conflict, or asks about its places.
  var strategy: ResolutionStrategy {
    ResolutionStrategy(name: "ask") { [self] conflict in
      if conflict.versions.count == 2, let offer = offers.withLock({ $0[conflict.document] }) {
        let isCopy = offer == .takeCopy
        return .keep(
          isCopy ? conflict.versions[1] : conflict.current,
          because: isCopy ? "it has all that the other one has" : "it was chosen")
      }
      let file = DocumentArgument(conflict.document)
      return try await Interview(
        file: file, time: ReadableTime(now: store.clock()), store: store
      ).decide(conflict)
    }
  }

  private func offer(
    _ sentence: String, _ yes: String, _ offer: Offer, for copy: ConflictedCopy
  ) -> Bool {
    switch Self.asks(sentence, [yes, "p  go through the places", "s  skip"]) {
    case "y":
      offers.withLock { $0[copy.document] = offer }
      return true
    case "p": return true
    default: return false
    }
  }

  /// Asks until there is a valid answer; nil at the end of the input.
  private static func asks(_ sentence: String, _ answers: [String]) -> String? {
    Console.print(sentence)
    Console.print("  \(answers.joined(separator: "   "))".asMuted)
    let keys = answers.compactMap { $0.first.map(String.init) }
    while true {
      Console.prompt("> ")
      let line = readLine()
      if line == nil || !Console.isTerminal { Console.print() }
      guard let key = line?.trimmingBlanks().lowercased() else { return nil }
      if keys.contains(key) { return key }
      Console.print("  Type \(Wording.list(keys, "or")); Ctrl-D skips the rest.")
    }
  }
}

extension ConflictedCopy {
  /// The word for the pieces by which its contents are compared.
  var pieces: String { member == nil && url.isFolderNow ? "member" : "line" }
}
