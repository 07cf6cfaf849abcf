import Foundation
import Testing

@testable import DocumentMerge

@Suite("Pairs of edits of a calendar")
struct CalendarPairsTests {
  private static let base = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Harbour//EN
    BEGIN:VEVENT
    UID:1@harbour
    DTSTAMP:20260101T100000Z
    SEQUENCE:1
    SUMMARY:Boat trip
    LOCATION:Ry
    DTSTART;TZID=Europe/Copenhagen:20260501T100000
    DTEND;TZID=Europe/Copenhagen:20260501T120000
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ida@example.com
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:tom@example.com
    DESCRIPTION:We leave the harbour at noon and come back before the night f
     alls over the water.
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:2@harbour
    SUMMARY:Dinner
    END:VEVENT
    END:VCALENDAR

    """

  private static let end = "END:VCALENDAR"

  private static let edits = [
    Edit("change the title", ("Boat trip", "Ship trip")),
    Edit("change it otherwise", ("Boat trip", "Sail trip")),
    Edit("change the next property", ("LOCATION:Ry", "LOCATION:Skive")),
    Edit("give the place a language", ("LOCATION:Ry", "LOCATION;LANGUAGE=da:Ry")),
    Edit("move the start", ("20260501T100000", "20260501T090000")),
    Edit("move the end", ("20260501T120000", "20260501T130000")),
    Edit(
      "move both", ("20260501T100000", "20260502T100000"), ("20260501T120000", "20260502T120000")),
    Edit("accept", ("NEEDS-ACTION:mailto:ida", "ACCEPTED:mailto:ida")),
    Edit("decline", ("NEEDS-ACTION:mailto:ida", "DECLINED:mailto:ida")),
    Edit("let the other one accept", ("NEEDS-ACTION:mailto:tom", "ACCEPTED:mailto:tom")),
    Edit("invite a third one", ("DESCRIPTION:", "ATTENDEE:mailto:mira@example.com\nDESCRIPTION:")),
    Edit("invite a fourth one", ("DESCRIPTION:", "ATTENDEE:mailto:jo@example.com\nDESCRIPTION:")),
    Edit("fold anew", ("before the night f\n alls", "before the nigh\n t falls")),
    Edit("fold otherwise", ("the night f\n alls", "the n\n ight falls")),
    Edit("change a word", ("at noon", "at ten")),
    Edit("change another word", ("the water", "the sea")),
    Edit("ring earlier", ("-PT10M", "-PT20M")),
    Edit("ring later", ("-PT10M", "-PT5M")),
    Edit("save again", ("20260101T100000Z", "20260103T100000Z"), ("SEQUENCE:1", "SEQUENCE:3")),
    Edit("save once more", ("20260101T100000Z", "20260102T100000Z"), ("SEQUENCE:1", "SEQUENCE:2")),
    Edit(
      "remove the appointment", ("BEGIN:VEVENT\nUID:2@harbour\nSUMMARY:Dinner\nEND:VEVENT\n", "")),
    Edit("change it", ("Dinner", "Supper")),
    Edit(
      "add an appointment",
      (end, "BEGIN:VEVENT\nUID:3@harbour\nSUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR")),
    Edit(
      "add another one",
      (end, "BEGIN:VEVENT\nUID:4@harbour\nSUMMARY:Coffee\nEND:VEVENT\nEND:VCALENDAR")),
    Edit(
      "add it otherwise",
      (end, "BEGIN:VEVENT\nUID:3@harbour\nSUMMARY:Milk\nEND:VEVENT\nEND:VCALENDAR")),
    Edit(
      "change one time of it",
      (
        "SUMMARY:Dinner\nEND:VEVENT\n",
        "SUMMARY:Dinner\nEND:VEVENT\nBEGIN:VEVENT\nUID:2@harbour\nRECURRENCE-ID:20260601\nSUMMARY:Late\nEND:VEVENT\n"
      )),
    Edit("use Windows' line ends", ("\n", "\r\n")),
  ]

  @Test("Every pair comes out as the table says")
  func pairs() throws {
    let engine = MergeEngines().engine(forFileName: "harbour.ics")
    try EditPairs(name: "calendar", engine: engine, base: Self.base, edits: Self.edits) { text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      return try CalendarFormat().valueHash(of: lines)
    }.check()
  }
}
