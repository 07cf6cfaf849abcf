internal import CGit2
internal import SystemPackage

/// A repository that libgit2 has opened, which owns libgit2's handle.
///
/// It is neither copyable nor sendable: one thread opens, uses and closes it.
@safe
struct LibraryRepository: ~Copyable {
  private let handle: OpaquePointer
  private let library: docversions_libgit2

  /// Opens the repository in the folder itself, without a search.
  ///
  /// This uses `git_repository_open_ext`.
  init(opening path: FilePath) throws(GitError) {
    let library = try GitLibrary.functions()
    var handle: OpaquePointer?
    let flags =
      GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue | GIT_REPOSITORY_OPEN_BARE.rawValue
      | GIT_REPOSITORY_OPEN_NO_DOTGIT.rawValue
    try git("open repository") { library in
      unsafe path.withPlatformString {
        unsafe library.git_repository_open_ext(&handle, $0, flags, nil)
      }
    }
    guard let opened = unsafe handle else { throw .malformed("libgit2 gave no repository") }
    self.library = library
    unsafe self.handle = unsafe opened
  }

  deinit {
    unsafe library.git_repository_free(handle)
  }

  /// Deletes a reference, loose or packed, and its log, if it still has the expected value.
  ///
  /// This uses `git_reference_delete`, which compares again under git's locks.
  ///
  /// - Parameter expected: the 20 bytes of an object id.
  func deleteReference(_ name: String, expecting expected: [UInt8]) throws(GitError) {
    var reference: OpaquePointer?
    try git("look up \(name)") { unsafe $0.git_reference_lookup(&reference, handle, name) }
    defer { unsafe library.git_reference_free(reference) }
    guard let target = unsafe library.git_reference_target(reference),
      unsafe withUnsafeBytes(of: target.pointee.id, { unsafe $0.elementsEqual(expected) })
    else { throw .movedMeanwhile(name) }
    try git("delete \(name)") { unsafe $0.git_reference_delete(reference) }
  }
}
