/// What a document can do at the moment; empty for normal.
public struct DocumentState: OptionSet, Sendable, Hashable {
  /// The state as bits, those of Apple's.
  public let rawValue: UInt
  /// Makes a state of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// It was not opened yet, or was closed.
  public static let closed = DocumentState(rawValue: 1)
  /// Versions of it are in an unresolved conflict.
  public static let inConflict = DocumentState(rawValue: 2)
  /// It could not be saved; its changes are in memory, and saving is tried again, after pauses that become longer.
  public static let savingError = DocumentState(rawValue: 4)
  /// It must not be edited just now, or at all where it is read-only.
  public static let editingDisabled = DocumentState(rawValue: 8)
  /// It is being read or written; ``Document/progress`` says how far.
  public static let progressAvailable = DocumentState(rawValue: 16)
  /// Other programs can't ask it to save before they read or write the file, as on some file systems: what they do shows only
  /// afterwards.
  public static let uncoordinated = DocumentState(rawValue: 32)
  /// It was opened from a folder in which nothing can be written: it can be looked at, but not changed.
  public static let readOnly = DocumentState(rawValue: 64)
}

/// Why the contents of a document are shown.
public enum DocumentLoadReason: Sendable, Equatable {
  /// The document was opened.
  case opened
  /// It was reverted to a version.
  case reverted
  /// Another program, or another device, changed it.
  case changedElsewhere
  /// A conflict was resolved.
  case resolved
}

/// Those who follow a document's state.
@MainActor
final class StateObservers {
  private var observers: [Int: AsyncStream<DocumentState>.Continuation] = [:]
  private var count = 0

  /// The states from now on.
  ///
  /// - Parameter present: the first one.
  func add(_ present: DocumentState) -> AsyncStream<DocumentState> {
    let (stream, continuation) = AsyncStream.makeStream(of: DocumentState.self)
    count += 1
    let number = count
    observers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.observers[number] = nil }
    }
    continuation.yield(present)
    return stream
  }

  func report(_ state: DocumentState) {
    for observer in observers.values { observer.yield(state) }
  }

  deinit {
    for observer in observers.values { observer.finish() }
  }
}
