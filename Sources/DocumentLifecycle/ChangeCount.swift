/// A count of a document's changes since it was saved or read.
struct ChangeCount: Sendable {
  /// A moment in the sequence of changes.
  struct Token: Equatable, Sendable {
    fileprivate let number: Int
    fileprivate let loads: Int
  }

  private var sinceSaving = 0
  /// True if no number of undos leads back to the saved state.
  private var isOffTrack = false
  private var number = 0
  /// The number of times that the contents were replaced.
  private var loads = 0

  /// True if the document may differ from its saved or read state; undoing all changes makes it equal again.
  var isChanged: Bool { isOffTrack || sinceSaving != 0 }

  /// The present moment.
  var token: Token { Token(number: number, loads: loads) }

  /// Returns whether the contents were replaced since a moment.
  func isReplaced(since token: Token) -> Bool { token.loads != loads }

  mutating func add(_ change: DocumentChange) {
    number += 1
    switch change {
    case .done:
      // After an undo past the saved state, a change makes that state unreachable.
      if sinceSaving < 0 { isOffTrack = true }
      sinceSaving += 1
    case .redone: sinceSaving += 1
    case .undone: sinceSaving -= 1
    case .cleared: clear()
    }
  }

  mutating func clear() {
    sinceSaving = 0
    isOffTrack = false
  }

  /// Records that other contents replaced the document's.
  mutating func replace() {
    clear()
    loads += 1
  }

  /// Records that the document was saved in its state at a moment; later changes are still unsaved.
  mutating func clear(savedAt token: Token) {
    if self.token == token {
      clear()
    } else {
      isOffTrack = true
    }
  }
}
