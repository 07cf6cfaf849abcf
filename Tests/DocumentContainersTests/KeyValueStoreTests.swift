import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Settings follow the user: key by key, to each device.
struct KeyValueStoreTests {
  private func open(_ device: Device) async throws -> KeyValueStore {
    var store = VersionStore(device.store)
    store.lockTimeout = .generous
    return try await KeyValueStore(in: device.container, store: store)
  }

  @Test(arguments: [
    KeyValue.string("text"), .string(""), 14, -3, 1.5, 2.0, true, false, .data(Data([0, 255])),
    .date(Date(timeIntervalSinceReferenceDate: 12.25)), [1, "two", [true]],
    ["a": 1, "$data": "x", "$$": [:]], .double(.infinity), .double(.nan),
    [.double(.nan)], .double(1e300), .integer(.max),
  ])
  func `a value is read as it was set, by another program too`(value: KeyValue) async throws {
    try await check(value)
  }

  /// Foundation can't describe such a date, so it is no argument of a test.
  @Test func `a date that is no number is read as it was set`() async throws {
    try await check(.date(Date(timeIntervalSinceReferenceDate: .nan)))
  }

  private func check(_ value: KeyValue) async throws {
    let desk = try Device()
    let settings = try await open(desk)
    try settings.set(value, forKey: "key")
    let isSame = settings.value(forKey: "key") == value
    #expect(isSame)
    try await settings.synchronize()
    let other = try await open(desk)
    let isReadAlike = other.dictionaryRepresentation == ["key": value]
    #expect(isReadAlike)
    other.removeValue(forKey: "key")
    try await other.synchronize()
    try await settings.synchronize()
    #expect(settings.value(forKey: "key") == nil)
  }

  @Test func `values are read by their kinds`() async throws {
    let settings = try await open(Device())
    try settings.set("text", forKey: "string")
    try settings.set(3, forKey: "number")
    try settings.set(true, forKey: "truth")
    #expect(settings.string(forKey: "string") == "text")
    #expect(settings.string(forKey: "number") == nil)
    #expect(settings.integer(forKey: "number") == 3)
    #expect(settings.double(forKey: "number") == 3)
    #expect(settings.bool(forKey: "truth") == true)
    #expect(settings.bool(forKey: "number") == nil)
    #expect(settings.integer(forKey: "nothing") == nil)
  }

