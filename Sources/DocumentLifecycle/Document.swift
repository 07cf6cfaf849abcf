internal import DocumentCoordination
public import DocumentFiles
public import DocumentPresenting
public import DocumentStore
internal import DocumentTypes
public import Foundation

/// A document of an app, which autosaves, keeps versions, and follows changes by others to its file.
///
/// The class is modeled on Apple's `UIDocument`. A subclass overrides two methods: ``contents(forType:)`` returns the
/// document's contents, and ``load(_:ofType:because:)`` shows contents that were read.
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
/// A document belongs to the main actor. It accesses its file on other threads, one access at a time, in the order of
/// the calls, and never blocks the main actor. It always writes the file safely: a crash leaves either the old file or
/// the new one.
///
/// A save never reverts what others saved. If the file or its versions changed since the document was loaded, the new
/// version is based on the version that was loaded, beside the others. The document is then in conflict, and ``state``
/// shows it.
@MainActor
open class Document: FilePresenter {
  /// The reason for loading contents.
  public typealias LoadReason = DocumentLoadReason

  /// The store, the autosave policy and the clock.
  public let environment: DocumentEnvironment
  /// The location of the document, which follows moves and renames.
  public var fileURL: URL { file.url }
  /// The file's last known modification date; `nil` before it was read or written.
  public var fileModificationDate: Date? { file.disk?.modificationDate }
  /// The present state of the document.
  public internal(set) var state: DocumentState = .closed {
    didSet { if state != oldValue { stateObservers.report(state) } }
  }
  /// The progress of reading or writing, in bytes; `nil` unless the state contains ``DocumentState/progressAvailable``.
  ///
  /// Canceling it ends the access with `CancellationError`, while this library reads or writes the file.
  public internal(set) var progress: OperationProgress?
  /// The last error of autosaving or loading; `nil` once that succeeds again.
  public internal(set) var lastError: (any Error)?
  /// The number of failed saves since the last successful one: 1 while ``handle(_:)`` receives the first error.
  public var failedSaveCount: Int { autosaver.failures }
  /// True if the document can be viewed, but not changed; a subclass sets it when it loads a newer format than it
  /// knows.
  ///
  /// If the folder isn't writable, the state also contains ``DocumentState/readOnly``.
  public var isReadOnly = false
  /// True if the document can't be changed, for either reason.
  package var isUnchangeable: Bool { isReadOnly || state.contains(.readOnly) }
  /// The tree of a package, for a subclass that keeps its members in a wrapper.
  ///
  /// In that case, ``contents(forType:)`` returns `.package(wrapper.snapshot())`, and a save writes only replaced
  /// members.
  public var wrapper: DocumentWrapper?

  /// State that the app keeps for the document on this device alone.
  public var privateState: PrivateState { PrivateState(of: fileURL, store: environment.store) }

  /// The version that the contents are based on; nil before the first one.
  package var baseVersion: FileVersion? { file.base }
  /// Called after the document was closed, for any reason.
  package var onClose: (@MainActor () -> Void)?

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
  /// The time, by the clock, at which the last version was made or the document was opened.
  var lastVersionTime = Duration.zero
  /// The versions that the presenter has been notified of; `nil` before the document was opened.
  var versions: PresentedVersions?
  /// The accesses of other programs that may be writing the file at the moment.
  var coordinatedWriters: [FileAccess] = []
  /// The number of saves that the app requested and that aren't written yet.
  var waitingSaves = 0
  private(set) lazy var absence = FileAbsence(environment.clock)
  private var isLoading = false
  /// The number of operations that disable editing.
  var editingPauses = 0
  private let stateObservers = StateObservers()
  private var manager: DocumentUndoManager?

  /// Creates a document object without reading the file.
  ///
  /// - Parameters:
  ///   - fileURL: the location of the document, which need not exist: ``open()`` reads it, and ``create()`` creates it.
  ///   - environment: the store, the autosave policy and the clock.
  public init(fileURL: URL, environment: DocumentEnvironment = DocumentEnvironment()) {
    self.environment = environment
    file = TrackedFile(fileURL, store: environment.store)
    file.onWrite = { [weak self] in self?.wrapper?.adopt($0) }
  }

  // MARK: For subclasses

  /// Returns the document's contents.
  ///
  /// The document calls this on the main actor when it is saved, and writes the contents in the background.
  open func contents(forType type: String) throws -> DocumentContents {
    throw DocumentError(
      .notImplemented, fileURL, "\(Swift.type(of: self)) does not override contents(forType:).")
  }

