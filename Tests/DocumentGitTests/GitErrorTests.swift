import CGit2
import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

@Suite("Errors of git")
struct GitErrorTests {
  private func libraryError(
    _ code: git_error_code, _ category: git_error_t, _ message: String = "no"
  ) -> GitError {
    .fromLibrary(
      "test", code: code.rawValue, category: Int32(category.rawValue), message: message)
  }

  @Test("Each failure that libgit2 never saw has a code of its own")
  func ownCodes() {
    #expect(GitError.missing("x").isNotFound)
    #expect(GitError.changedMeanwhile("x").isChangedMeanwhile)
    #expect(GitError.foreign("x").isForeign)
    for error in [.missing("x"), .changedMeanwhile("x"), .foreign("x"), .malformed("x")]
      as [GitError]
    {
      #expect(!error.isFromSystem && !error.isNotPermitted && !error.isFullDisk, "\(error)")
    }
    #expect("\(GitError.missing("the key"))" == "read: the key is missing")
    #expect(GitError.malformed("x").code == .malformed)
  }

  @Test("A failure of the system keeps its number", arguments: [EACCES, EPERM, EROFS, EIO, ENOENT])
  func system(number: Int32) {
    let error = GitError.fromSystem("write", number)
    #expect(error.code == .system && error.systemError == number && error.isFromSystem)
    #expect(error.isNotPermitted == [EACCES, EPERM, EROFS].contains(number))
    #expect(!error.isFullDisk && !error.isNotFound && !error.isChangedMeanwhile)
  }

  @Test("A failure with a file of a repository names the operation, and keeps its number")
  func files() throws {
    let store = try Store()
    func error(_ body: () throws -> Void) -> GitError? {
      #expect(throws: GitError.self) { try body() }
    }
    let file = store["packed-refs"]
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "HEAD")
    let link = error { _ = try store.open().references.value(of: "refs/heads/x") }
    #expect(link == .fromSystem("read packed-refs", ELOOP))
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    let folder = error { _ = try store.open().references.value(of: "refs/heads/x") }
    #expect(folder == .malformed("“packed-refs” is not a file"))
    try FileManager.default.removeItem(at: file)
    let lock = try store["x.lock"].filePath
    let first = try UnplacedFile(lock, in: RepositoryFolder(store.url.filePath))
    let second = error { _ = try UnplacedFile(lock, in: RepositoryFolder(store.url.filePath)) }
    #expect(second == .fromSystem("create x.lock", EEXIST))
    try FileManager.default.createDirectory(at: store["y"], withIntermediateDirectories: false)
    let place = error { try first.place(at: store["y"].filePath) }
    #expect(place == .fromSystem("write y", EISDIR))
    let gone = error { _ = try Repository(opening: store["none"].filePath) }
    #expect(gone == .fromSystem("open repository", ENOENT))
  }

  @Test("A full disk has an error code of its own", arguments: [ENOSPC, EDQUOT])
  func fullDisk(number: Int32) {
    #expect(GitError.fromSystem("write", number).isFullDisk)
    let text = "failed to write: \(String(cString: strerror(number)))"
    let error = libraryError(GIT_ERROR, GIT_ERROR_OS, text)
    #expect(error.isFullDisk && error.isFromSystem && error.systemError == number)
  }

  @Test("A lock that is held is a change meanwhile, and the system's: its file is there")
  func locked() {
    for error in [GitError.fromSystem("lock", EEXIST), libraryError(GIT_ELOCKED, GIT_ERROR_OS)] {
      #expect(error.code == .locked && error.isLocked, "\(error)")
      #expect(error.isChangedMeanwhile && error.isFromSystem && !error.isNotPermitted, "\(error)")
    }
    let unreadable = libraryError(
      GIT_ELOCKED, GIT_ERROR_OS, "failed to lock: \(String(cString: strerror(EACCES)))")
    #expect(unreadable.isNotPermitted && !unreadable.isLocked)
  }

  @Test("What libgit2 says gets our codes, and keeps its numbers where there is none")
  func translated() {
    #expect(libraryError(GIT_ENOTFOUND, GIT_ERROR_REFERENCE).isNotFound)
    #expect(libraryError(GIT_EMODIFIED, GIT_ERROR_REFERENCE).isChangedMeanwhile)
    #expect(libraryError(GIT_EEXISTS, GIT_ERROR_REFERENCE).isChangedMeanwhile)
    #expect(libraryError(GIT_EOWNER, GIT_ERROR_CONFIG).isForeign)
    #expect(libraryError(GIT_ENOTFOUND, GIT_ERROR_CONFIG).isForeign)
    #expect(libraryError(GIT_ERROR, GIT_ERROR_OS).isFromSystem)
    let other = libraryError(GIT_EINVALIDSPEC, GIT_ERROR_REFERENCE, "bad name")
    #expect(
      other.code
        == .library(
          code: GIT_EINVALIDSPEC.rawValue, category: Int32(GIT_ERROR_REFERENCE.rawValue)))
    #expect(!other.isFromSystem && !other.isNotFound && other.message == "bad name")
    let newer = GitError.fromLibrary("test", code: -9_999, category: 77, message: "new")
    #expect(newer.code == .library(code: -9_999, category: 77))
  }
}
