internal import DocumentVersions
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The program's access to git servers, from git's settings in the environment and its credential helpers.
enum RemoteSettings {
  /// - Parameter isJSON: whether a program reads the answer; then no questions are asked.
  static func access(isJSON: Bool) -> RemoteAccess {
    let environment = ProcessInfo.processInfo.environment
    func value(_ names: String...) -> String? {
      names.lazy.compactMap(Settings.variable).first { _ in true }
    }
    var access = RemoteAccess()
    access.environment = environment
    access.asksOnTerminal = !isJSON && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0
    if let command = value("DOCVERSIONS_SSH", "GIT_SSH_COMMAND") {
      // As in git, the command may have several words, which a shell splits.
      access.sshCommand = ["sh", "-c", "\(command) \"$@\"", "ssh"]
    } else if let program = value("GIT_SSH") {
      access.sshCommand = [program]
    }
    access.certificates = value("DOCVERSIONS_CA", "GIT_SSL_CAINFO", "SSL_CERT_FILE").map {
      URL(filePath: $0)
    }
    access.proxy = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") ?? ""
    access.withoutProxy = value("no_proxy", "NO_PROXY") ?? ""
    let source = CredentialSource(environment: environment, isAsking: access.asksOnTerminal)
    access.credential = { try source.credential(for: $0) }
    access.credentialResult = { request, credential, isTaken in
      source.report(credential, for: request, isTaken: isTaken)
    }
    return access
  }
}

/// The source of names and passwords for web servers: git's credential helpers (`git credential`), and a
/// person at the terminal.
///
/// Typed credentials are kept only until the program ends; helpers store them if they are set up to.
private final class CredentialSource: Sendable {
  private let environment: [String: String]
  private let isAsking: Bool
  private let state = Mutex(State())

  private struct State {
    /// The credentials that weren't refused.
    var known: [CredentialRequest: Credential] = [:]
    /// The servers that refused one.
    var refusing: Set<CredentialRequest> = []
  }

  /// - Parameter isAsking: whether a person is at the terminal.
  init(environment: [String: String], isAsking: Bool) {
    self.environment = environment
    self.isAsking = isAsking
  }

  /// Returns the name and password for a server; `nil` if every known one was refused.
  ///
  /// - Throws: ``CommandFailure`` if none is known and there is no terminal to ask at.
  func credential(for request: CredentialRequest) throws -> Credential? {
    if let known = state.withLock({ $0.known[request] }) { return known }
    let isAgain = state.withLock { $0.refusing.contains(request) }
    let found =
      helpersAnswer(to: request) ?? (isAsking ? SignInQuestion.ask(request, again: isAgain) : nil)
    if let found {
      state.withLock { $0.known[request] = found }
    } else if Signals.isStopping {
      throw CancellationError()
    } else if !isAsking, !state.withLock({ $0.refusing.contains(request) }) {
      throw CommandFailure(
        .remoteRefused, code: VersionError.Code.remoteRefused.rawValue,
        "“\(Printable.text(request.host))” requires a name and a password, and there is no terminal to ask on.",
        hint:
          "Give them to a credential helper of git (git help credentials), or run this at a terminal."
      )
    }
    return found
  }

  /// Records whether a server accepted a name and password; the helpers store correct ones, and forget wrong
  /// ones.
  func report(_ credential: Credential, for request: CredentialRequest, isTaken: Bool) {
    if !isTaken {
      state.withLock { state in
        state.known[request] = nil
        state.refusing.insert(request)
      }
    }
    let lines = request.lines.filter { !$0.hasPrefix("username=") }
    _ = run(
      isTaken ? "approve" : "reject",
      lines + ["username=\(credential.user)", "password=\(credential.password)"])
  }

  private func helpersAnswer(to request: CredentialRequest) -> Credential? {
    guard let answer = run("fill", request.lines) else { return nil }
    var values: [Substring: String] = [:]
    for line in answer.split(separator: "\n") {
      let words = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2 { values[words[0]] = String(words[1]) }
    }
    guard let user = values["username"], let password = values["password"] else { return nil }
    return Credential(user: user, password: password)
  }

  /// - Returns: the answer; `nil` if git failed or isn't installed.
  private func run(_ action: String, _ lines: [String]) -> String? {
    // A line break in a value would be another value.
    guard lines.allSatisfy({ !$0.utf8.contains(10) && !$0.utf8.contains(0) }) else { return nil }
    var variables = environment
    variables["GIT_TERMINAL_PROMPT"] = "0"
    var child = ChildProcess(["git", "credential", action], environment: variables)
    child.input = Array((lines.joined(separator: "\n") + "\n\n").utf8)
    // It complains that it may not ask.
    child.files[STDERR_FILENO] = ("/dev/null", O_WRONLY)
    do { return try child.output() } catch { return nil }
  }
}

extension CredentialRequest {
  /// The request as git's helpers read it.
  fileprivate var lines: [String] {
    ["protocol=\(scheme)", "host=\(host)", "path=\(path)"]
      + (user.map { ["username=\($0)"] } ?? [])
  }
}
