internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Tests, in a temporary folder, that damage is found and that the file system is suitable.
struct SelfTesting {
  private let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Runs the checks; see ``SynchronousStore/selfTest(in:)``.
  func run(in folder: URL) throws -> SelfTest {
    let scratch = try folder.filePath.resolvingLinks()
      .appending(".docversions-self-test-\(DocumentIdentifier.random())")
    try Folder.create(scratch, permissions: 0o700)
    let outcome = Result { try tryOut(scratch) }
    try Folder.removeTree(scratch)
    return SelfTest(checks: try outcome.get())
  }

  private func tryOut(_ scratch: FilePath) throws -> [SelfTest.Check] {
    try [
      SelfTest.Check(
        name: "A flipped bit is found", isPassed: findsFlippedBit(in: scratch), detail: ""),
      SelfTest.Check(
        name: "A lock keeps others out", isPassed: FileSystemCheck.excludes(in: scratch),
        detail: ""),
      SelfTest.Check(
        name: "Two names change places in one step",
        isPassed: FileSystemCheck.exchanges(in: scratch), detail: ""),
      synchronization(in: scratch), Self.libgit2(),
    ]
  }

  private func synchronization(in scratch: FilePath) throws -> SelfTest.Check {
    let name = "Files and folders reach the disk"
    do {
      try FileSystemCheck.synchronizes(in: scratch)
      return SelfTest.Check(name: name, isPassed: true, detail: "")
    } catch let error as FileError {
      return SelfTest.Check(name: name, isPassed: false, detail: error.message)
    }
  }

  /// Saves a document, flips a bit in the middle of its pack, and checks that this is found.
  private func findsFlippedBit(in scratch: FilePath) throws -> Bool {
    let folder = scratch.appending("document")
    // The test has its own container, so that nothing is left in that of the folder.
    try Folder.create(folder.appending(Layout.folderName))
    let document = folder.appending("note.md")
    try SmallFile.create(document, Array("a note\n".utf8))
    let url = URL(filePath: document.string)
    let environment = StoreEnvironment(
      identity: environment.identity, clock: { Date() }, fileClock: environment.fileClock)
    _ = try Saving(environment).save(url)
    let location = try DocumentLocation(of: document)
    guard try StoreVerification(environment).verify(url).isWhole else { return false }
    let packs = StoreFile.packs.path(in: location.store)
    for name in try Folder.names(in: packs) where name.suffix(5) == Array(".pack".utf8)[...] {
      let pack = packs.appending(bytes: name)
      guard var bytes = try SmallFile.read(pack) else { continue }
      bytes[bytes.count / 2] ^= 1
      try SmallFile.replace(pack, bytes)
    }
    return try !StoreVerification(environment).verify(url).isWhole
  }

  /// Returns whether libgit2 is free of the known vulnerabilities; distributors fix older versions without
  /// changing their number.
  private static func libgit2() -> SelfTest.Check {
    let version: String
    do {
      version = try GitLibrary.version()
    } catch {
      return SelfTest.Check(name: "libgit2", isPassed: false, detail: error.message)
    }
    let numbers = version.split(separator: ".").compactMap { Int($0) }
    let isNew = !numbers.lexicographicallyPrecedes([1, 9, 7])
    let detail =
      isNew
      ? ""
      : """
      1.9.7 or later has all known fixes; of an older one only the distributor knows. Debian 12 has \
      them in its package 1.5.1+ds-1+deb12u2.
      """
    return SelfTest.Check(
      name: "libgit2 is \(version)", isPassed: isNew || numbers == [1, 5, 1], detail: detail)
  }
}
