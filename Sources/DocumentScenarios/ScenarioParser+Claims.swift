/// Parsing of claims.
extension ScenarioParser {
  /// Reads a claim, up to the devices that it concerns.
  func claim(_ words: inout ScenarioWords) throws -> ScenarioStep.Claim {
    if words.take("stores", "are", "sound") { return .storesAreSound }
    let subject = try subject(&words)
    if words.take("is", "the", "same") { return .agreement(subject, .contents) }
    if words.take("has", "the", "same", "current", "version") {
      return .agreement(subject, .currentVersion)
    }
    return .document(subject, try fact(&words))
  }

  private func subject(_ words: inout ScenarioWords) throws -> ScenarioStep.Subject {
    if words.take("every", "document") { return .every }
    if words.take("some", "document") { return .some }
    return .document(try document(&words))
  }

  private func fact(_ words: inout ScenarioWords) throws -> ScenarioStep.Fact {
    if let fact = try openFact(&words) { return .inApp(fact) }
    if words.take("has", "the", "note") { return .note(try words.name("the note")) }
    if words.take("has") { return try count(&words) }
    if words.take("lists") {
      let count = try words.number("a number")
      guard words.take("version") || words.take("versions") else {
        throw words.unexpected("“versions”")
      }
      return .lists(count)
    }
    if words.take("equals") { return .equals(try contents(&words)) }
    if words.take("keeps") { return try kept(&words) }
    if words.take("exists") { return .exists(true) }
    if words.take("does", "not", "exist") { return .exists(false) }
    guard words.take("is") else {
      throw words.unexpected(
        """
        “has”, “lists”, “equals”, “keeps”, “is”, “exists”, “does not exist”, “shows”, “can”, “cannot” or “was loaded”
        """)
    }
    if words.take("not", "downloaded") { return .isNotDownloaded }
    if words.take("current", "from") { return .isCurrent(contents: try contents(&words)) }
    if words.take("in", "conflict", "with") { return .conflictsWith(try contentsList(&words)) }
    let states = ["unchanged", "edited", "deleted", "missing", "unsaved"]
    guard let state = words.peek, states.contains(state) else {
      throw words.unexpected(
        "“the same”, “current from”, “in conflict with”, “not downloaded” or a state (\(states.joined(separator: ", ")))"
      )
    }
    return .state(try words.name("a state"))
  }

  /// Reads a fact about a document in an app; `nil` for all others.
  private func openFact(_ words: inout ScenarioWords) throws -> ScenarioStep.OpenFact? {
    if words.take("is", "open") { return .isOpen(true) }
    if words.take("is", "closed") { return .isOpen(false) }
    if words.take("has", "unsaved", "changes") { return .hasUnsavedChanges(true) }
    if words.take("has", "no", "unsaved", "changes") { return .hasUnsavedChanges(false) }
    if words.take("shows", "a", "conflict") { return .showsConflict(true) }
    if words.take("shows", "no", "conflict") { return .showsConflict(false) }
    if words.take("shows", "a", "saving", "error") { return .showsSavingError(true) }
    if words.take("shows", "no", "saving", "error") { return .showsSavingError(false) }
    if words.take("shows") { return .shows(try contents(&words)) }
    if words.take("can", "undo") { return .canUndo(true) }
    if words.take("cannot", "undo") { return .canUndo(false) }
    if words.take("can", "redo") { return .canRedo(true) }
    if words.take("cannot", "redo") { return .canRedo(false) }
    guard words.take("was", "loaded") else { return nil }
    let count = try words.number("a number")
    guard words.take("time") || words.take("times") else { throw words.unexpected("“times”") }
    return .wasLoaded(times: count)
  }

  private func count(_ words: inout ScenarioWords) throws -> ScenarioStep.Fact {
    let count = try words.number("a number, “the note” or “the same current version”")
    if words.take("conflict") || words.take("conflicts") { return .conflicts(count) }
    if words.take("version") || words.take("versions") { return .versions(count) }
    throw words.unexpected("“conflicts” or “versions”")
  }

  private func kept(_ words: inout ScenarioWords) throws -> ScenarioStep.Fact {
    let isNone = words.take("no")
    guard words.take("versions") || words.take("version") else {
      throw words.unexpected("“versions”")
    }
    try words.require("from")
    let files = try contentsList(&words)
    if isNone { return .keepsNone(of: files) }
    return .keeps(files, by: words.take("by") ? try known(words.name("a device")) : nil)
  }

  private func contentsList(_ words: inout ScenarioWords) throws -> [String] {
    var files = [try contents(&words)]
    while words.take(",") { files.append(try contents(&words)) }
    return files
  }
}