  @Test func `limits are typed errors, and nothing is set`() async throws {
    let settings = try await open(Device())
    func code(_ value: KeyValue, _ key: String) -> KeyValueStoreError.Code? {
      do {
        try settings.set(value, forKey: key)
        return nil
      } catch {
        return (error as? KeyValueStoreError)?.code
      }
    }
    #expect(code(1, "") == .invalidKey)
    #expect(code(1, String(repeating: "ä", count: 33)) == .invalidKey)
    #expect(code(1, String(repeating: "ä", count: 32)) == nil)
    let large = String(repeating: "x", count: KeyValueStore.maximumSize / 2)
    #expect(code(.string(large + large), "large") == .valueTooLarge)
    #expect(code(.string(large), "half") == nil)
    #expect(code(.string(large), "other half") == .quotaExceeded)
    // In its own place it fits.
    #expect(code(.string(large), "half") == nil)
    settings.removeValue(forKey: "half")
    for number in 1..<KeyValueStore.maximumKeyCount { #expect(code(1, "\(number)") == nil) }
    #expect(code(1, "one more") == .quotaExceeded)
    #expect(code(2, "1") == nil)
    #expect(settings.dictionaryRepresentation.count == KeyValueStore.maximumKeyCount)
  }

  @Test func `above a limit values can be changed and removed, and none can be added`()
    async throws
  {
    let desk = try Device()
    let settings = try await open(desk)
    var changes = settings.changes().makeAsyncIterator()
    let many = (0...KeyValueStore.maximumKeyCount).map { ("\($0)", KeyValue.integer(1)) }
    let text = String(repeating: "x", count: KeyValueStore.maximumSize * 2 / 3)
    let cases: [[String: KeyValue]] = [
      Dictionary(uniqueKeysWithValues: many), ["0": .string(text), "1": .string(text)],
    ]
    for values in cases {
      let json = try JSONEncoder().encode(values)
      try desk.write(String(decoding: json, as: UTF8.self), to: ".key-values.json")
      try await settings.synchronize()
      #expect(await changes.next()?.reason == .quotaViolation)
      #expect(throws: KeyValueStoreError.self) { try settings.set(1, forKey: "new") }
      try settings.set(2, forKey: "0")
      try await settings.synchronize()
      #expect(settings.integer(forKey: "0") == 2)
      #expect(settings.dictionaryRepresentation.count == values.count)
    }
  }

  @Test func `two devices set different keys, and of the same key the later version counts`()
    async throws
  {
    let world = try World()
    let (mira, tom) = (
      try await open(world.device("mira")), try await open(world.device("tom"))
    )
    // Both begin apart.
    try mira.set("of Mira", forKey: "mira")
    try mira.set("of Mira", forKey: "both")
    try await mira.synchronize()
    world.clock.advance(bySeconds: 60)
    try tom.set("of Tom", forKey: "tom")
    try tom.set("of Tom", forKey: "both")
    try await tom.synchronize()
    for _ in 1...2 {
      try world.exchange("mira", "tom")
      try await mira.synchronize()
      try await tom.synchronize()
    }
    let expected: [String: KeyValue] = ["mira": "of Mira", "tom": "of Tom", "both": "of Tom"]
    #expect(mira.dictionaryRepresentation == expected)
    #expect(tom.dictionaryRepresentation == expected)
    // From a common state: a removal counts like a set.
    world.clock.advance(bySeconds: 60)
    tom.removeValue(forKey: "mira")
    try await tom.synchronize()
    world.clock.advance(bySeconds: 60)
    try mira.set("later", forKey: "both")
    try await mira.synchronize()
    for _ in 1...2 {
      try world.exchange("mira", "tom")
      try await tom.synchronize()
      try await mira.synchronize()
    }
    #expect(mira.dictionaryRepresentation == ["tom": "of Tom", "both": "later"])
    #expect(tom.dictionaryRepresentation == mira.dictionaryRepresentation)
  }

  @Test func `what was set or removed last counts on every device, whatever is concurrent`()
    async throws
  {
    let world = try World()
    let devices = ["mira", "tom", "ida"]
    let stores = try await [
      open(world.device("mira")), open(world.device("tom")), open(world.device("ida")),
    ]
    var random = SeededGenerator(seed: 7)
    var expected: [String: KeyValue] = [:]
    for _ in 0..<4 {
      // All change keys at once; each change is later than all before it.
      for settings in stores {
        for _ in 0..<2 {
          let key = "\(Int.random(in: 0..<4, using: &random))"
          world.clock.advance(bySeconds: 60)
          if Bool.random(using: &random), settings.value(forKey: key) != nil {
            settings.removeValue(forKey: key)
            expected[key] = nil
          } else {
            let value = KeyValue.integer(Int64.random(in: 0..<1_000, using: &random))
            guard settings.value(forKey: key) != value else { continue }
            try settings.set(value, forKey: key)
            expected[key] = value
          }
          try await settings.synchronize()
        }
      }
      for _ in 1...3 {
        try world.exchange(devices[0], devices[1], devices[2])
        for settings in stores { try await settings.synchronize() }
      }
      for settings in stores { #expect(settings.dictionaryRepresentation == expected) }
    }
  }

  @Test func `settings are versions that may be thrown away, and files from before are read`()
    async throws
  {
    let desk = try Device()
    try desk.write("{\n  \"old\" : 1,\n  \"$x\" : 2\n}\n", to: ".key-values.json")
    let settings = try await open(desk)
    #expect(settings.dictionaryRepresentation == ["old": 1, "$x": 2])
    for number in 1...3 {
      try settings.set(.integer(Int64(number)), forKey: "$changes")
      try await settings.synchronize()
    }
    #expect(
      try await open(desk).dictionaryRepresentation == ["old": 1, "$x": 2, "$changes": 3])
    let versions = try desk.history(".key-values.json").versions
    #expect(versions.map(\.isDiscardable) == [false, true, true])
  }

  @Test(.timeLimit(.minutes(10)))
  func `changes from elsewhere are reported with their reason, own ones are not`() async throws {
    let desk = try Device()
    let settings = try await open(desk)
    var changes = settings.changes().makeAsyncIterator()
    let other = try await open(desk)
    try other.set(1, forKey: "a")
    try other.set(2, forKey: "b")
    try await other.synchronize()
    let first = await changes.next()
    #expect(first?.reason == .initialSyncChange && first?.keys == ["a", "b"])
    try settings.set(3, forKey: "own")
    try await settings.synchronize()
    try await other.synchronize()
    try other.set(4, forKey: "b")
    try await other.synchronize()
    let second = await changes.next()
    #expect(second?.reason == .serverChange && second?.keys == ["b"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a value that is no number is no change`() async throws {
    let desk = try Device()
    let (settings, other) = (try await open(desk), try await open(desk))
    try settings.set(["a": .double(.nan)], forKey: "not a number")
    try await settings.synchronize()
    try await other.synchronize()
    var changes = settings.changes().makeAsyncIterator()
    try other.set(1, forKey: "b")
    try await other.synchronize()
    #expect(await changes.next()?.keys == ["b"])
  }

  @Test func `a missing file removes no values, on no device`() async throws {
    let world = try World()
    let desk = try world.device("mira")
    let (mira, tom) = (try await open(desk), try await open(world.device("tom")))
    var expected: [String: KeyValue] = ["a": 1, "b": 2]
    for (key, value) in expected { try mira.set(value, forKey: key) }
    try await mira.synchronize()
    for round in 1...3 {
      try FileManager.default.removeItem(at: desk[".key-values.json"])
      try await mira.synchronize()
      #expect(mira.dictionaryRepresentation == expected)
      #expect(try await open(desk).dictionaryRepresentation == expected)
      // The other device sets values at the same time, or this one alone does.
      if round > 1 {
        expected["of Tom"] = .integer(Int64(round))
        try tom.set(.integer(Int64(round)), forKey: "of Tom")
        try await tom.synchronize()
      }
      if round < 3 {
        expected["new"] = .integer(Int64(round))
        try mira.set(.integer(Int64(round)), forKey: "new")
        try await mira.synchronize()
      }
      for _ in 1...2 {
        try world.exchange("mira", "tom")
        for settings in [mira, tom] { try await settings.synchronize() }
      }
      #expect(mira.dictionaryRepresentation == expected)
      #expect(tom.dictionaryRepresentation == expected)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `deleting the settings as a document removes the values, and is reported`() async throws {
    let desk = try Device()
    let settings = try await open(desk)
    try settings.set(1, forKey: "a")
    try await settings.synchronize()
    var changes = settings.changes().makeAsyncIterator()
    try desk.store.delete(desk[".key-values.json"])
    #expect(await changes.next()?.keys == ["a"])
    try settings.set(2, forKey: "b")
    try await settings.synchronize()
    #expect(try await open(desk).dictionaryRepresentation == ["b": 2])
  }

  @Test func `old versions are removed by themselves`() async throws {
    let desk = try Device()
    let settings = try await open(desk)
    for number in 1...30 {
      desk.clock.advance(bySeconds: 60)
      try settings.set(.integer(Int64(number)), forKey: "number")
      try await settings.synchronize()
    }
    let versions = try desk.history(".key-values.json").versions
    #expect((10...20).contains(versions.count))
    #expect(settings.integer(forKey: "number") == 30)
  }

  @Test func `values that can't be read are reported, and stay as they are`() async throws {
    let desk = try Device()
    let settings = try await open(desk)
    try settings.set(1, forKey: "a")
    try await settings.synchronize()
    try desk.write("no JSON", to: ".key-values.json")
    let error = await #expect(throws: KeyValueStoreError.self) { try await open(desk) }
    #expect(error?.code == .damaged)
    try settings.set(2, forKey: "a")
    await #expect(throws: KeyValueStoreError.self) { try await settings.synchronize() }
    #expect(try desk.read(".key-values.json") == "no JSON")
    #expect(settings.integer(forKey: "a") == 2)
  }
}
