internal import DocumentCoordination
internal import DocumentFiles
internal import Foundation

/// Detects possible changes of a document's file or its versions.
///
/// It observes the folder of the document, the folder of its heads, and the folders of a package. If the system doesn't
/// report every change, the monitor reports once a second.
@MainActor
final class FileMonitor {
  /// The subject of a report.
  typealias Subject = WatchedFolders.Subject

  private let report: @MainActor (Set<Subject>) async -> Void
  private var watched: WatchedFolders?
  private var place: (url: URL, isPackage: Bool)?
  private var polling: Task<Void, Never>?
  private var isOn = false
  private var due: Set<Subject> = []

  /// - Parameter report: receives all subjects reported since the last call.
  init(report: @escaping @MainActor (Set<Subject>) async -> Void) {
    self.report = report
  }

  deinit { polling?.cancel() }

  /// Observes the present folders instead of the previous ones.
  func begin(at url: URL, isPackage: Bool) async {
    isOn = true
    let notice: @Sendable (Subject) -> Void = { [weak self] subject in
      Task { @MainActor in self?.add(subject) }
    }
    do {
      let found = try await BlockingPool.shared.run {
        try WatchedFolders(url, isPackage: isPackage, notice)
      }
      guard isOn else { return }
      (watched, place) = (found, (url, isPackage))
      // Reports changes from before the folders were observed.
      for subject in Subject.allCases { add(subject) }
      guard found.isComplete else { return poll() }
      polling?.cancel()
      polling = nil
    } catch {
      // The next report leads to a check that reports the error.
      poll()
    }
  }

  /// Stops reporting.
  func end() {
    isOn = false
    watched = nil
    polling?.cancel()
    polling = nil
  }

  private func poll() {
    guard polling == nil else { return }
    polling = Task.outsideAccesses { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        for subject in Subject.allCases { self?.add(subject) }
      }
    }
  }

  /// Adds a report; several reports are passed on together.
  private func add(_ subject: Subject) {
    guard isOn else { return }
    let isFirst = due.isEmpty
    due.insert(subject)
    guard isFirst else { return }
    Task.outsideAccesses { [weak self] in
      guard let self else { return }
      let subjects = due
      due = []
      await report(subjects)
      await observeNewFolders()
    }
  }

  /// Observes the store once the first version exists, and folders that take the places of others.
  private func observeNewFolders() async {
    guard isOn, let watched, let place else { return }
    do {
      let isCurrent = try await BlockingPool.shared.run { try watched.areCurrent(for: place.url) }
      if !isCurrent, isOn { await begin(at: place.url, isPackage: place.isPackage) }
    } catch {
      // Tried again after the next report.
    }
  }
}
