internal import DocumentFiles

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A repository over ssh, with OpenSSH as a child process.
///
/// OpenSSH uses the keys, agents, proxies and known hosts that the user has configured.
final class ShellTransport: GitTransport {
  private let stream: SocketStream
  private let errors: ErrorOutput?
  private let address: RemoteAddress
  private let access: RemoteAccess
  private let program: String
  private var process: Int32?

  init(to service: GitService, of address: RemoteAddress, by access: RemoteAccess) throws {
    self.address = address
    self.access = access
    program = access.sshCommand.first ?? "ssh"
    var arguments = access.sshCommand.isEmpty ? ["ssh"] : access.sshCommand
    arguments += [
      "-T", "-oConnectTimeout=\(access.connectTimeout.waitingSeconds)", "-oServerAliveInterval=15",
    ]
    if !access.asksOnTerminal { arguments.append("-oBatchMode=yes") }
    if let port = address.port { arguments += ["-p", String(port)] }
    let host = address.user.map { "\($0)@\(address.host)" } ?? address.host
    arguments += ["--", host, "\(service.rawValue) \(Self.quoted(address.path))"]
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SocketStream.failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stream = SocketStream(adopting: ends[0], by: access)
    defer { close(ends[1]) }
    errors = access.asksOnTerminal ? nil : try ErrorOutput()
    var child = ChildProcess(arguments, environment: access.environment)
    child.descriptors = [STDIN_FILENO: ends[1], STDOUT_FILENO: ends[1]]
    if let errors { child.descriptors[STDERR_FILENO] = errors.writer }
    // Without questions at the terminal, ^C at this program's terminal must not end ssh in the middle of a step.
    child.hasOwnGroup = !access.asksOnTerminal
    do {
      process = try child.start(program)
    } catch {
      throw TransportError(
        .unavailable, "“\(program)” can’t be started: \(error.reason).",
        hint: "Install OpenSSH, or name the program to use.")
    }
    errors?.closeWriter()
  }

  deinit { end() }

  var traffic: Traffic { stream.traffic }

  func greet(_ receive: (ArraySlice<UInt8>) throws -> Bool) throws {
    while true {
      let bytes = try stream.read()
      guard !bytes.isEmpty else {
        try stopIfInterrupted()
        throw failure()
      }
      if try receive(bytes) { return }
    }
  }

  func send(_ request: GitRequest, _ receive: (ArraySlice<UInt8>) throws -> Void) throws {
    try stream.exchange(request, receive)
    // An early end doesn't count as the end of the answer.
    try stopIfInterrupted()
  }

  func leave() throws {
    try stream.write(PacketLine.flush) { _ in }
    stream.endSending()
    // The process then ends by itself, so that the other side doesn't consider the end an error.
    _ = try stream.read()
  }

  // MARK: The end

  /// Ends silently after ^C: the child process also receives the terminal's signal, and usually ends first.
  private func stopIfInterrupted() throws {
    for _ in 0..<(access.asksOnTerminal ? 5 : 1) {
      try access.checkCancellation()
      if access.asksOnTerminal { usleep(20_000) }
    }
  }

  /// Ends the program, if it is still running.
  private func end() {
    guard let process else { return }
    self.process = nil
    stream.endSending()
    ChildProcess.end(process)
  }

  /// Returns the reason why the program ended before the greeting.
  private func failure() -> TransportError {
    guard let process else { return .cut }
    self.process = nil
    let code = ChildProcess.exitCode(of: process)
    let lines = Readable.lines(errors?.read() ?? [])
    let words = lines.joined(separator: " ")
    let reason = lines.isEmpty ? "" : ": " + lines.suffix(3).joined(separator: " ")
    let host = address.host
    if words.contains("Host key verification failed")
      || words.contains("REMOTE HOST IDENTIFICATION")
    {
      let isChanged = words.contains("IDENTIFICATION HAS CHANGED")
      guard !isChanged else {
        return TransportError(
          .notTrusted,
          "The key of “\(host)” is not the known one: this may be a different computer.",
          hint: "Ask the people who run it whether its key was changed; then forget the old one "
            + "(ssh-keygen -R \(host)).")
      }
      let place = address.user.map { "\($0)@\(host)" } ?? host
      return TransportError(
        .notTrusted, "The key of “\(host)” is not known.",
        recovery: .trustHost(place, port: address.port))
    }
    if words.contains("Permission denied") {
      return TransportError(
        .signInFailed, "“\(host)” does not let you in\(reason)",
        hint: "Is your key known there, and is it loaded (ssh-add -l)?")
    }
    switch code {
    case 255?:
      return TransportError(
        .unreachable, "“\(host)” can’t be reached by ssh\(reason)",
        hint: errors == nil ? "The lines above are from ssh, and say why." : "Is there a network?")
    case 127?:
      return TransportError(
        .refused, "There is no git on “\(host)”\(reason)", hint: "Install git there.")
    case let code?:
      return TransportError(
        .noRepository,
        "“\(host)” gives no repository at “\(Readable.text(address.path))”\(lines.isEmpty ? " (exit code \(code))" : reason)"
      )
    case nil: return TransportError(.cut, "“\(program)” was ended\(reason)", hint: "Try again.")
    }
  }

  /// Returns a path quoted for the host's shell, except for a leading home folder.
  private static func quoted(_ path: String) -> String {
    let quoted = path.map { $0 == "'" || $0 == "!" ? "'\\\($0)'" : String($0) }.joined()
    guard path.hasPrefix("~"), let slash = path.firstIndex(of: "/"),
      path[..<slash].dropFirst().allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) })
    else { return "'\(quoted)'" }
    return
      "\(path[..<slash])/'\(quoted.dropFirst(path.distance(from: path.startIndex, to: slash) + 1))'"
  }
}

/// The error output of a program, whose last lines explain a failure.
private final class ErrorOutput {
  private let reader: Int32
  private(set) var writer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketStream.failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A program that writes more than a pipe holds waits until its time limit.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    closeWriter()
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// Returns all available bytes.
  func read() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      #if canImport(Glibc)
      let count = Glibc.read(reader, &buffer, buffer.count)
      #else
      let count = Darwin.read(reader, &buffer, buffer.count)
      #endif
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }
}
