internal import DocumentVersions
internal import Foundation

/// Reads the file `scenario` of a scenario's folder: a story in which every line is one step.
///
/// Beside that file lie the documents' contents as real files, or as folders for packages. A step names
/// contents by their file; a version is named by the contents it has. A file `.empty-folder` in a package
/// stands for its folder being empty, because version control keeps no empty folders.
///
/// # Lines
///
/// Blank lines say nothing. What follows a `#` at a word's beginning is a comment; the comment lines before
/// the first step are the scenario's title and description. Words are separated by blanks, a word with
/// blanks in it stands in double quotes. Below, CAPITALS stand for such a word, `[…]` can be left out,
/// `|` separates alternatives, and lists have commas between them.
///
/// ```
/// devices  DEVICE DEVICE …                            the first step, and only that
/// exchange                                            all that are online, until nothing moves
/// DEVICE's clock is NUMBER UNIT behind|ahead          UNIT: second(s), minute(s), hour(s), day(s)
/// DEVICE DEED
/// DEVICE cannot DEED [because CODE]                   the deed in the infinitive: "cannot save …"
/// expect CLAIM [on DEVICE, DEVICE …]                  on all devices if none is named
/// ```
///
/// # Deeds
///
/// ```
/// edits DOCUMENT to FILE                              writes the document, saves nothing
/// saves DOCUMENT [from FILE] [based on FILE] [with note "TEXT"]
/// resolves DOCUMENT by STRATEGY [else STRATEGY …]
/// restores DOCUMENT to FILE
/// removes version FILE of DOCUMENT
/// removes other versions of DOCUMENT
/// marks FILE of DOCUMENT as resolved
/// deletes DOCUMENT
/// renames DOCUMENT to NAME
/// undoes DOCUMENT                                     takes back what was last done to it
/// thins DOCUMENT keeping NUMBER                       keeps the last ones, and what must not go
/// undeletes versions of DOCUMENT                      all that were removed or thinned on this device
/// pins|unpins version FILE of DOCUMENT
/// imports copy FILE of DOCUMENT [based on FILE]       the file is put beside the document first
/// exchanges                                           this device only, once
/// goes offline
/// comes online
/// ```
///
/// A STRATEGY is `latest`, `merge`, `keeping FILE`, or somebody who is asked and gives an answer:
/// `asking FILE`, `asking to keep FILE`, `asking to accept`, `asking to skip`. With
/// `saves … based on FILE`, the new contents were made from the version with those older contents.
///
/// A deed that `cannot` be done must fail, and with the CODE that the error carries, where one is given.
/// Resolving fails with the code `undecided` where the strategy leaves the conflict as it is. The runner adds
/// `no-conflict` where there is nothing to resolve or to mark, and `offline`.
///
/// # Claims
///
/// ```
/// stores are sound                                    every version can be read, exactly one is current
/// SUBJECT has NUMBER conflict(s)                      unresolved conflict versions
/// SUBJECT has NUMBER version(s)                       those whose contents are here; deletions have none
/// SUBJECT lists NUMBER version(s)                     the same, and deletions, and those that are elsewhere
/// SUBJECT has the note "TEXT"                         its current version has it
/// SUBJECT equals FILE                                 the document on disk
/// SUBJECT is current from FILE                        the current version
/// SUBJECT is in conflict with FILE, FILE …            these unresolved conflict versions, no others
/// SUBJECT keeps versions from FILE, FILE … [by DEVICE]
/// SUBJECT keeps no versions from FILE, FILE …
/// SUBJECT exists | does not exist
/// SUBJECT is unchanged|edited|deleted|missing|unsaved
/// SUBJECT is the same                                 the document on disk, compared between the devices
/// SUBJECT has the same current version                one identifier on all devices
/// ```
///
/// A SUBJECT is a DOCUMENT, `every document` or `some document` of a device.
///
/// # Time
///
/// All devices share one clock, which advances by a minute with each step, and off which a device may be.
struct ScenarioParser {
  /// The file, for messages.
  let file: URL
  private var devices: [String] = []
  /// The files of the scenario’s folder that the lines name.
  private(set) var files: Set<String> = []

  init(file: URL) {
    self.file = file
  }

  /// Reads the whole text.
  mutating func steps(in text: String) throws -> [ScenarioStep] {
    var steps: [ScenarioStep] = []
    for (index, line) in Self.lines(of: text).enumerated() {
      do {
        var words = try ScenarioWords(line)
        if words.isAtEnd { continue }
        let event = try event(&words)
        try words.end()
        files.formUnion(words.files)
        let text = String(line.trimmingBlanks())
        steps.append(ScenarioStep(line: index + 1, text: text, event: event))
      } catch let error as ScenarioWords.Unexpected {
        throw ScenarioError(
          code: error.code, file: file.relativePath, line: index + 1, message: error.message)
      }
    }
    guard !steps.isEmpty else {
      throw ScenarioError(
        code: .syntax, file: file.relativePath, line: 1,
        message: "expected “devices” and the names of devices, found the end of the file")
    }
    return steps
  }

