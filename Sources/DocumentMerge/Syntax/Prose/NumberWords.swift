/// The words for quantities, frequencies and times.
enum NumberWords {
  private static let words: Set<String> = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "twenty", "thirty", "forty", "fifty", "hundred", "thousand", "half", "quarter",
    "double", "triple", "once", "twice", "thrice", "first", "second", "third", "fourth", "fifth",
    "daily", "hourly", "weekly", "monthly", "yearly", "eins", "zwei", "drei", "vier", "fünf",
    "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf", "einmal", "zweimal", "dreimal",
    "viermal", "täglich", "stündlich", "wöchentlich", "monatlich", "deux", "trois", "quatre",
    "cinq",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag",
    "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "january", "february",
    "march", "april", "june", "july", "august", "september", "october", "november", "december",
    "januar", "februar", "märz", "juni", "juli", "oktober", "dezember", "today", "tomorrow",
    "heute",
    "morgen", "noon", "midnight", "am", "pm", "mg", "g", "kg", "ml", "l", "mm", "cm", "m", "km",
    "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks",
    "month", "months", "year", "years", "minuten", "stunden", "tag", "tage", "tagen", "woche",
    "wochen", "monat", "monate", "monaten", "jahr", "jahre", "jahren",
    "dos", "tres", "cuatro", "cinco", "due", "tre", "quattro", "cinque",
  ]

  /// Returns whether a word is a number, or starts with one.
  static func contains(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first else { return false }
    if first.isDigit { return true }
    return word.count <= 14 && words.contains(String(decoding: word, as: UTF8.self).lowercased())
  }
}
