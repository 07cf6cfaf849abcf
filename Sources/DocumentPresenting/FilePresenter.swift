public import DocumentStore
internal import DocumentTypes
public import Foundation

/// An object that presents a file or folder to a person, and follows changes by others.
///
/// The protocol is modeled on Apple's `NSFilePresenter`. While a presenter is registered with
/// ``FileCoordinator/addFilePresenter(_:)``, it is asked before other coordinated accesses, in this process or another
/// one of the same user, and notified afterward. Every requirement except ``presentedItemURL`` has a default
/// implementation that does nothing.
///
/// For each access, the calls are made one after another, in the presenter's isolation, such as its actor or the main
/// actor. An access waits for calls that return a value or can throw, up to its coordinator's timeout, so implement
/// them to return quickly.
public protocol FilePresenter: AnyObject, Sendable {
  /// The location of the item; `nil` if it doesn't exist yet.
  ///
  /// It is read when the presenter is registered, and after its own coordinated accesses.
  var presentedItemURL: URL? { get async }

  /// The attributes whose changes ``presentedItemDidChangeUbiquityAttributes(_:)`` reports.
  var observedPresentedItemUbiquityAttributes: Set<String> { get async }

  /// Relinquishes the item to another program that reads it.
  ///
  /// Stop writing to the item until the returned function is called.
  ///
  /// - Parameter reader: the access that reads.
  /// - Returns: a function to call when the access is over, even if it failed or its program has ended; `nil` for
  ///   nothing to do.
  func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer?

  /// Relinquishes the item to another program that writes it, or moves or deletes a folder around it.
  ///
  /// Stop reading and writing the item until the returned function is called.
  ///
  /// - Parameter writer: the access that writes.
  /// - Returns: a function to call when the access is over, even if it failed or its program has ended; `nil` for
  ///   nothing to do.
  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer?

  /// Saves unsaved changes to the item before another program reads or merges it.
  ///
  /// Use a coordinator created for this presenter; its accesses don't wait for the requesting access.
  ///
  /// - Throws: the error that prevents saving; the requesting access fails with it.
  func savePresentedItemChanges() async throws

  /// Closes the item before it is deleted or replaced.
  ///
  /// - Throws: an error that prevents the deletion, which fails with it.
  func accommodatePresentedItemDeletion() async throws

  /// Follows the item after it, or a folder around it, was moved or renamed.
  func presentedItemDidMove(to url: URL) async

  /// Responds to a change of the item's contents or attributes.
  func presentedItemDidChange() async

  /// Responds to a change of the item's attributes that concern syncing.
  func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async

  /// Responds to a new version of the item, in a conflict or in its history.
  func presentedItemDidGain(_ version: FileVersion) async

  /// Responds to the removal of a version.
  func presentedItemDidLose(_ version: FileVersion) async

  /// Responds to a conflict version being marked as resolved.
  func presentedItemDidResolveConflict(_ version: FileVersion) async

  /// Stops using an item in the presented folder before it is deleted.
  ///
  /// - Throws: an error that prevents the deletion, which fails with it.
  func accommodatePresentedSubitemDeletion(at url: URL) async throws

  /// Responds to a new item in the presented folder, at any depth.
  func presentedSubitemDidAppear(at url: URL) async

  /// Responds to an item of the presented folder being moved or renamed.
  func presentedSubitem(at former: URL, didMoveTo url: URL) async

  /// Responds to a change of an item in the presented folder.
  ///
  /// By default, a package is notified that the presented item changed.
  func presentedSubitemDidChange(at url: URL) async
}

/// A function that a presenter returns, to be called when another program's access is over.
public typealias Reacquirer = @Sendable () async -> Void

/// The access of another program, or of another part of this one.
public struct FileAccess: Sendable, Hashable {
  /// The item that is accessed; it may be a folder that the presented item is in.
  public let item: URL
  /// The name of the program.
  public let program: String
  /// The identifier of its process.
  public let process: Int32
  /// True if the program accesses the item for a presenter, which may have contents of the item in memory.
  package let isForPresenter: Bool

  /// Creates the description of an access, for example to test a presenter.
  package init(item: URL, program: String, process: Int32, isForPresenter: Bool = false) {
    self.item = item
    self.program = program
    self.process = process
    self.isForPresenter = isForPresenter
  }
}

extension FilePresenter {
  /// No attributes, by default.
  public var observedPresentedItemUbiquityAttributes: Set<String> { [] }
  /// Allows the access, by default.
  public func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? { nil }
  /// Allows the access, by default.
  public func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? { nil }
  /// Does nothing, by default.
  public func savePresentedItemChanges() async throws {}
  /// Allows the deletion, by default.
  public func accommodatePresentedItemDeletion() async throws {}
  /// Does nothing, by default.
  public func presentedItemDidMove(to url: URL) async {}
  /// Does nothing, by default.
  public func presentedItemDidChange() async {}
  /// Does nothing, by default.
  public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async {}
  /// Does nothing, by default.
  public func presentedItemDidGain(_ version: FileVersion) async {}
  /// Does nothing, by default.
  public func presentedItemDidLose(_ version: FileVersion) async {}
  /// Does nothing, by default.
  public func presentedItemDidResolveConflict(_ version: FileVersion) async {}
  /// Allows the deletion, by default.
  public func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
  /// Notifies a package that the presented item changed, by default.
  public func presentedSubitemDidAppear(at url: URL) async { await noteChangeOfPackage() }
  /// Notifies a package that the presented item changed, by default.
  public func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    await noteChangeOfPackage()
  }
  /// Notifies a package that the presented item changed, by default.
  public func presentedSubitemDidChange(at url: URL) async { await noteChangeOfPackage() }

  /// A presenter of a package that doesn't handle its members is notified of changes to the whole.
  private func noteChangeOfPackage() async {
    guard let url = await presentedItemURL,
      DocumentTypes().isSavedAsPackage(named: url.lastPathComponent)
    else { return }
    await presentedItemDidChange()
  }
}
