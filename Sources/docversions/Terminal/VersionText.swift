internal import DocumentVersions

extension DocumentArgument {
  /// The line that says how to take back the operation.
  var undoLine: String { "Undo:  ".asMuted + "docversions undo \(word)" }

  /// The line that says which version unsaved edits became.
  func keptLine(_ version: FileVersion) -> String {
    "\(shown) had unsaved changes: kept as \(version.shown)."
  }
}

extension FileVersion {
  /// The identifier as lines show it.
  var shown: String { id.short.asIdentifier }

  /// The author and the device, as "Mira · mira-laptop".
  var who: String { "\(Printable.text(author)) · \(Printable.text(savingDevice))" }

  /// The author, the device and the time, as "Mira (mira-laptop, today 14:02)".
  func whoAndWhen(_ time: ReadableTime) -> String {
    "\(Printable.text(author)) (\(Printable.text(savingDevice)), \(time.text(modificationDate)))"
  }
}

extension [FileVersion] {
  /// The identifiers, or only how many there are where they are more than five.
  func shown(orCountIf isCounted: Bool = false) -> String {
    isCounted || count > 5 ? Wording.count(count, "version") : Wording.list(map(\.shown))
  }
}
