package import SystemPackage

/// The files that office programs put beside a document which they have open.
package enum OfficeLock {
  /// The file that says that a document is open; nil if there is none.
  ///
  /// LibreOffice puts one beside `Letter.odt` that is named `.~lock.Letter.odt#`; Microsoft Office, `~$Letter.docx` or, for
  /// long names, `~$` instead of the first two characters.
  package static func of(_ document: FilePath) throws(FileError) -> FilePath? {
    let name = document.lastName
    for candidate in [Array(".~lock.".utf8) + name + [UInt8(ascii: "#")], Array("~$".utf8) + name]
      + (name.count > 2 ? [Array("~$".utf8) + name.dropFirst(2)] : [])
    {
      // None is so long.
      guard candidate.count <= 255 else { continue }
      let file = document.parentFolder.appending(bytes: candidate)
      if try FileStatus.of(file)?.kind == .file { return file }
    }
    return nil
  }
}