  /// Shows contents.
  ///
  /// The document calls this on the main actor when it is opened, reverted or resolved, or was changed elsewhere.
  ///
  /// Changes that the method makes aren't edits: they neither register an undo nor make the document unsaved. Empty
  /// data means a new document. If the method throws while the document is opening, the document stays closed.
  open func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    throw DocumentError(
      .notImplemented, fileURL, "\(Swift.type(of: self)) does not override load(_:ofType:because:)."
    )
  }

  /// Disables editing in the app's views, before contents are replaced and before closing.
  open func disableEditing() {}

  /// Enables editing again.
  open func enableEditing() {}

  /// Handles the error of a save or a load, before a call of the app throws it.
  ///
  /// The document retries a failed save after increasing pauses; ``failedSaveCount`` distinguishes the first error from
  /// repetitions. ``DocumentError`` with code `removed` means that another program removed the document while it had
  /// unsaved changes.
  open func handle(_ error: any Error) {}

  /// The name to show to people: the file's name without its extension.
  open var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }

  /// The identifier of the document's type, which its extension determines.
  open var fileType: String {
    environment.store.types.type(for: fileURL)?.identifier ?? "public.data"
  }

  /// The identifier of the type for saving the document; by default ``fileType``.
  ///
  /// For example, a text that gets a picture may become a package. The document then calls ``contents(forType:)`` with
  /// that type, and changes its extension to ``fileNameExtension(forType:)``.
  open var savingFileType: String { fileType }

  /// Returns the extension, without a dot, for saving the document as another type; by default, the type's first
  /// extension.
  ///
  /// It is `nil` for a type without extensions.
  open func fileNameExtension(forType type: String) -> String? {
    environment.store.types.type(type)?.filenameExtensions.first
  }

  /// The format of the contents on disk, if it differs from ``contents(forType:)``.
  open var fileFormat: (any DocumentFileFormat)? { nil }

  /// Returns the attributes for saving the file.
  ///
  /// The document calls this on the main actor after ``contents(forType:)``. Attributes that are `nil` stay unchanged.
  /// A package has its attributes in its ``wrapper``.
  open func fileAttributes(for operation: SaveOperation) throws -> DocumentFileAttributes {
    DocumentFileAttributes()
  }

  // MARK: State

  /// The states from now on, beginning with the present one; the sequence ends when the object is released.
  public var states: AsyncStream<DocumentState> { stateObservers.add(state) }

  /// True if the document is open.
  public var isOpen: Bool { !state.contains(.closed) }

  // MARK: Undo

  /// Records how to undo changes, and counts each as a change of the document.
  ///
  /// The first access creates it. It is `nil` for a document that calls ``updateChangeCount(_:)`` itself.
  public var undoManager: DocumentUndoManager? {
    get {
      if manager == nil { self.undoManager = DocumentUndoManager() }
      return manager
    }
    set {
      manager?.endAllGroups()
      manager?.onChange = nil
      manager?.document = nil
      manager = newValue
      manager?.document = self
      manager?.onChange = { [weak self] in self?.updateChangeCount($0) }
    }
  }

  /// The undo manager, if it already exists.
  package var knownUndoManager: DocumentUndoManager? { manager }

  // MARK: Changes

  /// True if the document has changes that aren't in its file.
  open var hasUnsavedChanges: Bool {
    changes.isChanged || !isUnchangeable && manager?.hasOpenChanges == true
  }

  /// Counts a change; the ``undoManager`` does this for registered changes.
  ///
  /// The call is ignored while contents are loaded, for a document that can't be changed, and for a change that the
  /// manager undoes or redoes, because it counts that itself.
  open func updateChangeCount(_ change: DocumentChange) {
    guard !isLoading, !isUnchangeable, change != .done || manager?.isReplaying != true else {
      return
    }
    changes.add(change)
    guard hasUnsavedChanges else { return autosaver.stop() }
    guard isOpen else { return }
    file.keepLoadedSoon(in: lane)
    autosaver.schedule()
  }

  // MARK: Opening

  /// Opens the document: reads it, shows it, and starts to follow changes by others.
  ///
  /// A symbolic link is followed to its document. A document that this device only lists is downloaded first, once no
  /// other sync of its container runs. With a damaged store, the document opens without its versions, and ``state``
  /// contains ``DocumentState/savingError``.
  ///
  /// - Throws: the errors of downloading, of reading the file and its versions, and of ``load(_:ofType:because:)``; the
  ///   document then stays closed. ``DocumentError`` with code `open` if it is already open.
  open func open() async throws { try await FileOpening(of: self).open() }

  /// Closes the document, after saving edits as a discardable version.
  ///
  /// An unedited document gets no version. Closing a closed document does nothing.
  ///
  /// - Throws: the error of saving; the document then stays open, with its changes.
  open func close() async throws { try await FileOpening(of: self).close() }

  /// Reverts the document to a version.
  ///
  /// Edits become a discardable version first. Afterward, the undo stack is empty; the versions in between stay.
  ///
  /// - Parameter version: the version; by default the contents that were last loaded or saved, or that others have
  ///   written to the file since.
  /// - Throws: ``DocumentError`` if the document is closed; the errors of the store and of reading.
  open func revert(to version: FileVersion? = nil) async throws {
    try await FileOpening(of: self).revert(to: version)
  }

  // MARK: Saving

  /// Saves the document; every save calls this method.
  ///
  /// An override may do work before and after the save, and must call the superclass. Apps call ``create()`` and
  /// ``save(note:)``.
  ///
  /// - Parameters:
  ///   - url: for a new document, its location, where no item may exist; the object represents that document from then
  ///     on. Every other operation writes to the document's present location.
  ///   - operation: the reason for the save, which determines whether it makes a version.
  /// - Throws: the errors of ``create()`` and ``save(note:)``.
  open func save(to url: URL, for operation: SaveOperation) async throws {
    if operation == .creating {
      try await FileSave(of: self).create(at: url)
    } else {
      try await FileSave(of: self).save(for: operation)
    }
  }

  /// Writes unsaved changes to the file, and makes a version only if the last one is long ago.
  ///
  /// The document calls this automatically. It passes an error to ``handle(_:)``.
  ///
  /// - Returns: whether writing succeeded.
  @discardableResult
  open func autosave() async -> Bool {
    guard isOpen, hasUnsavedChanges || state.contains(.savingError) else { return true }
    do {
      // A document without unsaved changes after a failed save still lacks its version.
      let isFileEnough = hasUnsavedChanges && !isVersionDue
      try await save(to: fileURL, for: isFileEnough ? .autosaving : .discardableVersion)
      return true
    } catch {
      // The error was reported, and the state shows it.
      return false
    }
  }

  /// Shows contents without counting changes.
  func show(_ contents: DocumentContents, because reason: LoadReason) throws {
    isLoading = true
    manager?.disableUndoRegistration()
    defer {
      manager?.enableUndoRegistration()
      isLoading = false
    }
    try load(contents, ofType: fileType, because: reason)
    manager?.removeAllActions()
    changes.replace()
    autosaver.stop()
  }

  // MARK: Beside other programs

  // The document is a presenter, and coordinates its own accesses. Coordinators of other programs make these calls; an
  // override must call the superclass.

  /// The location of the document.
  open var presentedItemURL: URL? { fileURL }
  /// The attributes that the document is notified of: none.
  open var observedPresentedItemUbiquityAttributes: Set<String> { [] }
  /// Relinquishes the file to another program that reads it.
  @MainActor open func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? {
    nil
  }
  /// Relinquishes the file to another program that writes it.
  @MainActor open func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? {
    coordinatedWriters.append(writer)
    return { [weak self] in
      Task { @MainActor in await self?.reacquire(from: writer) }
    }
  }
  /// Saves unsaved changes before another program reads or merges the file.
  @MainActor open func savePresentedItemChanges() async throws {
    guard isOpen, hasUnsavedChanges, !isUnchangeable else { return }
    try await FileSave(of: self).saveForOthers()
  }
  /// Closes the document before it is deleted; edits become a version first.
  @MainActor open func accommodatePresentedItemDeletion() async throws {
    try await FileRemoval(of: self).makeWay()
  }
  /// Follows the document to the location to which another program moved it.
  @MainActor open func presentedItemDidMove(to url: URL) async {
    await FileCheck(of: self).follow(to: url)
  }
  /// Shows contents that another program wrote.
  @MainActor open func presentedItemDidChange() async { await check([.file]) }
  /// Does nothing.
  @MainActor open func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async {}
  /// Does nothing; the ``state`` is updated automatically.
  ///
  /// The document's own versions are reported too.
  @MainActor open func presentedItemDidGain(_ version: FileVersion) async {}
  /// Does nothing; the ``state`` is updated automatically.
  @MainActor open func presentedItemDidLose(_ version: FileVersion) async {}
  /// Does nothing; the ``state`` is updated automatically.
  @MainActor open func presentedItemDidResolveConflict(_ version: FileVersion) async {}
  /// Allows a member of the package to be deleted.
  @MainActor open func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
  /// Shows the package with a member that another program added.
  @MainActor open func presentedSubitemDidAppear(at url: URL) async { await check([.file]) }
  /// Shows the package with a member that another program moved.
  @MainActor open func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    await check([.file])
  }
  /// Shows the package with a member that another program changed.
  @MainActor open func presentedSubitemDidChange(at url: URL) async { await check([.file]) }
}