  /// The lines of a text, whatever system’s editor wrote it.
  static func lines(of text: String) -> [Substring] {
    let byteOrderMark: Character = "\u{FEFF}"
    return text.drop { $0 == byteOrderMark }
      // A return with a line feed behind it is one character of its own.
      .split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
  }

  private mutating func event(_ words: inout ScenarioWords) throws -> ScenarioStep.Event {
    if devices.isEmpty {
      try words.require("devices")
      return .devices(try newDevices(&words))
    }
    if words.take("exchange") { return .exchange }
    if words.take("expect") {
      let claim = try claim(&words)
      let witnesses = words.take("on") ? try deviceList(&words) : []
      try checkWitnesses(of: claim, witnesses)
      return .claim(claim, on: witnesses)
    }
    if let owner = words.peek, owner.hasSuffix("'s") || owner.hasSuffix("’s") {
      _ = try words.name("a device")
      return .clock(try clock(&words), of: try known(String(owner.dropLast(2))))
    }
    guard let subject = words.peek, devices.contains(subject) else {
      throw words.unexpected(
        "“exchange”, “expect” or a device (\(devices.joined(separator: ", ")))")
    }
    _ = try words.name("a device")
    guard words.take("cannot") else { return .deed(try deed(&words, as: \.told), by: subject) }
    let deed = try deed(&words, as: \.infinitive)
    return .refusal(deed, by: subject, code: words.take("because") ? try words.name("a code") : nil)
  }

  private mutating func newDevices(_ words: inout ScenarioWords) throws -> [String] {
    repeat {
      let name = try words.name("a device’s name")
      guard !devices.contains(name) else {
        throw ScenarioWords.Unexpected(message: "expected another device, found “\(name)” twice")
      }
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
        throw ScenarioWords.Unexpected(
          message: "expected a device’s name of letters, digits and “-”, found “\(name)”")
      }
      // They begin lines of their own, and “exchange” is the folder between the devices.
      guard !["exchange", "expect"].contains(name) else {
        throw ScenarioWords.Unexpected(
          message: "expected a device’s name, found “\(name)”, which begins another kind of line")
      }
      devices.append(name)
    } while !words.isAtEnd
    return devices
  }

  private func clock(_ words: inout ScenarioWords) throws -> Double {
    try words.require("clock", "is")
    let count = Double(try words.number("a number"))
    let units = ["second": 1.0, "minute": 60, "hour": 3_600, "day": 86_400]
    let name = words.peek ?? ""
    guard let unit = units[name.hasSuffix("s") ? String(name.dropLast()) : name] else {
      throw words.unexpected("seconds, minutes, hours or days")
    }
    _ = try words.name("a unit")
    if words.take("behind") { return -count * unit }
    guard words.take("ahead") else { throw words.unexpected("“behind” or “ahead”") }
    return count * unit
  }

  /// Makes sure that those who agree are several: one alone agrees with itself about anything.
  private func checkWitnesses(of claim: ScenarioStep.Claim, _ named: [String]) throws {
    guard case .agreement = claim else { return }
    let witnesses = named.isEmpty ? devices : named
    guard Set(witnesses).count < 2 else { return }
    throw ScenarioWords.Unexpected(
      message: "expected two devices or more that agree, found “\(witnesses.first ?? "")” alone")
  }

  private func deviceList(_ words: inout ScenarioWords) throws -> [String] {
    try words.names("a device").map(known)
  }

  /// A device that the scenario has.
  func known(_ device: String) throws -> String {
    guard devices.contains(device) else {
      throw ScenarioWords.Unexpected(
        code: .unknownDevice,
        message: "expected a device (\(devices.joined(separator: ", "))), found “\(device)”")
    }
    return device
  }

  /// A document below its device’s folder.
  func document(_ words: inout ScenarioWords, _ meaning: String = "a document") throws -> String {
    let name = try words.name(meaning)
    do { return try ScenarioPath.checked(name) } catch let escape as ScenarioPath.Escape {
      throw ScenarioWords.Unexpected(
        code: .invalidPath,
        message: """
          expected \(meaning) below its device’s folder, without empty parts, “.”, “..” and “.docversions”, \
          found \(escape.found)
          """)
    }
  }

  /// A file that is in the scenario's folder.
  func contents(_ words: inout ScenarioWords) throws -> String {
    let name = try words.name("a file of the scenario’s folder")
    do {
      let path = try ScenarioPath.checked(name)
      let place = try ScenarioPath.place(of: path, in: file.deletingLastPathComponent())
      guard try FileStatus.of(place.filePath) != nil else {
        throw ScenarioWords.Unexpected(
          code: .missingFile, message: "expected a file of the scenario’s folder, found “\(name)”")
      }
      words.files.append(path)
      return path
    } catch let escape as ScenarioPath.Escape {
      throw ScenarioWords.Unexpected(
        code: .invalidPath,
        message: "expected a file of the scenario’s folder, found \(escape.found)")
    } catch let error as FileError {
      throw ScenarioWords.Unexpected(code: .unreadable, message: error.message)
    }
  }
}
