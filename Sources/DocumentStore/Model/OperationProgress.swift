internal import Synchronization

/// The progress of a long operation, in bytes, with a way to cancel it.
///
/// The names are those of Foundation's `Progress`, which would slow the launch of a small program. `import
/// DocumentProgress` adds `init(reportingTo:)`, which reports to a `Progress`.
public final class OperationProgress: Sendable {
  private struct State {
    var total: Int64 = 0
    var completed: Int64 = 0
    var isCancelled = false
    var onCancel: (@Sendable () -> Void)?
    var transfer: Transfer?
    var documents = Documents()
    /// The received part of a download and its size before compression; 0 for no download.
    var received = 0.0
    var wanted = 0.0

    /// The total, which for a download is known before its documents arrive one by one.
    var expected: Int64 { max(total, Int64(min(wanted, 0x1p62))) }

    var fraction: Double {
      let done = expected > 0 ? Double(completed) / Double(expected) : 0
      // A download is only complete once the documents are on disk.
      let received = wanted > 0 ? min(0.99, received / wanted) : 0
      return min(1, max(done, received))
    }
  }

  /// The documents that an exchange compares with those of other devices.
  public struct Documents: Hashable, Sendable {
    /// The number of completed documents.
    public package(set) var completed = 0
    /// The number of documents, as far as it is known; 0 if it isn't.
    public package(set) var total = 0

    package init() {}
  }

  /// Git objects that are transferred over a network: the contents of versions, and the objects that connect
  /// them.
  package struct Transfer: Hashable, Sendable {
    /// True if the objects are sent; otherwise they are received.
    package let isSending: Bool
    /// The number of objects; `nil` while it isn't known.
    package var objects: Int?
    /// The bytes transferred so far, without the overhead of encryption.
    package var bytes: Int64 = 0
    /// The total number of bytes; `nil` if it isn't known, because servers don't announce how much they will
    /// send.
    package let totalBytes: Int64?

    package init(isSending: Bool, objects: Int? = nil, totalBytes: Int64? = nil) {
      self.isSending = isSending
      self.objects = objects
      self.totalBytes = totalBytes
    }
  }

  private let state = Mutex(State())
  private let onChange: (@Sendable (OperationProgress) -> Void)?

  /// Creates a progress.
  ///
  /// - Parameter onChange: called whenever the operation reports its progress, on its thread.
  public init(onChange: (@Sendable (OperationProgress) -> Void)? = nil) {
    self.onChange = onChange
  }

  /// The total number of bytes; 0 while it isn't known.
  public var totalUnitCount: Int64 {
    get { state.withLock { $0.expected } }
    set { change { $0.total = newValue } }
  }

  /// Adds to the total number of bytes.
  package func expect(bytes count: Int) {
    change { state in
      let (total, isTooMuch) = max(0, state.total).addingReportingOverflow(Int64(count))
      state.total = isTooMuch ? .max : total
    }
  }

  /// The number of completed bytes.
  public var completedUnitCount: Int64 {
    get { state.withLock { $0.completed } }
    set { change { $0.completed = newValue } }
  }

  /// The present transfer over a network; `nil` if there is none.
  package var transfer: Transfer? {
    get { state.withLock { $0.transfer } }
    set { change { $0.transfer = newValue } }
  }

  /// The documents of the running exchange.
  public var documents: Documents { state.withLock { $0.documents } }

  /// Adds to the number of expected documents.
  package func expect(documents count: Int) {
    guard count > 0 else { return }
    change { $0.documents.total += count }
  }

  /// Adds to the number of completed documents.
  package func advance(documents count: Int) {
    change { $0.documents.completed = min($0.documents.completed + count, $0.documents.total) }
  }

  /// Adds bytes to the present transfer.
  package func transferred(received: Int, sent: Int) {
    change { state in
      state.received += Double(received)
      guard let transfer = state.transfer else { return }
      state.transfer?.bytes += Int64(transfer.isSending ? sent : received)
    }
  }

  /// Adds to the expected bytes of a download: the documents' size, which compression reduces.
  ///
  /// - Parameter sizes: the sizes that other devices report, which may be any numbers.
  package func expect(downloads sizes: [Int]) {
    change { state in state.wanted = sizes.reduce(state.wanted) { $0 + Double(max(0, $1)) } }
  }

  /// The completed fraction, from 0 to 1; 0 while the total isn't known.
  ///
  /// While documents are downloaded, it is the received fraction of their size. Because contents are sent
  /// compressed, it may then jump to 1.
  public var fractionCompleted: Double { state.withLock { $0.fraction } }

  /// True if all bytes are completed.
  package var isFinished: Bool {
    state.withLock { $0.total > 0 && $0.completed >= $0.expected }
  }

  /// True if the operation was asked to stop.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Asks the operation to stop.
  public func cancel() {
    let onCancel = state.withLock { state in
      defer { (state.isCancelled, state.onCancel) = (true, nil) }
      return state.onCancel
    }
    onCancel?()
  }

  /// Throws `CancellationError` if the operation was asked to stop.
  package func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Calls a function when the operation is asked to stop, on the thread that asks; calls it at once if that
  /// has happened already.
  package func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.onCancel = body }
      return state.isCancelled
    }
    if isCancelled { body() }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    onChange?(self)
  }
}
