internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport

/// The objects that an exchange has gathered to send together.
struct SendingStep {
  private var documents = 0
  private var isWithdrawing = false

  mutating func add(_ publication: Publication) {
    if publication.versions > 0 { documents += 1 }
    if !publication.withdrawn.isEmpty { isWithdrawing = true }
  }

  /// Returns whether it should be sent before more is added.
  ///
  /// Withdrawn contents are considered together, at the end.
  func isFull(with batch: ObjectBatch, _ limits: TransferStep) -> Bool {
    !isWithdrawing && (documents >= limits.documents || batch.size >= limits.bytes)
  }
}

/// Publishing in steps, each of which stays if a later one is interrupted.
extension ExchangeSession {
  /// Publishes the gathered objects if they are enough for a step.
  func publishStep(by update: OwnUpdate) throws {
    guard stepFailure == nil, update.canTakeSteps, step.isFull(with: batch, container.transferStep)
    else { return }
    do {
      _ = try publish(by: update)
    } catch let error as TransportError {
      // By now, the server has sent everything that it has, even if it accepts nothing.
      stepFailure = error
    }
  }

  /// Publishes the gathered objects.
  func publish(by update: OwnUpdate) throws -> DeviceReferences? {
    let new = try update.publish(publications, paths: index.paths)
    container.record(index.heads(of: publications))
    publications = []
    step = SendingStep()
    return new
  }
}
