/// Records how changes are taken back, in groups, and takes them back.
///
/// After Foundation's `UndoManager` (its documentation says the behaviour), which Linux lacks in Swift 6's terms: this one
/// belongs to the main actor. An object that changes registers how that is undone; while that handler runs, the same
/// registration says how it is done again. Usable without a document.
///
/// ```swift
/// func setText(_ new: String) {
///   let old = text
///   undoManager.registerUndo(withTarget: self) { $0.setText(old) }
///   undoManager.setActionName("Text Change")
///   text = new
/// }
/// ```
@MainActor
public final class DocumentUndoManager {
  /// One step back: what a handler does, and to whom.
  private struct Action {
    let target: ObjectIdentifier
    let perform: @MainActor () -> Void
  }

  /// The actions that are undone together.
  private final class Group {
    var actions: [Entry] = []
    var name = ""
  }

  private enum Entry {
    case action(Action)
    case group(Group)
  }

  private enum Activity { case recording, undoing, redoing }

  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  /// The groups that are open, the outermost first.
  private var openGroups: [Group] = []
  private var activity = Activity.recording
  private var disabled = 0
  /// Whether the outermost open group was opened by an event, and is closed with it.
  private var isEventOpen = false
  private var event = 0

  /// The document that is changed: it lives at least until the present event is over, and its change counts.
  weak var document: Document?
  /// Called when a group of changes was done, undone or redone.
  var onChange: ((DocumentChange) -> Void)?

  /// Makes a manager with nothing to undo.
  public init() {}

  // MARK: Registering

