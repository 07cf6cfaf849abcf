import DocumentMerge
import DocumentTestSupport

/// A calendar that a test makes and edits.
struct RandomCalendar {
  struct Event {
    var uid: String
    var properties: [(name: String, value: String)]

    var text: String {
      let lines = [("UID:", uid)] + properties.map { ($0.name, $0.value) }
      return "BEGIN:VEVENT\n" + lines.map { $0.0 + $0.1 + "\n" }.joined() + "END:VEVENT\n"
    }
  }

  var events: [Event]

  var written: [UInt8] {
    let head = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y\n"
    return Array((head + events.map(\.text).joined() + "END:VCALENDAR\n").utf8)
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func event(_ uid: String) -> RandomCalendar.Event {
    let all = [
      ("SUMMARY:", "Boat trip"), ("LOCATION;LANGUAGE=en:", "Ry"), ("DESCRIPTION:", "We\n  leave"),
      ("STATUS:", "CONFIRMED"), ("ATTENDEE;CN=Ida:", "mailto:ida@x"), ("CATEGORIES:", "A,B"),
      ("X-COLOR:", "red"),
    ]
    let chosen = all.shuffled(using: &self).prefix(1 + pick(6))
    return RandomCalendar.Event(uid: uid, properties: chosen.map { (name: $0.0, value: $0.1) })
  }

  mutating func calendar() -> RandomCalendar {
    let uids = ["a@x", "b@x", "c@x", "d@x"].shuffled(using: &self).prefix(pick(5))
    return RandomCalendar(events: uids.map { event($0) })
  }

  /// The calendar after some edits; each has a mark and a number of its own.
  mutating func edited(_ document: RandomCalendar, mark: String) -> RandomCalendar {
    var document = document
    for edit in 0...pick(3) {
      let new = "\(mark)\(edit)"
      let count = document.events.count
      let place = pick(max(count, 1))
      let properties = count > 0 ? document.events[place].properties.count : 0
      switch pick(8) {
      case 0...2 where properties > 0:
        // An address is what an attendee is called by.
        let property = pick(properties)
        guard document.events[place].properties[property].name.first != "A" else { continue }
        document.events[place].properties[property].value = new
      case 3 where properties > 0:
        document.events[place].properties.remove(at: pick(properties))
      case 4 where count > 0: document.events.remove(at: place)
      case 5 where count > 0:
        document.events[place].properties.append((name: "X-\(new.uppercased()):", value: new))
      case 6 where count > 0 && document.events[place].properties.allSatisfy({ $0.name != "X-N:" }):
        document.events[place].properties.append((name: "X-N:", value: new))
      default:
        let event = RandomCalendar.Event(
          uid: new, properties: [(name: "SUMMARY:", value: "a new one \(new)")])
        document.events.insert(event, at: pick(count + 1))
      }
    }
    return document
  }

  /// A base and two edited sides.
  mutating func calendarSides() -> MergeSides<[UInt8]> {
    let base = calendar()
    let (ours, theirs) = (edited(base, mark: "o"), edited(base, mark: "t"))
    return MergeSides(base: base.written, ours: ours.written, theirs: theirs.written)
  }
}
