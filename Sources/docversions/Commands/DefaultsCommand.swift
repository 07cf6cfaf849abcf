internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Reads and sets the settings of a folder of documents, which follow it to each device.
struct DefaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "Read and set small values that travel with a folder of documents to each device.",
    discussion: """
      The values are in one hidden document of the folder, so they travel with its documents. If two devices set the \
      same key, the later version counts. There may be \(KeyValueStore.maximumKeyCount) keys of \
      \(KeyValueStore.maximumKeyLength) bytes and \(KeyValueStore.maximumSize) bytes of values.
      """,
    subcommands: [Get.self, Set.self, List.self, Remove.self])

  /// The folder, and how to answer.
  struct FolderOptions: ParsableArguments {
    @OptionGroup var place: FolderOption

    @OptionGroup var output: OutputOptions

    /// Does something with the values.
    func run(_ body: @escaping @Sendable (KeyValueStore) async throws -> Void) throws {
      let store = try output.store()
      try place.folder?.refuseUnlessFolder()
      guard let container = try store.container(around: place.url) else {
        throw CommandFailure(
          .refused, code: VersionError.Code.noVersions.rawValue,
          "No documents are kept here, and so no settings.",
          hint: "Make it a folder of documents:  docversions container init")
      }
      try AsyncWork.wait {
        try await body(KeyValueStore(in: container, store: VersionStore(store)))
      }
    }
  }

  /// Writes a value.
  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Write the value of a key.",
      discussion: """
        A string is written literally, on a terminal without control characters, and everything else as JSON. Without \
        a value, the command fails.

        JSON: {"key", "value"}.
        """)

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var options: FolderOptions

    func run() throws {
      try options.run { [key, isJSON = options.output.isJSON] values in
        guard let value = values.value(forKey: key) else {
          throw CommandFailure(
            .notFound, code: "no-such-key", "There is no value for “\(Printable.text(key))”.")
        }
        try Console.answer(
          KeyValueReport(key: key, value: value), asJSON: isJSON,
          [Console.isTerminal ? Printable.text(KeyValueText.text(value)) : KeyValueText.text(value)]
        )
      }
    }
  }

  /// Sets a value.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Set the value of a key.",
      discussion: """
        A value in the form of a JSON number, true, false, list or object has that type; any other value is a \
        string, and so is an integer of more than 64 bits.

        JSON: {"key", "value"}.
        """)

    @Argument(help: "The key.")
    var key: String

    @Argument(help: "The value.")
    var value: String

    @Flag(name: .customLong("string"), help: "Treat the value as a string, whatever it looks like.")
    var isString = false

    @OptionGroup var options: FolderOptions

    func run() throws {
      let value = isString ? .string(value) : KeyValueText.value(value)
      try options.run { [key, isJSON = options.output.isJSON] values in
        try values.set(value, forKey: key)
        try await values.synchronize()
        if isJSON { try Console.print(json: KeyValueReport(key: key, value: value)) }
      }
    }
  }

  /// Lists all values.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all keys with their values.",
      discussion: """
        JSON: {"values": {…}}.
        """)

    @OptionGroup var options: FolderOptions

    func run() throws {
      try options.run { [isJSON = options.output.isJSON] values in
        let all = values.dictionaryRepresentation
        try Console.answer(
          ["values": all], asJSON: isJSON, KeyValueText.lines(all))
      }
    }
  }

  /// Removes a value.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove the value of a key.",
      discussion: """
        JSON: {"key", "value"}: the value is null.
        """)

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var options: FolderOptions

    func run() throws {
      try options.run { [key, isJSON = options.output.isJSON] values in
        guard values.value(forKey: key) != nil else {
          throw CommandFailure(
            .notFound, code: "no-such-key", "There is no value for “\(Printable.text(key))”.")
        }
        values.removeValue(forKey: key)
        try await values.synchronize()
        if isJSON { try Console.print(json: KeyValueReport(key: key, value: nil)) }
      }
    }
  }
}
