internal import DocumentVersions
internal import Foundation

/// Reads the file `scenario` of a scenario's folder: a story in which every line is one step.
///
/// The article “Scenarios” of `DocumentVersions.docc` is the only description of the language; the tests read
/// its lines.
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

  /// Returns the lines of a text, with the line endings of any system.
  static func lines(of text: String) -> [Substring] {
    let byteOrderMark: Character = "\u{FEFF}"
    return text.drop { $0 == byteOrderMark }
      // A carriage return followed by a line feed is one separate character.
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
      return try belonging(&words, to: known(String(owner.dropLast(2))))
    }
    guard let subject = words.peek, devices.contains(subject) else {
      throw words.unexpected(
        "“exchange”, “expect” or a device (\(devices.joined(separator: ", ")))")
    }
    _ = try words.name("a device")
    guard words.take("cannot") else {
      return .deed(try deed(&words, as: \.thirdPerson), by: subject)
    }
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
      // These words begin other lines, and “exchange” is the folder between the devices.
      guard !["exchange", "expect"].contains(name) else {
        throw ScenarioWords.Unexpected(
          message: "expected a device’s name, found “\(name)”, which begins another kind of line")
      }
      devices.append(name)
    } while !words.isAtEnd
    return devices
  }

  /// Reads an event that begins with something that belongs to a device.
  private func belonging(
    _ words: inout ScenarioWords, to device: String
  ) throws -> ScenarioStep.Event {
    if words.take("app", "crashes") { return .deed(.crash, by: device) }
    if words.take("app", "stops", "answering") { return .deed(.stopAnswering(true), by: device) }
    if words.take("app", "answers", "again") { return .deed(.stopAnswering(false), by: device) }
    if words.take("other", "app") {
      return .deed(.inOtherApp(try deed(&words, as: \.thirdPerson)), by: device)
    }
    if words.take("tool") { return try toolEvent(&words, of: device) }
    if words.take("disk", "is", "full") { return .deed(.fillDisk(true), by: device) }
    if words.take("disk", "has", "room") { return .deed(.fillDisk(false), by: device) }
    guard words.take("clock", "is") else {
      throw words.unexpected(
        "“clock is”, “app crashes”, “app stops answering”, “app answers again”, “other app”, “tool”, “disk is full” or “disk has room”"
      )
    }
    let seconds = Double(try duration(&words))
    if words.take("behind") { return .clock(-seconds, of: device) }
    guard words.take("ahead") else { throw words.unexpected("“behind” or “ahead”") }
    return .clock(seconds, of: device)
  }

  /// Reads a number of seconds, minutes, hours or days, and returns it in seconds.
  func duration(_ words: inout ScenarioWords) throws -> Int {
    let count = try words.number("a number")
    let units = ["second": 1, "minute": 60, "hour": 3_600, "day": 86_400]
    let name = words.peek ?? ""
    guard let unit = units[name.hasSuffix("s") ? String(name.dropLast()) : name] else {
      throw words.unexpected("seconds, minutes, hours or days")
    }
    let (seconds, isTooMany) = count.multipliedReportingOverflow(by: unit)
    guard !isTooMany else { throw words.unexpected("fewer of them") }
    _ = try words.name("a unit")
    return seconds
  }

  /// Checks that an agreement concerns several devices, because a single one always agrees with itself.
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

  /// Returns a device if the scenario has it.
  func known(_ device: String) throws -> String {
    guard devices.contains(device) else {
      throw ScenarioWords.Unexpected(
        code: .unknownDevice,
        message: "expected a device (\(devices.joined(separator: ", "))), found “\(device)”")
    }
    return device
  }

  /// Reads a document in its device's folder.
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

  /// Reads a file in the scenario's folder.
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