  /// Registers how the change that is being made is undone; while undoing, how it is redone.
  ///
  /// - Parameters:
  ///   - target: the object that is changed. It is held weakly: when it is gone, the action does nothing.
  ///   - handler: makes the opposite change.
  public func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping @MainActor (Target) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    let isSingle = openGroups.isEmpty && !groupsByEvent
    if isSingle { openGroups.append(Group()) } else if openGroups.isEmpty { openEventGroup() }
    if activity == .recording { redoStack.removeAll() }
    let action = Action(target: ObjectIdentifier(target)) { [weak target] in
      if let target { handler(target) }
    }
    openGroups.last?.actions.append(.action(action))
    if isSingle { endUndoGrouping() }
  }

  /// Ends registering until ``enableUndoRegistration()`` is called as often as this.
  public func disableUndoRegistration() { disabled += 1 }

  /// Begins registering again; without effect where it was not ended.
  public func enableUndoRegistration() { disabled = max(0, disabled - 1) }

  /// Whether changes are registered: not between ``disableUndoRegistration()`` and ``enableUndoRegistration()``.
  public var isUndoRegistrationEnabled: Bool { disabled == 0 }

  // MARK: Groups

  /// Whether changes that are made without an own group are one group for each turn of the main actor; true at first.
  ///
  /// Where it is false, such a change is a group by itself.
  public var groupsByEvent = true

  /// The number of groups that can be undone; the oldest ones go.
  ///
  /// 0, as at first, sets no limit.
  public var levelsOfUndo = 0 {
    didSet { limitLevels() }
  }

  /// The number of groups that are open.
  public var groupingLevel: Int { openGroups.count }

  /// Opens a group; all that is registered until ``endUndoGrouping()`` is undone together.
  public func beginUndoGrouping() {
    if openGroups.isEmpty && groupsByEvent && activity == .recording { openEventGroup() }
    openGroups.append(Group())
  }

  /// Closes the group that was opened last; without effect where none is open.
  public func endUndoGrouping() {
    guard let group = openGroups.popLast() else { return }
    if let outer = openGroups.last {
      guard !group.actions.isEmpty else { return }
      outer.actions.append(.group(group))
      if outer.name.isEmpty { outer.name = group.name }
      return
    }
    isEventOpen = false
    guard !group.actions.isEmpty else { return }
    switch activity {
    case .recording:
      undoStack.append(group)
      limitLevels()
      onChange?(.done)
    case .undoing: redoStack.append(group)
    case .redoing: undoStack.append(group)
    }
  }

  /// Opens the group of the present event, which is closed with it.
  private func openEventGroup() {
    openGroups.append(Group())
    isEventOpen = true
    event += 1
    let opened = event
    Task { @MainActor [weak self, document] in
      defer { withExtendedLifetime(document) {} }
      guard let self, self.event == opened else { return }
      self.endEvent()
    }
  }

  /// Closes the group of the present event now; an app that handles several events in one turn calls it between them.
  public func endEvent() {
    guard isEventOpen else { return }
    while !openGroups.isEmpty { endUndoGrouping() }
  }

  private func limitLevels() {
    guard levelsOfUndo > 0 else { return }
    undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
    redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
  }

  // MARK: Undoing

  /// Whether there is something to undo.
  public var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } }
  /// Whether there is something to redo.
  public var canRedo: Bool { !redoStack.isEmpty }
  /// Whether a handler runs that ``undo()`` called.
  public var isUndoing: Bool { activity == .undoing }
  /// Whether a handler runs that ``redo()`` called.
  public var isRedoing: Bool { activity == .redoing }

  /// Undoes the last group, and closes the one of the present event first; without effect where there is none.
  public func undo() {
    guard activity == .recording else { return }
    if isEventOpen { endEvent() }
    guard openGroups.isEmpty, let group = undoStack.popLast() else { return }
    replay(group, as: .undoing)
    onChange?(.undone)
  }

  /// Does again what was undone last; without effect where nothing was, or something was changed since.
  public func redo() {
    guard activity == .recording else { return }
    if isEventOpen { endEvent() }
    guard openGroups.isEmpty, let group = redoStack.popLast() else { return }
    replay(group, as: .redoing)
    onChange?(.redone)
  }

  /// Undoes the group that was closed last inside the open one.
  public func undoNestedGroup() {
    guard activity == .recording, let open = openGroups.last,
      let place = open.actions.lastIndex(where: { if case .group = $0 { true } else { false } }),
      case .group(let group) = open.actions.remove(at: place)
    else { return undo() }
    disableUndoRegistration()
    defer { enableUndoRegistration() }
    perform(group)
  }

  private func replay(_ group: Group, as activity: Activity) {
    self.activity = activity
    beginUndoGrouping()
    openGroups.last?.name = group.name
    perform(group)
    while !openGroups.isEmpty { endUndoGrouping() }
    self.activity = .recording
  }

  private func perform(_ group: Group) {
    for entry in group.actions.reversed() {
      switch entry {
      case .action(let action): action.perform()
      case .group(let group): perform(group)
      }
    }
  }

  /// Forgets everything that could be undone or redone.
  public func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.actions.removeAll() }
  }

  /// Forgets what concerns an object.
  public func removeAllActions(withTarget target: AnyObject) {
    let target = ObjectIdentifier(target)
    func remove(from group: Group) {
      group.actions = group.actions.filter { entry in
        switch entry {
        case .action(let action): return action.target != target
        case .group(let inner):
          remove(from: inner)
          return !inner.actions.isEmpty
        }
      }
    }
    for group in undoStack + redoStack + openGroups { remove(from: group) }
    undoStack.removeAll { $0.actions.isEmpty }
    redoStack.removeAll { $0.actions.isEmpty }
  }

  // MARK: Names

  /// Names the group that is open, for a menu: "Text Change".
  public func setActionName(_ name: String) {
    if openGroups.isEmpty {
      undoStack.last?.name = name
    } else {
      openGroups.first?.name = name
    }
  }

  /// The name of what ``undo()`` would undo; empty where there is none.
  public var undoActionName: String {
    openGroups.first.map(\.name) ?? undoStack.last?.name ?? ""
  }

  /// The name of what ``redo()`` would do again; empty where there is none.
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// The title of a menu item: "Undo Text Change".
  public var undoMenuItemTitle: String { Self.title("Undo", undoActionName) }

  /// The title of a menu item: "Redo Text Change".
  public var redoMenuItemTitle: String { Self.title("Redo", redoActionName) }

  private static func title(_ verb: String, _ name: String) -> String {
    name.isEmpty ? verb : "\(verb) \(name)"
  }
}

/// A change of a document, as it counts.
public enum DocumentChange: Sendable {
  /// Something was changed.
  case done
  /// A change was undone.
  case undone
  /// A change was done again.
  case redone
  /// The document is as it was saved or read.
  case cleared
}
