/// The state of a document; empty in the normal state.
public struct DocumentState: OptionSet, Sendable, Hashable {
  /// The state as a bit mask, with Apple's bits.
  public let rawValue: UInt
  /// Creates a state from a bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The document isn't open.
  public static let closed = DocumentState(rawValue: 1)
  /// The document has an unresolved conflict.
  public static let inConflict = DocumentState(rawValue: 2)
  /// The last save failed, or the document's store is damaged, as ``Document/lastError`` says.
  ///
  /// Changes that couldn't be written stay in memory, and the document retries after increasing pauses. With a damaged
  /// store, the document still reads and writes its file, but makes no versions.
  public static let savingError = DocumentState(rawValue: 4)
  /// The document can't be edited at the moment, or at all if it is read-only.
  public static let editingDisabled = DocumentState(rawValue: 8)
  /// The document is being read or written; see ``Document/progress``.
  public static let progressAvailable = DocumentState(rawValue: 16)
  /// Other programs can't ask the document to save before they access the file, because the file system
  /// doesn't support it.
  ///
  /// The document notices their changes only afterward.
  public static let uncoordinated = DocumentState(rawValue: 32)
  /// The document's folder isn't writable, so the document can be viewed, but not changed.
  public static let readOnly = DocumentState(rawValue: 64)
}

extension DocumentState: CustomStringConvertible {
  /// The names of the state’s parts, for logs and debuggers, such as “inConflict, savingError”; “normal” if it is empty.
  public var description: String {
    let names: [(DocumentState, String)] = [
      (.closed, "closed"), (.inConflict, "inConflict"), (.savingError, "savingError"),
      (.editingDisabled, "editingDisabled"), (.progressAvailable, "progressAvailable"),
      (.uncoordinated, "uncoordinated"), (.readOnly, "readOnly"),
    ]
    return isEmpty ? "normal" : names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

/// The reason for loading a document's contents.
public enum DocumentLoadReason: Sendable, Equatable {
  /// The document was opened.
  case opened
  /// The document was reverted to a version.
  case reverted
  /// Another program or device changed the document.
  case changedElsewhere
  /// A conflict was resolved.
  case resolved
}

/// The observers of a document's state.
@MainActor
final class StateObservers {
  private var observers: [Int: AsyncStream<DocumentState>.Continuation] = [:]
  private var count = 0

  /// Returns the states from now on.
  ///
  /// - Parameter present: the first state of the sequence.
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
