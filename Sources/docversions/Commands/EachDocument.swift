internal import DocumentVersions

/// Runs a command on several documents; a failure is reported and doesn't stop the others.
struct EachDocument {
  let isJSON: Bool

  func run<Result>(
    _ documents: [DocumentArgument], _ body: (DocumentArgument) throws -> Result
  ) -> Results<Result> {
    results(of: documents) { try body(documents[$0]) }
  }

  /// Runs the body on several documents at a time.
  func runTogether<Result: Sendable>(
    _ documents: [DocumentArgument], _ body: @escaping @Sendable (DocumentArgument) throws -> Result
  ) -> Results<Result> {
    let all = ForkJoin.map(documents.count, atMost: min(ForkJoin.coreCount, Self.mostTogether)) {
      index in Swift.Result { try body(documents[index]) }
    }
    return results(of: documents) { try all[$0].get() }
  }

  /// The maximum number of documents at a time, because each may have large files in memory.
  private static let mostTogether = 4

  /// Reports the results of several documents, by their indices.
  func results<Result>(
    of documents: [DocumentArgument], _ result: (Int) throws -> Result
  ) -> Results<Result> {
    var results = Results<Result>()
    for (index, document) in documents.enumerated() {
      do {
        results.values.append(try result(index))
      } catch  where document.isGone(error) {
        reportGone(document)
      } catch {
        // A signal stops all of them.
        if results.add(error, of: document, isJSON: isJSON).isInterruption { break }
      }
    }
    results.reportRest()
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
        reportGone(document)
      } catch {
        if results.add(error, of: document, isJSON: isJSON).isInterruption { break }
      }
    }
    results.reportRest()
    return results
  }

  /// Reports a document that no longer exists.
  func reportGone(_ document: DocumentArgument) {
    guard !isJSON else { return }
    Console.complain("“\(document.shown)” was renamed or removed in the meantime.")
  }
}

/// The results of several documents.
struct Results<Value> {
  /// The results of the documents that didn't fail.
  var values: [Value] = []
  /// The exit code of the first failure.
  private(set) var status: ExitStatus = .done
  /// The numbers of failures, by their codes.
  private var failures: [String: Int] = [:]
  private var isCut = false

  /// The number of failures with one code that are reported individually; one line stands for the rest.
  private static var mostReported: Int { 10 }

  /// Records an exit code.
  mutating func add(_ status: ExitStatus) {
    if self.status == .done { self.status = status }
  }

  /// Returns the results with the values transformed by the body.
  func map<Other>(_ body: (Value) -> Other) -> Results<Other> {
    Results<Other>(values: values.map(body), status: status)
  }

  /// Returns the values transformed by the body, without nil.
  func compactMap<Other>(_ body: (Value) -> Other?) -> Results<Other> {
    Results<Other>(values: values.compactMap(body), status: status)
  }

  /// Ends the command with the exit code of all documents.
  func finish() throws {
    if status != .done { throw status }
  }

  fileprivate mutating func add(
    _ error: any Error, of document: DocumentArgument, isJSON: Bool
  ) -> CommandFailure {
    let failure = CommandFailure(error, in: document)
    failures[failure.code, default: 0] += 1
    if isJSON || failures[failure.code, default: 0] <= Self.mostReported {
      failure.report(isJSON: isJSON)
    } else {
      isCut = true
    }
    add(failure.status)
    return failure
  }

  /// Reports the numbers of failures that weren't reported individually, by code.
  fileprivate func reportRest() {
    guard isCut else { return }
    for (code, count) in failures.sorted(by: { $0.key < $1.key }) where count > Self.mostReported {
      let rest = Wording.count(count - Self.mostReported, "more document")
      Console.complain("\(rest) failed in the same way (\(code)).")
    }
  }
}

extension Results where Value: Encodable {
  /// Prints all results under one key, or the result itself if only one was requested.
  func printJSON(_ key: String, of documents: [DocumentArgument]? = nil) throws {
    guard documents?.count == 1 else { return try Console.print(json: [key: values]) }
    if let value = values.first { try Console.print(json: value) }
  }
}

extension DocumentArgument {
  /// Runs the body on this document; failures get hints that can be pasted.
  func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let reported as ExitStatus {
      throw reported
    } catch {
      throw CommandFailure(error, in: self)
    }
  }
}
