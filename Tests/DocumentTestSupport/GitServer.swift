internal import DocumentFiles
package import Foundation

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A real git server on this machine: git's own daemon, OpenSSH's, or lighttpd with git's program for web servers.
///
/// It serves the repositories in its own folder, on a free port, and ends with the last reference to it.
package final class GitServer: Sendable {
  /// The program between this device and git.
  package enum Kind: String, Sendable, CaseIterable {
    case git, ssh, https

    /// The kinds that this machine can run; if programs may not change their root folder, OpenSSH's server
    /// admits no device.
    package static let available = allCases.filter { $0 != .ssh || shellFailure == nil }

    /// The reason why OpenSSH's server doesn't run here; nil if it does.
    package static let shellFailure: String? = {
      do {
        _ = try GitServer(.ssh)
        return nil
      } catch let failure as NotStarted {
        return failure.reason
      } catch {
        return "\(error)"
      }
    }()
  }

  package let kind: Kind
  package let port: Int
  private let scratch: ScratchFolder
  private let process: RunningProgram

  /// The name and password that the web server requires.
  package static let user = "anna"
  package static let password = "s3cret: with a colon"

  /// Starts a server.
  ///
  /// - Parameter mostBlocks: the largest file that it may write, in blocks of 512 or 1024 bytes, as on a disk that is nearly
  ///   full; nil for no limit. For `git` only.
  package init(_ kind: Kind, mostBlocks: Int? = nil) throws {
    self.kind = kind
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(at: scratch["srv"], withIntermediateDirectories: false)
    port = try Loopback.freePort()
    let root = scratch.url.path(percentEncoded: false)
    let command: [String]
    switch kind {
    case .git:
      let daemon =
        "exec /usr/lib/git-core/git-daemon --base-path='\(root)srv' --export-all --enable=receive-pack --max-connections=0 --listen=127.0.0.1 --port=\(port)"
      command = ["/bin/sh", "-c", (mostBlocks.map { "ulimit -f \($0); " } ?? "") + daemon]
    case .ssh: command = try Self.prepareShell(in: scratch, port: port)
    case .https: command = try Self.prepareWeb(in: scratch, port: port)
    }
    process = try RunningProgram(
      command[0], Array(command.dropFirst()), in: scratch.url,
      environment: ["PATH": "/usr/sbin:/usr/local/bin:/usr/bin:/bin", "HOME": root])
    let (port, process) = (port, process)
    let hasStarted = eventually { Loopback.isOpen(port) || process.hasEnded }
    guard hasStarted, !process.hasEnded else { throw try notStarted("It does not listen.") }
    if kind == .ssh { try logIn() }
  }

  /// Runs a command without output on the server, as a device would.
  private func logIn() throws {
    let options = ["-p", "\(port)", "-oBatchMode=yes", "-oConnectTimeout=240", "127.0.0.1", "true"]
    let result = try Command.run(sshCommand[0], sshCommand.dropFirst() + options)
    guard result.exitCode == 0, result.output.isEmpty else {
      throw try notStarted("It lets no device in: \(result.errorOutput)\(result.output)")
    }
  }

  /// Returns an error with the server's output.
  private func notStarted(_ reason: String) throws -> NotStarted {
    process.kill()
    let result = try process.wait()
    return NotStarted(reason: "\(reason)\n\(result.errorOutput)\n\(result.output)")
  }

  /// The reason why a server did not start.
  package struct NotStarted: Error {
    package let reason: String
  }

  // MARK: Repositories

  /// The folder of a repository on the server.
  package func folder(_ name: String) -> URL { scratch["srv/\(name).git"] }

  /// Makes an empty repository.
  ///
  /// - Returns: its address.
  @discardableResult
  package func makeRepository(_ name: String) throws -> String {
    try git(["init", "-q", "--bare", folder(name).path])
    try git(["-C", folder(name).path, "config", "http.receivepack", "true"])
    return address(of: name)
  }

  /// Runs git on the server.
  @discardableResult
  package func git(_ arguments: [String]) throws -> String {
    let result = try Command.run("git", ["-c", "safe.directory=*"] + arguments)
    guard result.exitCode == 0 else { throw NotStarted(reason: result.errorOutput) }
    return result.output
  }

  /// The address of a repository.
  ///
  /// - Parameter port: another port at which the server can be reached.
  package func address(of name: String, port: Int? = nil) -> String {
    let port = port ?? self.port
    return switch kind {
    case .git: "git://127.0.0.1:\(port)/\(name).git"
    case .ssh: "ssh://\(NSUserName())@127.0.0.1:\(port)\(folder(name).path)"
    case .https: "https://localhost:\(port)/git/\(name).git"
    }
  }

  // MARK: What a device needs

  /// The ssh command with which the server admits a device.
  package var sshCommand: [String] {
    let root = scratch.url.path(percentEncoded: false)
    return [
      "ssh", "-F", "none", "-i", "\(root)user", "-oIdentitiesOnly=yes",
      "-oUserKnownHostsFile=\(root)known_hosts", "-oNoHostAuthenticationForLocalhost=no",
    ]
  }

  /// The certificate of the authority that vouches for the web server.
  package var certificates: URL { scratch["ca.pem"] }

  private static func prepareShell(in scratch: ScratchFolder, port: Int) throws -> [String] {
    let root = scratch.url.path(percentEncoded: false)
    for name in ["host", "user"] {
      try run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", root + name])
    }
    try FileManager.default.copyItem(at: scratch["user.pub"], to: scratch["authorized_keys"])
    let key = try scratch.read("host.pub")
    // With `SHLVL`, bash doesn't read the account's settings, which may produce output.
    try scratch.write("[127.0.0.1]:\(port) \(key)", to: "known_hosts")
    try scratch.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(root)host
      AuthorizedKeysFile \(root)authorized_keys
      PidFile \(root)pid
      StrictModes no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      UsePAM no
      MaxStartups 100
      SetEnv SHLVL=1
      """ + "\n", to: "sshd_config")
    // The server's separate process requires an empty folder.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    return ["/usr/sbin/sshd", "-D", "-e", "-f", "\(root)sshd_config"]
  }

  private static func prepareWeb(in scratch: ScratchFolder, port: Int) throws -> [String] {
    let root = scratch.url.path(percentEncoded: false)
    try run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", root + "ca.key", "-out",
        root + "ca.pem", "-days", "30", "-subj", "/CN=Test", "-addext",
        "basicConstraints=critical,CA:TRUE",
      ])
    try run(
      "openssl",
      [
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
        root + "s.key", "-out", root + "s.csr",
        "-subj", "/CN=localhost",
      ])
    try scratch.write("subjectAltName=DNS:localhost\n", to: "names")
    try run(
      "openssl",
      [
        "x509", "-req", "-in", root + "s.csr", "-CA", root + "ca.pem", "-CAkey", root + "ca.key",
        "-CAcreateserial", "-days", "30", "-extfile", root + "names", "-out", root + "s.crt",
      ])
    try scratch.write(scratch.read("s.crt") + scratch.read("s.key"), to: "s.pem")
    try scratch.write("\(user):\(password)\n", to: "users")
    try scratch.write(
      """
      server.document-root = "\(root)srv"
      server.port = \(port)
      server.bind = "127.0.0.1"
      server.modules = ("mod_alias", "mod_setenv", "mod_auth", "mod_authn_file", "mod_cgi", "mod_openssl", "mod_redirect")
      server.max-request-size = 4096
      server.stream-request-body = 1
      ssl.engine = "enable"
      ssl.pemfile = "\(root)s.pem"
      auth.backend = "plain"
      auth.backend.plain.userfile = "\(root)users"
      url.redirect = ("^/moved/(.*)" => "/git/$1", "^/away/(.*)" => "https://127.0.0.1:1/$1")
      alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
      $HTTP["url"] =~ "^/git" {
        cgi.assign = ("" => "")
        setenv.add-environment = ("GIT_PROJECT_ROOT" => "\(root)srv", "GIT_HTTP_EXPORT_ALL" => "1",
          "GIT_CONFIG_COUNT" => "1", "GIT_CONFIG_KEY_0" => "safe.directory", "GIT_CONFIG_VALUE_0" => "*")
        auth.require = ("" => ("method" => "basic", "realm" => "git", "require" => "valid-user"))
      }
      """ + "\n", to: "lighttpd.conf")
    return ["/usr/sbin/lighttpd", "-D", "-f", root + "lighttpd.conf"]
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let result = try Command.run(program, arguments)
    guard result.exitCode == 0 else { throw NotStarted(reason: result.errorOutput) }
  }
}
