internal import Foundation

/// The script of the tour: two people, four documents, and a conflict in each.
enum Tour {
  /// The people who take part.
  enum Person: String, CaseIterable {
    case mira, tom

    var name: String { rawValue.capitalized }
    var device: String { self == .mira ? "mira-laptop" : "toms-phone" }
    var folder: String { device }
  }

  /// The words after "docversions".
  struct Command {
    var arguments: [String]
    /// The answer when the command asks.
    var answer: String?
    var exitCode: Int32 = 0
  }

  /// A document as a person writes it in an editor.
  struct File {
    let name: String
    let text: String
  }

  enum Step {
    case say(String)
    case write([File], by: Person)
    case run(Command, by: Person)
  }

  struct Chapter {
    let title: String
    let steps: [Step]
  }

  private static func run(
    _ person: Person, _ arguments: String..., answer: String? = nil, exitCode: Int32 = 0
  ) -> Step {
    .run(Command(arguments: arguments, answer: answer, exitCode: exitCode), by: person)
  }

  static let chapters = [
    Chapter(
      title: "Mira saves four documents, and Tom gets them.",
      steps: [
        .write(
          [
            File(name: "trip.md", text: trip()),
            File(name: "budget.csv", text: budget()),
            File(name: "cake.md", text: cake()),
            File(name: "packing.md", text: packing()),
          ], by: .mira),
        run(.mira, "save", "trip.md", "budget.csv", "cake.md", "packing.md", "-m", "first plan"),
        run(.mira, "exchange", "../shared"),
        run(.tom, "exchange", "../shared"),
      ]),
    Chapter(
      title: "Both are offline, and both go on writing.",
      steps: [
        .write(
          [
            File(name: "trip.md", text: trip(start: "Leave at 7, by train")),
            File(name: "budget.csv", text: budget(train: "262", tent: "95")),
            File(name: "cake.md", text: cake(eggs: 2)),
            File(name: "packing.md", text: packing(tent: "the small tent")),
          ], by: .mira),
        run(.mira, "save", "trip.md", "budget.csv", "cake.md", "packing.md"),
        .write(
          [
            File(name: "trip.md", text: trip(end: "Swim in the lake; back on Sunday")),
            File(name: "budget.csv", text: budget(tent: "130")),
            File(name: "cake.md", text: cake(eggs: 4)),
            File(name: "packing.md", text: packing(tent: "the big tent")),
          ], by: .tom),
        run(.tom, "save", "trip.md", "budget.csv", "cake.md", "packing.md"),
      ]),
    Chapter(
      title: "They meet again: four conflicts, and nothing is overwritten.",
      steps: [
        run(.mira, "exchange", "../shared"),
        run(.tom, "exchange", "../shared"),
        run(.mira, "exchange", "../shared"),
        run(.mira, "conflicts"),
      ]),
    Chapter(
      title: "Four ways to resolve a conflict.",
      steps: [
        .say("The changes to the trip do not contradict each other: take both."),
        run(.mira, "resolve", "--merge", "trip.md"),
        .say("Of the cake, the last version is good enough."),
        run(.mira, "resolve", "--latest", "cake.md"),
        .say(
          "In the budget, both have changed the price of the tent. Merging alone leaves it open…"),
        run(.mira, "resolve", "--merge", "budget.csv", exitCode: 1),
        .say("…so Mira is asked, and takes the first answer."),
        run(.mira, "resolve", "--ask", "budget.csv", answer: "1"),
        .say("On the packing list, she takes the version that is not shown."),
        run(.mira, "resolve", "--keep", "conflict/1", "packing.md"),
      ]),
    Chapter(
      title: "The resolutions travel; every version stays in the history.",
      steps: [
        run(.mira, "exchange", "../shared"),
        run(.tom, "exchange", "../shared"),
        run(.tom, "status"),
        run(.tom, "log", "trip.md"),
      ]),
    Chapter(
      title: "Tom wants the first plan back, and Mira gets it too.",
      steps: [
        run(.tom, "restore", "trip.md", "~2"),
        run(.tom, "exchange", "../shared"),
        run(.mira, "exchange", "../shared"),
        run(.mira, "log", "trip.md"),
      ]),
  ]

  // MARK: The documents

  private static func trip(
    start: String = "Leave at 9", end: String = "Back on Sunday"
  ) -> String {
    """
    # Three days at the lake

    ## Friday

    - \(start)
    - Groceries in the village

    ## Saturday

    - The pass, if it is dry

    ## Sunday

    - \(end)

    """
  }

  private static func budget(train: String = "240", tent: String = "120") -> String {
    """
    item,cost
    train,\(train)
    food,180
    tent,\(tent)

    """
  }

  private static func cake(eggs: Int = 3) -> String {
    """
    # Apple cake

    200 g flour, 120 g butter, 100 g sugar, \(eggs) eggs, 4 apples.
    45 minutes at 180 °C.

    """
  }

  private static func packing(tent: String = "tent") -> String {
    """
    - passport
    - \(tent)
    - stove

    """
  }
}
