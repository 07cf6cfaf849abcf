internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// The command line of document versions.
struct MainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docversions",
    abstract: "Keep the versions of documents, and resolve their conflicts.",
    discussion: """
      A document's versions lie in the folder .docversions beside it or above it. Devices exchange them \
      through any folder or git repository that all of them can reach; independent edits become a conflict, and nothing \
      is lost.

      EXAMPLES
        docversions save trip.md -m "first plan"
        docversions log trip.md
        docversions diff trip.md
        docversions restore trip.md @{yesterday}
        docversions exchange ~/Sync/notes
        docversions remote add origin ssh://nas/notes.git
        docversions sync
        docversions watch ~/Notes
        docversions conflicts
        docversions resolve --merge trip.md
        docversions undo trip.md

      VERSIONS
        current             the current version
        7f3a2c1             the version whose identifier begins with these digits;
                            four or more
        ~2                  two versions before the current one in its own line of
                            history, without versions that were exchanged or
                            joined in, though log lists them; 7f3a2c1~1 likewise
        conflict/1          the first unresolved conflict version
        @{yesterday}        the version that was current then; also
                            @{yesterday 18:40}, @{2 days ago}, @{2026-11-20},
                            @{2026-11-20 14:30}, @{2026-11-20T14:30:00Z}; a day
                            means its end
        VERSION:MEMBER      a member of a package, for show, diff and restore
        Quote names that have a meaning in your shell: '~2', '@{2 days ago}'.

      EXIT CODES
      \(ExitStatus.table)

      ENVIRONMENT
        DOCVERSIONS_AUTHOR     the author; by default the account’s full name, or
                               else user.name of git’s settings, or the login name
        DOCVERSIONS_CONTAINER  another user’s folder that may hold your versions
        DOCVERSIONS_DEVICE     the device that saves; by default the host’s name
        DOCVERSIONS_SSH        the program for ssh
        DOCVERSIONS_CA         a file with certificates of authorities
        DOCVERSIONS_NOW        what counts as now, for trying things out
        NO_COLOR               no colours

      MORE
        docversions help COMMAND
        docversions help json        what --json answers with
        docversions --generate-completion-script bash (or zsh, fish)
      """,
    version: version,
    groupedSubcommands: groups)

  private static let version = "0.1.0"

  /// The overview for a person who typed only the program's name.
  private static let overview = """
    docversions keeps the versions of documents, and resolves their conflicts.

    In a folder of documents:
      docversions save --all          save all files of the folder as versions
      docversions status              documents to save, to resolve, to exchange
      docversions log FILE            the versions of a document
      docversions diff FILE           changes since the last version
      docversions restore FILE '~1'   go back to the previous version
      docversions undo FILE           undo that

    With other devices:
      docversions remote add origin HOST:notes.git
      docversions sync --save         save, send and receive
      docversions conflicts           which documents were edited on two devices
      docversions resolve --merge .   combine both edits if no question is left

    All commands:  docversions help
    Watch a demonstration:  docversions tour
    """

  /// All commands.
  ///
  /// They are separate from the rest, which takes time to build and is only needed for help.
  private static let groups = [
    CommandGroup(
      name: "Versions",
      subcommands: [
        SaveCommand.self, LogCommand.self, StatusCommand.self, FindCommand.self, OpenCommand.self,
        ShowCommand.self, DiffCommand.self,
        RestoreCommand.self, RemoveCommand.self, RenameCommand.self, MoveCommand.self,
        DeleteCommand.self,
        JoinCommand.self, UndoCommand.self,
      ]),
    CommandGroup(
      name: "Conflicts",
      subcommands: [
        ConflictsCommand.self, ResolveCommand.self, MarkResolvedCommand.self,
        AdoptCommand.self, ImportCopiesCommand.self, MergeCommand.self,
      ]),
    CommandGroup(
      name: "Space",
      subcommands: [
        PinCommand.self, UnpinCommand.self, ThinCommand.self, CollectCommand.self,
        UndeleteCommand.self,
      ]),
    CommandGroup(
      name: "Devices",
      subcommands: [
        ExchangeCommand.self, SyncCommand.self, CloneCommand.self, DownloadCommand.self,
        EvictCommand.self, PauseCommand.self, ResumeCommand.self, UploadCommand.self,
        RemoteCommand.self, DevicesCommand.self, ContainerCommand.self,
        DefaultsCommand.self, PresentersCommand.self, WatchCommand.self,
      ]),
    CommandGroup(name: "Types", subcommands: [TypesCommand.self]),
    CommandGroup(name: "Health", subcommands: [VerifyCommand.self, DoctorCommand.self]),
    CommandGroup(name: "Learning", subcommands: [ReplayCommand.self, TourCommand.self]),
  ]

  /// Runs the command that the arguments name, and reports every failure.
  ///
  /// - Returns: the exit status of the program.
  static func run(_ arguments: [String]) -> ExitStatus {
    let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
    do {
      try RawArguments.check()
      // Requests that need no parser don't wait for one.
      if arguments.isEmpty { return answer(overview) }
      if arguments == ["--version"] { return answer(version) }
      if arguments == ["help", "json"] { return answer(JSONHelp.text) }
      try checkCommand(in: arguments)
      try checkTimes(in: arguments)
      var command = try commandAlone(in: arguments) ?? parseAsRoot(arguments)
      try command.run()
      try Console.check()
      return .done
    } catch let status as ExitStatus {
      return status
    } catch {
      return report(error, isJSON: isJSON)
    }
  }

  /// Refuses an unknown command, for which the parser would complain about its options, or show help for all
  /// commands.
  private static func checkCommand(in arguments: [String]) throws {
    let rest = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let name = rest.first, !name.hasPrefix("-"), name != "help", command(named: name) == nil
    else { return }
    let names = groups.flatMap { $0.subcommands.compactMap { $0.configuration.commandName } }
    let nearest = CommandNames.nearest(to: name, among: names)
    throw CommandFailure(
      .usage, code: "usage", "There is no command “\(name)”.",
      hint: nearest.map { "Perhaps you mean “\($0)”:  docversions help \($0)" }
        ?? "List them:  docversions help")
  }

  /// Refuses a time of several words that the shell has split, for which the parser would complain about the
  /// rest.
  private static func checkTimes(in arguments: [String]) throws {
    let words = arguments.prefix { $0 != "--" }
    // Foundation's search in strings handles all languages, which takes time at each start.
    func isClosed(_ word: String) -> Bool { word.utf8.contains(UInt8(ascii: "}")) }
    guard let first = words.firstIndex(where: { $0.hasPrefix("@{") && !isClosed($0) }),
      let last = words[first...].dropFirst().firstIndex(where: isClosed)
    else { return }
    let time = words[first...last].joined(separator: " ")
    throw CommandFailure(
      .usage, code: "usage",
      "“\(time)” is one version, but the shell makes \(last - first + 1) words of it.",
      hint: "Quote it:  \(ShellWord.quoted(time))")
  }

  /// Returns the command that the first argument names, parsed without all the others; `nil` for help,
  /// mistakes and everything else that only the whole parser can answer.
  private static func commandAlone(in arguments: [String]) -> (any ParsableCommand)? {
    guard let name = arguments.first, let type = command(named: name) else { return nil }
    do {
      let command = try type.parseAsRoot(Array(arguments.dropFirst()))
      return Swift.type(of: command) == type ? command : nil
    } catch {
      return nil
    }
  }

  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    for group in groups {
      let found = group.subcommands.first { $0.configuration.commandName == name }
      if let found { return found }
    }
    return nil
  }

  private static func report(_ error: any Error, isJSON: Bool) -> ExitStatus {
    // Requests for help are errors to the parser, but not to the user.
    if !CommandFailure.isKnown(error), exitCode(for: error) == .success {
      return answer(fullMessage(for: error))
    }
    let failure =
      CommandFailure.isKnown(error) || exitCode(for: error) != .validationFailure
      ? CommandFailure(error)
      : CommandFailure(.usage, code: "usage", firstLine(of: error), details: usage(for: error))
    failure.report(isJSON: isJSON)
    return failure.status
  }

  /// Prints a requested text, such as help.
  private static func answer(_ text: String) -> ExitStatus {
    Console.print(text)
    do { try Console.check() } catch { return report(error, isJSON: false) }
    return .done
  }

  /// Returns the line with the mistake; the rest of the message describes the correct usage.
  private static func firstLine(of error: any Error) -> String {
    String(message(for: error).prefix { !$0.isNewline })
  }

  /// Returns the usage of the command, and where to read more.
  private static func usage(for error: any Error) -> String {
    fullMessage(for: error).split(separator: "\n").dropFirst().joined(separator: "\n")
  }
}
