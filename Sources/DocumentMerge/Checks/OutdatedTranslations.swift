/// Asks about texts that one side changes while the other side translates the former text.
struct OutdatedTranslations: MergeCheck {
  private let read: Translations.Reader

  init(_ read: @escaping Translations.Reader) { self.read = read }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    let base = Translations(merge.base, read)
    let sides = MergeSides(
      base: nil, ours: Translations(merge.ours, read), theirs: Translations(merge.theirs, read))
    return merge.bothWays(sides) { side, other, label, otherLabel in
      base.outdated(by: side, translatedBy: other).map { source in
        .doubt(
          "The text “\(excerpt(source.utf8))” was changed by \(label), and \(otherLabel) translated it as it was."
        )
      }
    }
  }
}

/// The translations of a text, each with its source, as catalogs of messages have them.
///
/// A source is the text itself if the format contains it, or else the comment of the entry.
struct Translations {
  /// One text in one language.
  private struct Unit {
    var sources: [String] = []
    var translations: [String] = []
  }

  private var units: [String: Unit] = [:]

  /// Reads the translations of a text as its format has them.
  typealias Reader = @Sendable (_ text: TextLines, _ translations: inout Translations) -> Void

  /// Reads a text.
  init(_ text: TextLines, _ read: Reader) { read(text, &self) }

  /// Adds a translation of a text.
  ///
  /// The name of a text stays the same when its source changes; a text without a name is named by its source.
  mutating func add(
    _ translation: some StringProtocol, of source: some StringProtocol,
    name: some StringProtocol
  ) {
    units[String(name), default: Unit()].sources.append(String(source))
    units[String(name), default: Unit()].translations.append(String(translation))
  }
}

extension Translations {
  /// Returns the texts whose source one side changed, while the other side translated the former source.
  func outdated(by side: Translations, translatedBy other: Translations) -> [String] {
    units.compactMap { name, unit -> String? in
      guard let translated = other.units[name], translated.translations != unit.translations,
        translated.sources == unit.sources, side.units[name]?.sources != unit.sources,
        side.units[name]?.translations != translated.translations
      else { return nil }
      return unit.sources.first { !$0.isEmpty } ?? name
    }
    .sorted()
  }
}

extension Translations {
  /// Adds texts in several languages, one of which is the source.
  mutating func add(_ all: TextsByLanguage) {
    var groups: [String: [TextsByLanguage.Text]] = [:]
    for text in all.texts { groups[text.name, default: []].append(text) }
    for (name, texts) in groups where texts.count > 1 {
      guard let language = TextsByLanguage.source(of: texts.map(\.language)),
        let source = texts.first(where: { $0.language == language })
      else { continue }
      for text in texts where text.language != language {
        add(text.text, of: source.text, name: "\(name)\u{4}\(text.language)")
      }
    }
  }
}
