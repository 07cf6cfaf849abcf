/// A document as it shall be on disk: what the writer makes of it.
package indirect enum DocumentItem {
  /// A regular file; the bytes are asked for when it is written.
  case file(isExecutable: Bool, contents: FileContents)
  /// A symbolic link.
  case symbolicLink(target: [UInt8])
  /// A folder; the members are asked for when it is written.
  case folder(members: () throws -> [(name: [UInt8], item: DocumentItem)])
  /// The same as the item that is at this place now, with all its attributes.
  case unchanged
}
