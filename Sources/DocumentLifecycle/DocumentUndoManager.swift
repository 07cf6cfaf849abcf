/// Records how to undo changes, in groups, and undoes and redoes them.
///
/// This class is modeled on Foundation's `UndoManager` and follows its documentation, but belongs to the main actor, as
/// Swift 6 requires. An object that changes registers how to undo the change; a registration while that handler runs
/// records how to redo it. You can use an undo manager without a document.
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
  /// One undo step: a handler and its target.
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
  /// The open groups, outermost first.
  private var openGroups: [Group] = []
  private var activity = Activity.recording
  private var disabled = 0
  /// True if an event opened the outermost open group, which is closed at the end of the event.
  private var isEventOpen = false
  private var event = 0

  /// The document whose changes are counted, which is kept alive until the end of the present event.
  weak var document: Document?
  /// Called after a group of changes was done, undone or redone.
  var onChange: ((DocumentChange) -> Void)?

  /// Creates an undo manager with nothing to undo.
  public init() {}

  // MARK: Registering

  /// Registers how to undo a change or, while undoing, how to redo it.
  ///
  /// - Parameters:
  ///   - target: the object that changes. It is held weakly; once it is released, the action does nothing.
  ///   - handler: a closure that makes the opposite change.
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

  /// Disables registration until ``enableUndoRegistration()`` is called the same number of times.
  public func disableUndoRegistration() { disabled += 1 }

  /// Enables registration again; has no effect if it isn't disabled.
  public func enableUndoRegistration() { disabled = max(0, disabled - 1) }

  /// True if registration is enabled.
  public var isUndoRegistrationEnabled: Bool { disabled == 0 }

  // MARK: Groups

  /// True if changes without an explicit group form one group for each turn of the main actor; by default, they do.
  ///
  /// Otherwise, each such change is a separate group.
  public var groupsByEvent = true

  /// The maximum number of groups that can be undone; older groups are discarded.
  ///
  /// 0, the default, means no limit.
  public var levelsOfUndo = 0 {
    didSet { limitLevels() }
  }

  /// The number of open groups.
  public var groupingLevel: Int { openGroups.count }

  /// Opens a group; changes registered until ``endUndoGrouping()`` are undone together.
  public func beginUndoGrouping() {
    if openGroups.isEmpty && groupsByEvent && activity == .recording { openEventGroup() }
    openGroups.append(Group())
  }

  /// Closes the innermost open group; has no effect if none is open.
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

  /// Opens the group of the present event, which is closed at the end of the event.
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

  /// Closes the group of the present event; call this between events if the app handles several in one turn.
  public func endEvent() {
    if isEventOpen { endAllGroups() }
  }

  /// Closes all open groups, so that their changes are counted; what is registered afterward belongs to other groups.
  package func endAllGroups() {
    guard activity == .recording else { return }
    while !openGroups.isEmpty { endUndoGrouping() }
  }

  /// True if a handler runs that undoes or redoes something.
  var isReplaying: Bool { activity != .recording }

  /// True if an open group has changes, which aren't counted yet.
  var hasOpenChanges: Bool {
    activity == .recording && openGroups.contains { !$0.actions.isEmpty }
  }

  private func limitLevels() {
    guard levelsOfUndo > 0 else { return }
    undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
    redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
  }

  // MARK: Undoing

  /// True if there is something to undo.
  public var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } }
  /// True if there is something to redo.
  public var canRedo: Bool { !redoStack.isEmpty }
  /// True if a handler runs that ``undo()`` called.
  public var isUndoing: Bool { activity == .undoing }
  /// True if a handler runs that ``redo()`` called.
  public var isRedoing: Bool { activity == .redoing }

  /// Closes the group of the present event, and undoes the last group; has no effect if there is none.
  public func undo() {
    guard activity == .recording else { return }
    if isEventOpen { endEvent() }
    guard openGroups.isEmpty, let group = undoStack.popLast() else { return }
    replay(group, as: .undoing)
    onChange?(.undone)
  }

  /// Redoes the last undone group; has no effect if there is none, or something has changed since.
  public func redo() {
    guard activity == .recording else { return }
    if isEventOpen { endEvent() }
    guard openGroups.isEmpty, let group = redoStack.popLast() else { return }
    replay(group, as: .redoing)
    onChange?(.redone)
  }

  /// Undoes the last closed group inside the open one.
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

  /// Removes all actions that could be undone or redone, after closing all open groups.
  public func removeAllActions() {
    endAllGroups()
    undoStack.removeAll()
    redoStack.removeAll()
    for group in openGroups { group.actions.removeAll() }
  }

  /// Removes all actions with a given target, after closing all open groups.
  public func removeAllActions(withTarget target: AnyObject) {
    endAllGroups()
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

  /// Names the open group for a menu, for example "Text Change".
  public func setActionName(_ name: String) {
    if openGroups.isEmpty {
      undoStack.last?.name = name
    } else {
      openGroups.first?.name = name
    }
  }

  /// The name of the group that ``undo()`` would undo; empty if there is none.
  public var undoActionName: String {
    openGroups.first.map(\.name) ?? undoStack.last?.name ?? ""
  }

  /// The name of the group that ``redo()`` would redo; empty if there is none.
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// The title of the Undo menu item, such as "Undo Text Change".
  public var undoMenuItemTitle: String { Self.title("Undo", undoActionName) }

  /// The title of the Redo menu item, such as "Redo Text Change".
  public var redoMenuItemTitle: String { Self.title("Redo", redoActionName) }

  private static func title(_ verb: String, _ name: String) -> String {
    name.isEmpty ? verb : "\(verb) \(name)"
  }
}

/// A kind of change for counting a document's changes.
public enum DocumentChange: Sendable {
  /// Something was changed.
  case done
  /// A change was undone.
  case undone
  /// A change was redone.
  case redone
  /// The document is in its saved or read state.
  case cleared
}
