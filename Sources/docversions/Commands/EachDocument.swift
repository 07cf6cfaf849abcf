internal import DocumentVersions

/// Does the same to several documents: one that fails is told of, and does not stop the others.
struct EachDocument {
  let isJSON: Bool

  func run<Result>(
    _ documents: [DocumentArgument], _ body: (DocumentArgument) throws -> Result
  ) -> Results<Result> {
    results(of: documents) { try body(documents[$0]) }
  }

  /// The same for some documents at a time.
  func runTogether<Result: Sendable>(
    _ documents: [DocumentArgument], _ body: @escaping @Sendable (DocumentArgument) throws -> Result
  ) -> Results<Result> {
    let all = ForkJoin.map(documents.count, atMost: min(ForkJoin.coreCount, Self.mostTogether)) {
      index in Swift.Result { try body(documents[index]) }
    }
    return results(of: documents) { try all[$0].get() }
  }

  /// Each may have large files in memory.
  private static let mostTogether = 4

  private func results<Result>(
    of documents: [DocumentArgument], _ result: (Int) throws -> Result
  ) -> Results<Result> {
    var results = Results<Result>()
    for (index, document) in documents.enumerated() {
      do {
        results.values.append(try result(index))
      } catch  where document.isGone(error) {
        tellGone(document)
      } catch {
        // Whoever says stop means all of them.
        if results.add(error, of: document, isJSON: isJSON).isInterruption { break }
      }
    }
    return results
  }

  func run<Result>(
    _ documents: [DocumentArgument], _ body: (DocumentArgument) async throws -> Result
  ) async -> Results<Result> {
    var results = Results<Result>()
    for document in documents {
      do {
        results.values.append(try await body(document))
      } catch  where document.isGone(error) {
        tellGone(document)
      } catch {
        if results.add(error, of: document, isJSON: isJSON).isInterruption { break }
      }
    }
    return results
  }

  /// Tells of a document that is not there any more.
  func tellGone(_ document: DocumentArgument) {
    guard !isJSON else { return }
    Console.complain("“\(document.shown)” was renamed or removed meanwhile.")
  }
}

/// What came of several documents.
struct Results<Value> {
  /// What came of those that did not fail.
  var values: [Value] = []
  /// How the first ended that did not end well.
  private(set) var status: ExitStatus = .done

  /// Notes how one ended.
  mutating func add(_ status: ExitStatus) {
    if self.status == .done { self.status = status }
  }

  /// The same, of what each value stands for.
  func map<Other>(_ body: (Value) -> Other) -> Results<Other> {
    Results<Other>(values: values.map(body), status: status)
  }

  /// The values that the body makes, without nil.
  func compactMap<Other>(_ body: (Value) -> Other?) -> Results<Other> {
    Results<Other>(values: values.compactMap(body), status: status)
  }

  /// Ends the command with the exit code that the documents came to.
  func finish() throws {
    if status != .done { throw status }
  }

  fileprivate mutating func add(
    _ error: any Error, of document: DocumentArgument, isJSON: Bool
  ) -> CommandFailure {
    let failure = CommandFailure(error, in: document)
    failure.report(isJSON: isJSON)
    add(failure.status)
    return failure
  }
}

extension Results where Value: Encodable {
  /// Answers with all of them under one key; with the one itself where only one was asked for.
  func printJSON(_ key: String, of documents: [DocumentArgument]? = nil) throws {
    guard documents?.count == 1 else { return try Console.print(json: [key: values]) }
    if let value = values.first { try Console.print(json: value) }
  }
}

extension DocumentArgument {
  /// Does something to this document; failures get hints that can be pasted.
  func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw CommandFailure(error, in: self) }
  }
}
