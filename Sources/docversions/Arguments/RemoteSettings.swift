internal import DocumentVersions
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// How the program reaches git servers: by what git's own settings in the environment and its credential helpers say.
enum RemoteSettings {
  /// - Parameter isJSON: true for a program that answers programs: then nothing is asked.
  static func access(isJSON: Bool) -> RemoteAccess {
    let environment = ProcessInfo.processInfo.environment
    func value(_ names: String...) -> String? {
      names.lazy.compactMap(Settings.variable).first { _ in true }
    }
    var access = RemoteAccess()
    access.environment = environment
    access.asksOnTerminal = !isJSON && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0
    if let command = value("DOCVERSIONS_SSH", "GIT_SSH_COMMAND") {
      // Several words, as git has it: a shell takes them apart.
      access.sshCommand = ["sh", "-c", "\(command) \"$@\"", "ssh"]
    } else if let program = value("GIT_SSH") {
      access.sshCommand = [program]
    }
    access.certificates = value("DOCVERSIONS_CA", "GIT_SSL_CAINFO", "SSL_CERT_FILE").map {
      URL(filePath: $0)
    }
    access.proxy = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") ?? ""
    access.withoutProxy = value("no_proxy", "NO_PROXY") ?? ""
    let helper = CredentialHelper(environment: environment, isAsking: access.asksOnTerminal)
    access.credential = { request in helper.fill(request) }
    access.credentialResult = { request, credential, isTaken in
      helper.report(credential, for: request, isTaken: isTaken)
    }
    return access
  }
}

/// Git's credential helpers, and its questions on a terminal (`git credential`).
private struct CredentialHelper: Sendable {
  let environment: [String: String]
  let isAsking: Bool

  /// The name and password for a server; nil where no helper knows one, and none was typed.
  func fill(_ request: CredentialRequest) -> Credential? {
    guard let answer = run("fill", request.lines) else { return nil }
    var values: [Substring: String] = [:]
    for line in answer.split(separator: "\n") {
      let words = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2 { values[words[0]] = String(words[1]) }
    }
    guard let user = values["username"], let password = values["password"] else { return nil }
    return Credential(user: user, password: password)
  }

  /// Tells the helpers to keep a password that was right, or to forget one that was wrong.
  func report(_ credential: Credential, for request: CredentialRequest, isTaken: Bool) {
    let lines = request.lines.filter { !$0.hasPrefix("username=") }
    _ = run(
      isTaken ? "approve" : "reject",
      lines + ["username=\(credential.user)", "password=\(credential.password)"])
  }

  /// - Returns: the answer; nil where git failed or is not there.
  private func run(_ action: String, _ lines: [String]) -> String? {
    // A line break in a value would be another value.
    guard lines.allSatisfy({ !$0.utf8.contains(10) && !$0.utf8.contains(0) }) else { return nil }
    var variables = environment
    if !isAsking { variables["GIT_TERMINAL_PROMPT"] = "0" }
    var child = ChildProcess(["git", "credential", action], environment: variables)
    child.input = Array((lines.joined(separator: "\n") + "\n\n").utf8)
    do { return try child.output(of: "git") } catch { return nil }
  }
}

extension CredentialRequest {
  /// The request as git's helpers read it.
  fileprivate var lines: [String] {
    ["protocol=\(scheme)", "host=\(host)", "path=\(path)"]
      + (user.map { ["username=\($0)"] } ?? [])
  }
}
