internal import DocumentVersions

extension DocumentArgument {
  /// The line with the command that reverts the operation.
  var undoLine: String { "Undo:  ".asMuted + "docversions undo \(word)" }

  /// Returns the line about the version that unsaved edits became.
  func keptLine(_ version: FileVersion) -> String {
    "\(shown) had unsaved changes: kept as \(version.shown)."
  }
}

extension FileVersion {
  /// The identifier, as shown in lines.
  var shown: String { id.short.asIdentifier }

  /// The author and the device, such as "Mira · mira-laptop".
  var who: String { "\(Printable.text(author)) · \(Printable.text(savingDevice))" }

  /// Returns the author, the device and the time, such as "Mira (mira-laptop, today 14:02)".
  func whoAndWhen(_ time: ReadableTime) -> String {
    "\(Printable.text(author)) (\(Printable.text(savingDevice)), \(time.text(modificationDate)))"
  }
}

extension [FileVersion] {
  /// Returns the identifiers, or only their number if there are more than five.
  func shown(orCountIf isCounted: Bool = false) -> String {
    isCounted || count > 5 ? Wording.count(count, "version") : Wording.list(map(\.shown))
  }
}
