/// Parsing of deeds.
extension ScenarioParser {
  /// A verb in the third person and in the form that follows "cannot".
  struct Verb: Sendable {
    let thirdPerson: String
    let infinitive: String
    let object: @Sendable (ScenarioParser, inout ScenarioWords) throws -> ScenarioStep.Deed

    init(
      _ infinitive: String, thirdPerson: String? = nil,
      object: @escaping @Sendable (ScenarioParser, inout ScenarioWords) throws -> ScenarioStep.Deed
    ) {
      self.infinitive = infinitive
      self.thirdPerson = thirdPerson ?? infinitive + "s"
      self.object = object
    }
  }

  /// Reads a deed from its verb on.
  func deed(
    _ words: inout ScenarioWords, as form: (Verb) -> String
  ) throws -> ScenarioStep.Deed {
    guard let verb = Self.verbs.first(where: { words.peek == form($0) }) else {
      let verbs = Self.verbs.map(form).joined(separator: ", ")
      throw words.unexpected("a verb (\(verbs))")
    }
    _ = try words.name("a verb")
    return try verb.object(self, &words)
  }

  static let verbs: [Verb] = [
    Verb("edit") { parser, words in
      let document = try parser.document(&words)
      try words.require("to")
      return .edit(document, contents: try parser.contents(&words))
    },
    Verb("save") { parser, words in
      .save(
        try parser.document(&words),
        contents: words.take("from") ? try parser.contents(&words) : nil,
        base: try parser.base(&words),
        note: words.take("with", "note") ? try words.name("the note") : nil)
    },
    Verb("resolve") { parser, words in
      let document = try parser.document(&words)
      try words.require("by")
      return .resolve(document, try parser.strategy(&words))
    },
    Verb("restore") { parser, words in
      let document = try parser.document(&words)
      try words.require("to")
      return .restore(document, contents: try parser.contents(&words))
    },
    Verb("remove") { parser, words in
      if words.take("other") {
        try words.require("versions", "of")
        return .removeOthers(of: try parser.document(&words))
      }
      guard words.take("version") else { throw words.unexpected("“version” or “other versions”") }
      let contents = try parser.contents(&words)
      try words.require("of")
      return .removeVersion(contents: contents, of: try parser.document(&words))
    },
    Verb("mark") { parser, words in
      let contents = try parser.contents(&words)
      try words.require("of")
      let document = try parser.document(&words)
      try words.require("as", "resolved")
      return .markResolved(contents: contents, of: document)
    },
    Verb("delete") { parser, words in .delete(try parser.document(&words)) },
    Verb("rename") { parser, words in
      let document = try parser.document(&words)
      try words.require("to")
      return .rename(document, to: try parser.document(&words, "the new name"))
    },
    Verb("undo", thirdPerson: "undoes") { parser, words in
      words.take("typing", "in")
        ? .undoTyping(try parser.document(&words)) : .undo(try parser.document(&words))
    },
    Verb("thin") { parser, words in
      let document = try parser.document(&words)
      try words.require("keeping")
      return .thin(document, last: try words.number("a number"))
    },
    Verb("undelete") { parser, words in
      try words.require("versions", "of")
      return .undelete(of: try parser.document(&words))
    },
    Verb("pin") { parser, words in
      let (contents, document) = try parser.version(&words)
      return .pin(contents: contents, of: document)
    },
    Verb("unpin") { parser, words in
      let (contents, document) = try parser.version(&words)
      return .unpin(contents: contents, of: document)
    },
    Verb("import") { parser, words in
      try words.require("copy")
      let copy = try parser.contents(&words)
      try words.require("of")
      return .importCopy(copy, of: try parser.document(&words), base: try parser.base(&words))
    },
    Verb("open") { parser, words in .open(try parser.document(&words)) },
    Verb("create") { parser, words in
      words.take("a", "new")
        ? .createNumbered(try parser.document(&words)) : .create(try parser.document(&words))
    },
    Verb("type") { parser, words in
      let contents = try parser.contents(&words)
      try words.require("into")
      return .type(contents: contents, into: try parser.document(&words))
    },
    Verb("redo", thirdPerson: "redoes") { parser, words in
      try words.require("typing", "in")
      return .redoTyping(try parser.document(&words))
    },
    Verb("revert") { parser, words in .revert(try parser.document(&words)) },
    Verb("close") { parser, words in .close(try parser.document(&words)) },
    Verb("wait") { parser, words in .wait(seconds: try parser.duration(&words)) },
    Verb("exchange") { _, _ in .exchange },
    Verb("list") { _, words in
      try words.require("new", "documents")
      return .listNewDocuments(true)
    },
    Verb("get") { _, words in
      try words.require("new", "documents")
      return .listNewDocuments(false)
    },
    Verb("download") { parser, words in .download(try parser.document(&words)) },
    Verb("evict") { parser, words in .evict(try parser.document(&words)) },
    Verb("go", thirdPerson: "goes") { _, words in
      try words.require("offline")
      return .goOffline
    },
    Verb("come") { _, words in
      try words.require("online")
      return .comeOnline
    },
  ]

  private func version(
    _ words: inout ScenarioWords
  ) throws -> (contents: String, document: String) {
    try words.require("version")
    let contents = try contents(&words)
    try words.require("of")
    return (contents, try document(&words))
  }

  private func base(_ words: inout ScenarioWords) throws -> String? {
    words.take("based", "on") ? try contents(&words) : nil
  }

  // MARK: Strategies

  private func strategy(_ words: inout ScenarioWords) throws -> ScenarioStep.Strategy {
    let first = try oneStrategy(&words)
    return words.take("else") ? .either(first, otherwise: try strategy(&words)) : first
  }

  private func oneStrategy(_ words: inout ScenarioWords) throws -> ScenarioStep.Strategy {
    if words.take("latest") { return .latest }
    if words.take("merge") { return .merge }
    if words.take("keeping") { return .keep(contents: try contents(&words)) }
    guard words.take("asking") else {
      throw words.unexpected("“latest”, “merge”, “keeping” or “asking”")
    }
    guard words.take("to") else { return .ask(.contents(try contents(&words))) }
    if words.take("keep") { return .ask(.keep(contents: try contents(&words))) }
    if words.take("accept") { return .ask(.acceptProposal) }
    guard words.take("skip") else { throw words.unexpected("“keep”, “accept” or “skip”") }
    return .ask(.skip)
  }
}
