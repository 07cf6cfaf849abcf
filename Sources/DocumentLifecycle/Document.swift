internal import DocumentCoordination
public import DocumentFiles
public import DocumentPresenting
public import DocumentStore
internal import DocumentTypes
public import Foundation

/// A document of an app: it opens, is edited, saves by itself, keeps versions, and notices what others do to its file.
///
/// After Apple's `UIDocument`. A subclass overrides two methods: ``contents(forType:)`` says what the document holds, and
/// ``load(_:ofType:because:)`` shows what was read.
///
/// ```swift
/// final class Note: Document {
///   var text = "" { didSet { if text != oldValue { updateChangeCount(.done) } } }
///   override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }
///   override func load(_ contents: DocumentContents, ofType type: String, because reason: LoadReason) throws {
///     if case .data(let data) = contents { text = String(decoding: data, as: UTF8.self) }
///   }
/// }
/// ```
///
/// It belongs to the main actor. Accesses to its file happen elsewhere, one at a time, in the order in which they were
/// asked for; nothing waits on the main actor. The file is always written safely: a crash leaves the old or the new one.
///
/// What is saved never takes back what others saved: where the file or its versions changed since the document was
/// loaded, the document is saved as made from what it was loaded from, beside the others. That is a conflict, and
/// ``state`` says so.
@MainActor
open class Document: FilePresenter {
  /// Why contents are shown.
  public typealias LoadReason = DocumentLoadReason

  /// The store, the autosave policy and the clock.
  public let environment: DocumentEnvironment
  /// Where the document is; it follows moves and renames.
  public var fileURL: URL { file.url }
  /// When the file was modified last, as this object knows; nil before it was read or written.
  public var fileModificationDate: Date? { file.disk?.modificationDate }
  /// What the document can do at the moment.
  public internal(set) var state: DocumentState = .closed {
    didSet { if state != oldValue { stateObservers.report(state) } }
  }
  /// How far reading or writing is, in bytes; nil while the state has not ``DocumentState/progressAvailable``.
  ///
  /// Asking it to cancel ends the access with `CancellationError`, while the file is read or written by this library.
  public internal(set) var progress: OperationProgress?
  /// The last error of saving or loading by itself; nil once that works again.
  public internal(set) var lastError: (any Error)?
  /// How often saving has failed since it worked last: 1 while ``handle(_:)`` gets the first error.
  public var failedSaveCount: Int { autosaver.failures }
  /// Whether the document can be looked at, but not changed; a subclass sets it while loading a format that is newer
  /// than it knows.
  ///
  /// One whose folder can't be written is in the state ``DocumentState/readOnly`` as well.
  public var isReadOnly = false
  /// Whether it can't be changed, for one reason or the other.
  var isUnchangeable: Bool { isReadOnly || state.contains(.readOnly) }
  /// The tree of a package, for a subclass that keeps its members in one.
  ///
  /// With it ``contents(forType:)`` returns `.package(wrapper.snapshot())`, and a save writes only what was replaced.
  public var wrapper: DocumentWrapper?

  /// What the app remembers of the document on this device alone, which is no edit.
  public var privateState: PrivateState { PrivateState(of: fileURL, store: environment.store) }

  // MARK: Parts

  /// The file and its versions, accessed in the lane.
  let file: TrackedFile
  let lane = FileLane()
  var access: CoordinatedFile { CoordinatedFile(of: self) }
  var changes = ChangeCount()
  private(set) lazy var autosaver = Autosaver(of: self)
  private(set) lazy var monitor = FileMonitor { [weak self] in
    if let self { await FileCheck(of: self).follow($0) }
  }
  /// When the last version was made, or the document opened, by the clock.
  var lastVersionTime = Duration.zero
  /// The versions of which the presenter knows; nil before it was opened.
  var versions: PresentedVersions?
  /// How many other programs may be writing the file, which they were handed as it is.
  var coordinatedWriters = 0
  private(set) lazy var absence = FileAbsence(environment.clock)
  private var isLoading = false
  private let stateObservers = StateObservers()
  private var manager: DocumentUndoManager?

  /// Makes the object; nothing is read.
  ///
  /// - Parameters:
  ///   - fileURL: the document, which need not be there: ``open()`` reads it, and ``create()`` makes it.
  ///   - environment: its store, autosave policy and clock.
  public init(fileURL: URL, environment: DocumentEnvironment = DocumentEnvironment()) {
    self.environment = environment
    file = TrackedFile(fileURL, store: environment.store)
    file.onWrite = { [weak self] in self?.wrapper?.adopt($0) }
  }

  // MARK: For subclasses

