/// Counts a document's changes since it was saved or read.
struct ChangeCount: Sendable {
  /// A moment in the sequence of changes.
  struct Token: Equatable, Sendable {
    fileprivate let number: Int
  }

  private var sinceSaving = 0
  /// Whether no number of undos leads back to what was saved.
  private var isOffTrack = false
  private var number = 0

  /// Whether the document may differ from what was saved or read: undoing all changes makes it the same again.
  var isChanged: Bool { isOffTrack || sinceSaving != 0 }

  /// The present moment.
  var token: Token { Token(number: number) }

  mutating func add(_ change: DocumentChange) {
    number += 1
    switch change {
    case .done:
      // A change after an undo that went back past the saved state: what was saved is on no track any more.
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

  /// Records that the document was saved as it was at a moment; what was changed since is still unsaved.
  mutating func clear(savedAt token: Token) {
    if self.token == token {
      clear()
    } else {
      isOffTrack = true
    }
  }
}
