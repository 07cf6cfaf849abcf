public import DocumentStore
internal import DocumentTypes
public import Foundation

/// An object that shows a file or folder to a person, and follows what others do to it.
///
/// After Apple's `NSFilePresenter`. While it is registered with ``FileCoordinator/addFilePresenter(_:)``, it is asked before
/// another coordinated access, in this process or another one of the same user, and notified afterwards. Every member but
/// ``presentedItemURL`` has a default that does nothing.
///
/// Calls are made one after another for each access, wherever the presenter is isolated: those of an actor, or of a class of
/// the main actor, run there. An access waits for the calls that return something or can throw, at most as long as its
/// coordinator has patience, so they are quick.
public protocol FilePresenter: AnyObject, Sendable {
  /// Where the item is; nil where it is not there yet.
  ///
  /// Read when the presenter is registered, and after its own coordinated accesses.
  var presentedItemURL: URL? { get async }

  /// The attributes of the item about which ``presentedItemDidChangeUbiquityAttributes(_:)`` is called.
  var observedPresentedItemUbiquityAttributes: Set<String> { get async }

  /// Lets another program read the item: stop writing to it until the returned function is called.
  ///
  /// - Parameter reader: who reads.
  /// - Returns: called when the access is over, also where it failed or its program has ended; nil for nothing to do.
  func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer?

  /// Lets another program write the item, or move or delete a folder that it is in: stop reading and writing it until
  /// the returned function is called.
  ///
  /// - Parameter writer: who writes.
  /// - Returns: called when the access is over, also where it failed or its program has ended; nil for nothing to do.
  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer?

  /// Writes what is only in memory to the item, before another program reads or merges it.
  ///
  /// A coordinated access for this presenter does not wait for the one that asks.
  ///
  /// - Throws: what keeps it from saving: the access that asks fails with it.
  func savePresentedItemChanges() async throws

  /// Closes the item, which is about to be deleted or replaced by another one.
  ///
  /// - Throws: why it must stay: the deletion fails with it.
  func accommodatePresentedItemDeletion() async throws

  /// Follows the item, which was moved or renamed, or a folder that it is in was.
  func presentedItemDidMove(to url: URL) async

  /// Notes that the contents or the attributes of the item changed.
  func presentedItemDidChange() async

  /// Notes that attributes of the item changed that have to do with syncing.
  func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async

  /// Notes that the item has a new version, in a conflict or in its history.
  func presentedItemDidGain(_ version: FileVersion) async

  /// Notes that a version was removed.
  func presentedItemDidLose(_ version: FileVersion) async

  /// Notes that a version in conflict was marked as resolved.
  func presentedItemDidResolveConflict(_ version: FileVersion) async

  /// Stops using an item in the presented folder, which is about to be deleted.
  ///
  /// - Throws: why it must stay: the deletion fails with it.
  func accommodatePresentedSubitemDeletion(at url: URL) async throws

  /// Notes that there is a new item in the presented folder, at any depth.
  func presentedSubitemDidAppear(at url: URL) async

  /// Notes that an item of the presented folder was moved or renamed.
  func presentedSubitem(at former: URL, didMoveTo url: URL) async

  /// Notes that an item in the presented folder changed.
  ///
  /// By default, that the presented item changed, where it is a package.
  func presentedSubitemDidChange(at url: URL) async
}

/// What a presenter does once another program's access is over.
public typealias Reacquirer = @Sendable () async -> Void

/// The access of another program, or of another part of this one.
public struct FileAccess: Sendable, Hashable {
  /// The item that is accessed; it may be a folder that the presented item is in.
  public let item: URL
  /// The name of the program.
  public let program: String
  /// Its process.
  public let process: Int32

  /// Makes the description of an access, as for a test of a presenter.
  package init(item: URL, program: String, process: Int32) {
    self.item = item
    self.program = program
    self.process = process
  }
}

extension FilePresenter {
  /// None.
  public var observedPresentedItemUbiquityAttributes: Set<String> { [] }
  /// Lets it read.
  public func relinquishPresentedItem(toReader reader: FileAccess) async -> Reacquirer? { nil }
  /// Lets it write.
  public func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? { nil }
  /// Nothing is only in memory.
  public func savePresentedItemChanges() async throws {}
  /// Lets it be deleted.
  public func accommodatePresentedItemDeletion() async throws {}
  /// Does nothing.
  public func presentedItemDidMove(to url: URL) async {}
  /// Does nothing.
  public func presentedItemDidChange() async {}
  /// Does nothing.
  public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<String>) async {}
  /// Does nothing.
  public func presentedItemDidGain(_ version: FileVersion) async {}
  /// Does nothing.
  public func presentedItemDidLose(_ version: FileVersion) async {}
  /// Does nothing.
  public func presentedItemDidResolveConflict(_ version: FileVersion) async {}
  /// Lets it be deleted.
  public func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
  /// Notes that the presented item changed, where it is a package.
  public func presentedSubitemDidAppear(at url: URL) async { await noteChangeOfPackage() }
  /// Notes that the presented item changed, where it is a package.
  public func presentedSubitem(at former: URL, didMoveTo url: URL) async {
    await noteChangeOfPackage()
  }
  /// Notes that the presented item changed, where it is a package.
  public func presentedSubitemDidChange(at url: URL) async { await noteChangeOfPackage() }

  /// A presenter of a package that does not care for its members is interested in the whole.
  private func noteChangeOfPackage() async {
    guard let url = await presentedItemURL,
      DocumentTypes().isSavedAsPackage(named: url.lastPathComponent)
    else { return }
    await presentedItemDidChange()
  }
}
