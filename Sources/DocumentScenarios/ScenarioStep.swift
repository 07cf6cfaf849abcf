/// A line of a scenario with a meaning.
package struct ScenarioStep: Sendable {
  /// The line in the file, counted from 1.
  package let line: Int
  /// The text of the line, without surrounding blanks.
  package let text: String

  let event: Event

  /// The meaning of a line.
  enum Event: Equatable, Sendable {
    case devices([String])
    /// All devices that are online exchange until no version moves.
    case exchange
    case deed(Deed, by: String)
    /// The deed must fail, with this code if one is named.
    case refusal(Deed, by: String, code: String?)
    /// A device's clock is this number of seconds ahead.
    case clock(Double, of: String)
    /// A claim must be true on these devices, or on all if none is named.
    case claim(Claim, on: [String])
  }

  /// A deed on a device.
  ///
  /// Contents are named by the file in the scenario's folder that holds them.
  enum Deed: Equatable, Sendable {
    case edit(String, contents: String)
    case save(String, contents: String?, base: String?, note: String?)
    case resolve(String, Strategy)
    case restore(String, contents: String)
    case removeVersion(contents: String, of: String)
    case removeOthers(of: String)
    case markResolved(contents: String, of: String)
    case delete(String)
    case rename(String, to: String)
    case undo(String)
    case thin(String, last: Int)
    case undelete(of: String)
    case pin(contents: String, of: String)
    case unpin(contents: String, of: String)
    case importCopy(String, of: String, base: String?)
    case exchange
    case goOffline
    case comeOnline
    /// Sets whether documents that are new on the device are only listed.
    case listNewDocuments(Bool)
    case download(String)
    case evict(String)

    // In an app.

    case open(String)
    case create(String)
    /// The document gets the first number that is free.
    case createNumbered(String)
    case type(contents: String, into: String)
    case undoTyping(String)
    case redoTyping(String)
    case revert(String)
    case close(String)
    case wait(seconds: Int)
    case crash
    case fillDisk(Bool)
    case stopAnswering(Bool)
    /// Done in another app of the device.
    indirect case inOtherApp(Deed)
    /// Done by another program of the device, which coordinates what it does.
    case byTool(ToolDeed)
  }

  /// A deed of a program that coordinates its accesses.
  enum ToolDeed: Equatable, Sendable {
    case read(String, contents: String?)
    case write(String, contents: String)
    /// Proceeds without apps that don't answer.
    case takeOver(String, contents: String)
    case delete(String)
    case rename(String, to: String)
    /// Holds the access until it lets go or ends.
    case hold(String)
    case letGo
    case crash
  }

  /// A fact about a document that is open in an app.
  enum OpenFact: Equatable, Sendable {
    case isOpen(Bool)
    case shows(String)
    case hasUnsavedChanges(Bool)
    case showsConflict(Bool)
    case showsSavingError(Bool)
    case canUndo(Bool)
    case canRedo(Bool)
    case wasLoaded(times: Int)
  }

  /// The strategy that resolves a conflict.
  indirect enum Strategy: Equatable, Sendable {
    case latest
    case merge
    case keep(contents: String)
    case ask(Answer)
    case either(Strategy, otherwise: Strategy)
  }

  /// A person's answer to a question.
  enum Answer: Equatable, Sendable {
    case contents(String)
    case keep(contents: String)
    case acceptProposal
    case skip
  }

  /// An expectation.
  enum Claim: Equatable, Sendable {
    case storesAreSound
    case document(Subject, Fact)
    /// Devices agree with each other about a document.
    case agreement(Subject, Agreement)
  }

  /// The documents that a claim is about.
  enum Subject: Equatable, Sendable {
    case document(String)
    case some
    case every
  }

  /// The subject of an agreement between devices.
  enum Agreement: Equatable, Sendable {
    case contents
    case currentVersion
  }

  /// A fact about a document on one device.
  enum Fact: Equatable, Sendable {
    case conflicts(Int)
    case versions(Int)
    case lists(Int)
    case equals(String)
    case isCurrent(contents: String)
    case conflictsWith([String])
    case keeps([String], by: String?)
    case keepsNone(of: [String])
    case note(String)
    case exists(Bool)
    case state(String)
    case isNotDownloaded
    case inApp(OpenFact)
  }
}
