internal import DocumentVersions
internal import Foundation

/// The program's entry point.
@main
enum Docversions {
  /// Runs the command, and ends with its exit code.
  static func main() {
    Signals.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    // Open documents in a story belong to the main actor, which only the first thread serves.
    if arguments.first == ReplayCommand.name, Threads.detach({ run(arguments) }) { dispatchMain() }
    run(arguments)
  }

  private static func run(_ arguments: [String]) -> Never {
    let status = MainCommand.run(arguments)
    Pager.end()
    finishMaintenance(after: status)
    Foundation.exit(status.rawValue)
  }

  /// Finishes the maintenance that a command started, after its report; a signal stops it.
  private static func finishMaintenance(after status: ExitStatus) {
    let progress = OperationProgress()
    do { try Signals.beginCancellable(progress, after: status) } catch { progress.cancel() }
    SynchronousStore.waitForMaintenance(progress)
    Signals.endCancellable()
  }
}
