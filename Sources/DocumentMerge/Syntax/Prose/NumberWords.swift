/// The words that say how much or how often.
enum NumberWords {
  private static let words: Set<String> = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "twenty", "thirty", "forty", "fifty", "hundred", "thousand", "half", "quarter",
    "double", "triple", "once", "twice", "thrice", "first", "second", "third", "fourth", "fifth",
    "daily", "hourly", "weekly", "monthly", "yearly", "eins", "zwei", "drei", "vier", "fünf",
    "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf", "einmal", "zweimal", "dreimal",
    "viermal", "täglich", "stündlich", "wöchentlich", "monatlich", "deux", "trois", "quatre",
    "cinq",
    "dos", "tres", "cuatro", "cinco", "due", "tre", "quattro", "cinque",
  ]

  /// Returns whether a word is a number, or starts with one.
  static func contains(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first else { return false }
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return true }
    return word.count <= 14 && words.contains(String(decoding: word, as: UTF8.self).lowercased())
  }
}
