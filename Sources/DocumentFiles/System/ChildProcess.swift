internal import CFileSystem
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A program to start as a child process.
package struct ChildProcess {
  /// The arguments, beginning with the program itself; without a slash, it is searched for as in a shell.
  package var arguments: [String]
  package var environment: [String: String]
  /// The files that are open in the child, by descriptor.
  ///
  /// The child shares standard input and the outputs with this program if they are not among these, and
  /// nothing else.
  package var files: [Int32: (path: String, flags: Int32)] = [:]
  /// Descriptors of this program that are open in the child, by the child's descriptors.
  package var descriptors: [Int32: Int32] = [:]
  /// The bytes on its standard input; `nil` to share the input of this program.
  package var input: [UInt8]?
  /// True if the child gets its own process group, so that everything that it starts can be ended with it.
  package var hasOwnGroup = false

  package init(_ arguments: [String], environment: [String: String]) {
    self.arguments = arguments
    self.environment = environment
  }

  /// The reason why a program couldn't be started.
  package struct StartError: Error {
    /// The reason in the system's words.
    package let reason: String

    init(_ cause: Errno) {
      reason = cause.description
    }
  }

  /// Starts the program.
  ///
  /// - Parameter program: its path, if that isn't the first argument.
  /// - Returns: the process identifier.
  package func start(_ program: String? = nil) throws(StartError) -> Int32 {
    #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #else
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var pipe: Int32?
    defer { if let pipe { close(pipe) } }
    if let input {
      let end = try Self.pipe(holding: input)
      pipe = end
      posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
    }
    for (number, file) in files {
      posix_spawn_file_actions_addopen(&actions, number, file.path, file.flags, 0o600)
    }
    for (number, descriptor) in descriptors {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    let last = (Array(files.keys) + Array(descriptors.keys)).reduce(STDERR_FILENO, max)
    docversions_close_others(&actions, last + 1)
    // The child must react to signals that this program waits for or ignores.
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ignored = sigset_t()
    sigemptyset(&ignored)
    for number in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, number) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    if hasOwnGroup {
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process = pid_t()
    let error = posix_spawnp(
      &process, program ?? arguments[0], &actions, &attributes, &words, &variables)
    guard error == 0 else { throw StartError(Errno(rawValue: error)) }
    return process
  }

  /// Runs the program until it ends.
  ///
  /// - Returns: its standard output; `nil` if it failed.
  package func output() throws(StartError) -> String? {
    let ends = try Self.pipe()
    defer { close(ends[0]) }
    let process: Int32
    do {
      defer { close(ends[1]) }
      var child = self
      child.descriptors[STDOUT_FILENO] = ends[1]
      process = try child.start()
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count < 0, Errno.current == .interrupted { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return Self.exitCode(of: process) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Returns the ends of a new pipe, which children don't inherit: to read from, and to write to.
  private static func pipe() throws(StartError) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
    let result = Glibc.pipe(&ends)
    #else
    let result = Darwin.pipe(&ends)
    #endif
    guard result == 0 else { throw StartError(.current) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// Returns the end of a pipe from which a few bytes can be read.
  private static func pipe(holding bytes: [UInt8]) throws(StartError) -> Int32 {
    let ends = try pipe()
    defer { close(ends[1]) }
    // A pipe has room for this many bytes, so the write doesn't wait for a reader.
    guard bytes.count <= 4_096, write(ends[1], bytes, bytes.count) == bytes.count else {
      close(ends[0])
      throw StartError(.invalidArgument)
    }
    return ends[0]
  }

  /// Asks a process to end, and kills it if it has not ended after two seconds.
  package static func end(_ process: Int32) {
    kill(process, SIGTERM)
    for _ in 0..<200 {
      if waitpid(process, nil, WNOHANG) != 0 { return }
      Threads.sleep(seconds: 0.01)
    }
    kill(process, SIGKILL)
    _ = exitCode(of: process)
  }

  /// Waits until a process has ended.
  ///
  /// - Returns: its exit code; `nil` if a signal ended it.
  package static func exitCode(of process: Int32) -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard Errno.current == .interrupted else { return nil }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }
}
