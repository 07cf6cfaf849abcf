package import SystemPackage

/// The files that office programs create beside an open document.
package enum OfficeLock {
  /// Returns the file that shows that a document is open; nil if there is none.
  ///
  /// For `Letter.odt`, LibreOffice creates `.~lock.Letter.odt#`. Microsoft Office creates `~$Letter.docx` or,
  /// for long names, replaces the first two characters with `~$`.
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