  /// What the document holds: called on the main actor when it is saved, and written in the background.
  open func contents(forType type: String) throws -> DocumentContents {
    throw DocumentError(
      .notImplemented, fileURL, "\(Swift.type(of: self)) does not override contents(forType:).")
  }

  /// Shows contents: called on the main actor when the document is opened, reverted, resolved, or was changed elsewhere.
  ///
  /// Changes that it makes are no edits: they neither register an undo nor make the document unsaved. Empty data is a new
  /// document. Where it throws while opening, the document stays closed.
  open func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    throw DocumentError(
      .notImplemented, fileURL, "\(Swift.type(of: self)) does not override load(_:ofType:because:)."
    )
  }

  /// Called before the contents are replaced, and before closing: a view shows that nothing can be typed.
  open func disableEditing() {}

  /// Called when editing is possible again.
  open func enableEditing() {}

  /// Called with the error of a save or a load that the document made by itself, or that the app asked for, before it is thrown.
  ///
  /// A save that failed is tried again after pauses that become longer; ``failedSaveCount`` tells the first error from those
  /// of its repetitions. ``DocumentError`` with code `removed` says that another program removed the document while it had
  /// unsaved changes.
  open func handle(_ error: any Error) {}

  /// The name for people: the file's, without its extension.
  open var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }

  /// The identifier of the document's type: by its extension.
  open var fileType: String {
    environment.store.types.type(for: fileURL)?.identifier ?? "public.data"
  }

  /// The identifier of the type that the document is saved as; by default ``fileType``.
  ///
  /// A document that has got a picture may become a package. ``contents(forType:)`` is asked for that type then, and the
  /// document is renamed with the extension of ``fileNameExtension(forType:)``.
  open var savingFileType: String { fileType }

  /// The extension, without a dot, that the document gets when it is saved as another type; by default the first one of
  /// that type, and nil for a type without any.
  open func fileNameExtension(forType type: String) -> String? {
    environment.store.types.type(type)?.filenameExtensions.first
  }

  /// How the contents are written to disk and read from there, where that is not as they are.
  open var fileFormat: (any DocumentFileFormat)? { nil }

  /// The attributes that the file gets when it is saved: called on the main actor after ``contents(forType:)``.
  ///
  /// Those that it leaves open stay as they are. A package has its attributes in its ``wrapper``.
  open func fileAttributes(for operation: SaveOperation) throws -> DocumentFileAttributes {
    DocumentFileAttributes()
  }

  // MARK: State

  /// The states from now on, the present one first; ends when the object goes.
  public var states: AsyncStream<DocumentState> { stateObservers.add(state) }

  /// Whether the document is open.
  public var isOpen: Bool { !state.contains(.closed) }

  // MARK: Undo

  /// Records how changes are undone, and makes the document unsaved with each.
  ///
  /// Reading it makes one. Nil for a document that calls ``updateChangeCount(_:)`` itself.
  public var undoManager: DocumentUndoManager? {
    get {
      if manager == nil { self.undoManager = DocumentUndoManager() }
      return manager
    }
    set {
      manager?.onChange = nil
      manager?.document = nil
      manager = newValue
      manager?.document = self
      manager?.onChange = { [weak self] in self?.updateChangeCount($0) }
    }
  }

  /// The undo manager, where there is one already.
  var knownUndoManager: DocumentUndoManager? { manager }

  // MARK: Changes

  /// Whether the document has changes that are not in its file.
  open var hasUnsavedChanges: Bool { changes.isChanged }

  /// Counts a change; the ``undoManager`` does so for what is registered with it.
  ///
  /// Ignored while contents are loaded, and for a document that can't be changed.
  open func updateChangeCount(_ change: DocumentChange) {
    guard !isLoading, !isUnchangeable else { return }
    changes.add(change)
    guard hasUnsavedChanges else { return autosaver.stop() }
    guard isOpen else { return }
    file.keepLoadedSoon(in: lane)
    autosaver.schedule()
  }

  // MARK: Opening

  /// Opens the document: reads it, shows it, and begins to notice what others do to it.
  ///
  /// A symbolic link is followed: the document is the one that it leads to.
  ///
  /// - Throws: the errors of reading the file and its versions, and of ``load(_:ofType:because:)``; the document stays
  ///   closed. ``DocumentError`` with code `open` where it is open.
  open func open() async throws { try await FileOpening(of: self).open() }

  /// Closes the document; what was edited is saved first, as a version that may be thrown away.
  ///
  /// A document that was only looked at gets no version. Closing a closed document does nothing.
  ///
  /// - Throws: the error of saving; the document stays open then, with its changes.
  open func close() async throws { try await FileOpening(of: self).close() }

  /// Reverts the document to a version.
  ///
  /// What was edited becomes a version first, which may be thrown away. Nothing can be undone afterwards; the versions in
  /// between stay.
  ///
  /// - Parameter version: the version; by default the one that was opened or saved last.
  /// - Throws: ``DocumentError`` where the document is closed; the errors of the store and of reading.
  open func revert(to version: FileVersion? = nil) async throws {
    try await FileOpening(of: self).revert(to: version)
  }

  // MARK: Saving

  /// Saves the document: every save passes here.
  ///
  /// An override may do something before and after it, and calls the superclass; apps call ``create()`` and
  /// ``save(note:)``.
  ///
  /// - Parameters:
  ///   - url: for a new document its place, where nothing may be: the object is that document from then on. Every other
  ///     operation writes to where the document is.
  ///   - operation: what becomes of the contents besides the file.
  /// - Throws: as ``create()`` and ``save(note:)``.
  open func save(to url: URL, for operation: SaveOperation) async throws {
    if operation == .creating {
      try await FileSave(of: self).create(at: url)
    } else {
      try await FileSave(of: self).save(for: operation)
    }
  }

  /// Writes unsaved changes to the file, without a version, unless the last one is long ago.
  ///
  /// The document does this by itself. An error goes to ``handle(_:)``.
  ///
  /// - Returns: false where that failed.
  @discardableResult
  open func autosave() async -> Bool {
    guard isOpen, hasUnsavedChanges || state.contains(.savingError) else { return true }
    do {
      // What has no unsaved changes, and could not be saved, lacks its version.
      let isFileEnough = hasUnsavedChanges && !isVersionDue
      try await save(to: fileURL, for: isFileEnough ? .autosaving : .discardableVersion)
      return true
    } catch {
      // It was reported, and the state says so.
      return false
    }
  }

  /// Shows contents without counting what that changes.
  func show(_ contents: DocumentContents, because reason: LoadReason) throws {
    isLoading = true
    manager?.disableUndoRegistration()
    defer {
      manager?.enableUndoRegistration()
      isLoading = false
    }
    try load(contents, ofType: fileType, because: reason)
    manager?.removeAllActions()
    changes.clear()
    autosaver.stop()
  }

  // MARK: Beside other programs

  // The document is a presenter, and its own accesses are coordinated. These calls are for the coordinators of other
  // programs; an override calls the superclass.

  /// Where the document is.
  open var presentedItemURL: URL? { fileURL }
  /// The attributes of which the document hears; none.
  open var observedPresentedItemUbiquityAttributes: Set<String> { [] }
  /// Lets another program read the file.
  @MainActor open func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? {
    nil
  }
  /// Lets another program write the file; what it writes is made from what the file holds now.
  @MainActor open func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? {
    coordinatedWriters += 1
    return { [weak self] in
      Task { @MainActor in
        await self?.check([.file])
        self?.coordinatedWriters -= 1
      }
    }
  }
  /// Saves what is only in memory, before another program reads or merges the file.
  @MainActor open func savePresentedItemChanges() async throws {
    guard isOpen, hasUnsavedChanges, !isUnchangeable else { return }
    try await save(to: fileURL, for: .autosaving)
  }
  /// Closes the document, which is about to be deleted; what was edited becomes a version first.
  @MainActor open func accommodatePresentedItemDeletion() async throws {
    guard isOpen else { return }
    try await keepEdits()
    try await lane.run { [self] in await didClose() }
  }
  /// Follows the document to the place where another program has moved it.
  @MainActor open func presentedItemDidMove(to url: URL) async {
    await FileCheck(of: self).follow(to: url)
  }
  /// Shows what another program has written.
  @MainActor open func presentedItemDidChange() async { await check([.file]) }
  /// Does nothing.
  @MainActor open func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async {}
  /// Does nothing, for the document's own versions as well; the ``state`` follows by itself.
  @MainActor open func presentedItemDidGain(_ version: FileVersion) async {}
  /// Does nothing; the ``state`` follows by itself.
  @MainActor open func presentedItemDidLose(_ version: FileVersion) async {}
  /// Does nothing; the ``state`` follows by itself.
  @MainActor open func presentedItemDidResolveConflict(_ version: FileVersion) async {}
  /// Lets a member of the package be deleted.
  @MainActor open func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
  /// Shows the package with what another program has added.
  @MainActor open func presentedSubitemDidAppear(at url: URL) async { await check([.file]) }
  /// Shows the package with what another program has moved.
  @MainActor open func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    await check([.file])
  }
  /// Shows the package with what another program has changed.
  @MainActor open func presentedSubitemDidChange(at url: URL) async { await check([.file]) }
}
