internal import DocumentVersions
internal import Foundation

/// The stage on which a scenario is played: the devices, their common clock, and the folder between them.
struct Stage {
  /// The folder of the devices.
  let scratch: URL
  /// The scenario's folder.
  let files: URL
  private(set) var devices: [Device] = []
  /// The common clock, which starts on a morning in November.
  private var now = Date(timeIntervalSince1970: 1_795_165_200)

  init(scratch: URL, files: URL) {
    self.scratch = scratch
    self.files = files
  }

  /// Performs one step.
  ///
  /// - Throws: ``Mismatch`` if the result is not the one in the story, or the error of the deed.
  mutating func perform(_ event: ScenarioStep.Event) async throws {
    now += 60
    for index in devices.indices { devices[index].now = now }
    switch event {
    case .devices(let names):
      devices = try names.map { try Device($0, in: scratch, files: files, now: now) }
    case .exchange:
      try await exchangeUntilIdle()
    case .deed(let deed, by: let name):
      try await perform(deed, by: name)
    case .refusal(let deed, by: let name, let code):
      try await expectRefusal(of: deed, by: name, code: code)
    case .clock(let seconds, of: let name):
      try change(name) { $0.clockOffset = seconds }
    case .claim(let claim, on: let names):
      return try await check(claim, on: names.isEmpty ? devices : names.map(device))
    }
    for device in devices {
      await device.app.follow()
      await device.otherApp.follow()
    }
  }

  private func device(_ name: String) throws -> Device {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw Mismatch("no device “\(name)”")
    }
    return device
  }

  private mutating func change(_ name: String, _ body: (inout Device) -> Void) throws {
    for index in devices.indices where devices[index].name == name { body(&devices[index]) }
  }

  // MARK: Deeds

  private mutating func perform(_ deed: ScenarioStep.Deed, by name: String) async throws {
    switch deed {
    case .goOffline: try change(name) { $0.isOnline = false }
    case .comeOnline: try change(name) { $0.isOnline = true }
    case .exchange: _ = try await device(name).exchange(through: exchangeFolder)
    default: try await device(name).perform(deed)
    }
  }

  private mutating func expectRefusal(
    of deed: ScenarioStep.Deed, by name: String, code: String?
  ) async throws {
    do {
      try await perform(deed, by: name)
    } catch {
      if let mismatch = error as? Mismatch, mismatch.code == nil { throw mismatch }
      guard code == nil || error.code == code else { throw Mismatch("refused: \(error.inWords)") }
      return
    }
    throw Mismatch("it was done")
  }

  // MARK: Exchange

  /// The folder through which devices exchange.
  private var exchangeFolder: URL {
    Device.exchangeFolder(in: scratch)
  }

  /// The exchange folder, once it exists.
  var exchangeFolderIfUsed: URL? {
    FileManager.default.fileExists(atPath: exchangeFolder.path) ? exchangeFolder : nil
  }

  /// Lets all devices exchange in turn until no version has moved twice in a row, because the others see a
  /// deletion that one device publishes last only the next time.
  private func exchangeUntilIdle() async throws {
    var idleRounds = 0
    for _ in 1...20 where idleRounds < 2 {
      var moved = 0
      for device in devices where device.isOnline {
        moved += try await device.exchange(through: exchangeFolder)
      }
      idleRounds = moved == 0 ? idleRounds + 1 : 0
    }
    if idleRounds < 2 { throw Mismatch("the devices do not come to rest") }
  }

  // MARK: Claims

  private func check(_ claim: ScenarioStep.Claim, on devices: [Device]) async throws {
    switch claim {
    case .storesAreSound:
      for device in devices { try await device.checkStores() }
    case .document(let subject, let fact):
      for device in devices { try await device.check(fact, of: subject) }
    case .agreement(let subject, let agreement):
      try await check(agreement, about: subject, on: devices)
    }
  }

  private func check(
    _ agreement: ScenarioStep.Agreement, about subject: ScenarioStep.Subject, on devices: [Device]
  ) async throws {
    var shown: [(device: Device, found: [String: Device.Shown])] = []
    for device in devices { shown.append((device, try await device.shown(of: subject, agreement))) }
    let names = Set(shown.flatMap(\.found.keys)).sorted()
    // A document that no device has is trivially the same everywhere.
    guard !names.isEmpty else {
      throw Mismatch("\(subject.absence) on \(devices.map(\.name).joined(separator: ", "))")
    }
    let differences = names.compactMap { name in
      Self.difference(about: name, in: shown.map { ($0.device, $0.found[name]) })
    }
    let isTrue = subject == .some ? differences.count < names.count : differences.isEmpty
    guard isTrue else { throw Mismatch(differences.joined(separator: "; ")) }
  }

  /// Returns the first difference between the first device and another one; `nil` if all agree.
  private static func difference(
    about name: String, in shown: [(device: Device, found: Device.Shown?)]
  ) -> String? {
    guard let first = shown.first, let other = shown.first(where: { $0.found != first.found })
    else { return nil }
    return """
      “\(name)” is \(first.found.inWords) on \(first.device.name), \
      \(other.found.inWords) on \(other.device.name)
      """
  }
}

extension ScenarioStep.Subject {
  /// The words of reports for a missing document.
  fileprivate var absence: String {
    switch self {
    case .document(let name): "there is no “\(name)”"
    case .some, .every: "there is no document"
    }
  }
}
