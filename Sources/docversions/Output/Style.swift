@preconcurrency internal import Rainbow

/// What colours mean. All of them vanish where there are none.
extension String {
  /// The identifier of a version.
  var asIdentifier: String { yellow }
  /// Something good: current, merges cleanly.
  var asGood: String { green }
  /// Something that waits for somebody.
  var asOpen: String { magenta }
  /// Something that matters less.
  var asQuiet: String { dim }
  /// A heading inside a listing.
  var asHeading: String { bold }
  /// The word before an error.
  var asError: String { red.bold }
  /// Added text.
  var asAdded: String { green }
  /// Removed text.
  var asRemoved: String { red }
  /// Added words inside a changed line.
  var asAddedWord: String { green.bold.underline }
  /// Removed words inside a changed line.
  var asRemovedWord: String { red.bold.underline }
  /// Where in a text something is.
  var asPlace: String { cyan }
}
