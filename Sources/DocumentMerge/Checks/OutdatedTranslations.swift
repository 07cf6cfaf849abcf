/// Asks about texts that one side changes while the other side translates the former text, and about translations that
/// one side marks as right while the other side changes them.
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
        + base.approved(by: side, changedBy: other).map { source in
          .doubt(
            "\(label) marked the translation of “\(excerpt(source.utf8))” as right, and \(otherLabel) changed it."
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
    var translations: [Translation] = []
  }

  private struct Translation: Equatable {
    let text: String
    /// The mark that says whether the translation is right.
    let mark: String

    var isRight: Bool {
      mark.hasPrefix("yes") || !["needs", "new", "unfinished", "stale"].contains { mark.has($0) }
    }
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
    name: some StringProtocol, mark: String = ""
  ) {
    units[String(name), default: Unit()].sources.append(String(source))
    units[String(name), default: Unit()].translations.append(
      Translation(text: String(translation), mark: mark))
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

  /// Returns the texts whose translation one side marked as right, while the other side changed it.
  func approved(by side: Translations, changedBy other: Translations) -> [String] {
    units.compactMap { name, unit -> String? in
      let old = unit.translations
      guard let own = side.units[name]?.translations, own.count == old.count,
        let changed = other.units[name]?.translations, changed.count == old.count
      else { return nil }
      let isMixed = old.indices.contains { index in
        own[index].isRight && own[index].text == old[index].text
          && changed[index].text != old[index].text
          && ![old[index].mark, changed[index].mark].contains(own[index].mark)
      }
      return isMixed ? unit.sources.first { !$0.isEmpty } ?? name : nil
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
