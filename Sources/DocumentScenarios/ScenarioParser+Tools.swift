/// Parsing of the deeds of a program that coordinates its accesses.
extension ScenarioParser {
  /// Reads an event after "mira's tool".
  func toolEvent(_ words: inout ScenarioWords, of device: String) throws -> ScenarioStep.Event {
    guard words.take("cannot") else {
      return .deed(.byTool(try toolDeed(&words, isRefused: false)), by: device)
    }
    let deed = try toolDeed(&words, isRefused: true)
    let code = words.take("because") ? try words.name("a code") : nil
    return .refusal(.byTool(deed), by: device, code: code)
  }

  private func toolDeed(
    _ words: inout ScenarioWords, isRefused: Bool
  ) throws -> ScenarioStep.ToolDeed {
    func take(_ infinitive: String, _ rest: String...) -> Bool {
      let verb = isRefused ? infinitive : infinitive + "s"
      guard words.peek == verb else { return false }
      var ahead = words
      guard ahead.take(verb), rest.allSatisfy({ ahead.take($0) }) else { return false }
      words = ahead
      return true
    }
    if take("read") {
      let document = try document(&words)
      return .read(document, contents: words.take("as") ? try contents(&words) : nil)
    }
    if take("write") {
      let document = try document(&words)
      try words.require("from")
      return .write(document, contents: try contents(&words))
    }
    if take("take", "over") {
      let document = try document(&words)
      try words.require("with")
      return .takeOver(document, contents: try contents(&words))
    }
    if take("delete") { return .delete(try document(&words)) }
    if take("rename") {
      let document = try document(&words)
      try words.require("to")
      return .rename(document, to: try self.document(&words, "the new name"))
    }
    if take("hold") { return .hold(try document(&words)) }
    if take("let", "go") { return .letGo }
    if words.take("crashes") { return .crash }
    throw words.unexpected(
      "“reads”, “writes”, “takes over”, “deletes”, “renames”, “holds”, “lets go” or “crashes”")
  }
}
