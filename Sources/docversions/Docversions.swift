internal import DocumentVersions
internal import Foundation

/// The program.
@main
enum Docversions {
  /// Runs the command, and tells every failure in the same way.
  static func main() {
    Signals.prepare()
    let status = MainCommand.run(Array(CommandLine.arguments.dropFirst()))
    finishMaintenance(after: status)
    Foundation.exit(status.rawValue)
  }

  /// Ends what a command has left to be done, now that it has told what it did; a signal gives it up.
  private static func finishMaintenance(after status: ExitStatus) {
    let progress = OperationProgress()
    do { try Signals.beginCancellable(progress, after: status) } catch { progress.cancel() }
    SynchronousStore.waitForMaintenance(progress)
    Signals.endCancellable()
  }
}
