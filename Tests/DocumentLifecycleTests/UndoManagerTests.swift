import DocumentVersions
import Testing

@Suite("The undo manager")
@MainActor
struct UndoManagerTests {
  /// A list that registers the opposite of each change.
  @MainActor
  private final class List {
    var items: [Int] = []
    let manager = DocumentUndoManager()

    func append(_ item: Int) {
      items.append(item)
      manager.registerUndo(withTarget: self) { $0.removeLast() }
    }

    func removeLast() {
      let item = items.removeLast()
      manager.registerUndo(withTarget: self) { $0.append(item) }
    }
  }

  @Test("Changes of one event are undone together, and redone together")
  func event() {
    let list = List()
    list.append(1)
    list.append(2)
    list.manager.endEvent()
    list.append(3)
    list.manager.endEvent()
    list.manager.undo()
    #expect(list.items == [1, 2])
    list.manager.undo()
    #expect(list.items == [])
    #expect(!list.manager.canUndo)
    list.manager.redo()
    #expect(list.items == [1, 2])
    list.manager.redo()
    #expect(list.items == [1, 2, 3])
    #expect(!list.manager.canRedo)
  }

  @Test("The turn of the main actor ends the event by itself")
  func turn() async {
    let list = List()
    list.append(1)
    #expect(list.manager.groupingLevel == 1)
    while list.manager.groupingLevel > 0 { await Task.yield() }
    list.append(2)
    list.manager.undo()
    #expect(list.items == [1])
  }

  @Test("A new change forgets what could be redone")
  func forgetting() {
    let list = List()
    list.append(1)
    list.manager.undo()
    #expect(list.manager.canRedo)
    list.append(2)
    #expect(!list.manager.canRedo)
  }

  @Test("Groups nest, and the inner one can be undone alone")
  func nesting() {
    let list = List()
    list.manager.beginUndoGrouping()
    list.append(1)
    list.manager.beginUndoGrouping()
    list.append(2)
    list.append(3)
    list.manager.endUndoGrouping()
    list.manager.undoNestedGroup()
    #expect(list.items == [1])
    list.manager.endUndoGrouping()
    list.manager.undo()
    #expect(list.items == [])
  }

  @Test("Without groups by event each change is one step")
  func single() {
    let list = List()
    list.manager.groupsByEvent = false
    for item in 1...3 { list.append(item) }
    list.manager.undo()
    #expect(list.items == [1, 2])
  }

  @Test("Only so many levels are kept")
  func levels() {
    let list = List()
    list.manager.groupsByEvent = false
    list.manager.levelsOfUndo = 2
    for item in 1...4 { list.append(item) }
    for _ in 1...4 { list.manager.undo() }
    #expect(list.items == [1, 2])
  }

  @Test("Disabling nests, and what is not registered is not undone")
  func disabling() {
    let list = List()
    list.manager.groupsByEvent = false
    list.manager.disableUndoRegistration()
    list.manager.disableUndoRegistration()
    list.append(1)
    list.manager.enableUndoRegistration()
    #expect(!list.manager.isUndoRegistrationEnabled)
    list.append(2)
    list.manager.enableUndoRegistration()
    list.append(3)
    list.manager.undo()
    #expect(list.items == [1, 2])
    #expect(!list.manager.canUndo)
  }

  @Test("Names are those of the groups, also for redoing")
  func names() {
    let list = List()
    list.append(1)
    list.manager.setActionName("Typing")
    #expect(list.manager.undoMenuItemTitle == "Undo Typing")
    list.manager.undo()
    #expect(list.manager.redoMenuItemTitle == "Redo Typing")
    #expect(list.manager.undoMenuItemTitle == "Undo")
  }

  @Test("An object’s actions can be forgotten, and one that is gone is not called")
  func targets() {
    let manager = DocumentUndoManager()
    manager.groupsByEvent = false
    var calls = 0
    final class Target {}
    let kept = Target()
    var gone: Target? = Target()
    if let target = gone { manager.registerUndo(withTarget: target) { _ in calls += 1 } }
    manager.registerUndo(withTarget: kept) { _ in calls += 10 }
    manager.removeAllActions(withTarget: kept)
    gone = nil
    manager.undo()
    #expect(calls == 0)
    #expect(!manager.canUndo)
  }
}
