internal import ArgumentParser
internal import DocumentVersions

/// The rules of ``ThinCommand``, with restic's names.
struct RetentionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Keep the last N versions.", valueName: "n"))
  var keepLast: Int?

  @Option(help: ArgumentHelp("Keep one version of each of the last N hours.", valueName: "n"))
  var keepHourly: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N days.", valueName: "n"))
  var keepDaily: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N weeks.", valueName: "n"))
  var keepWeekly: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N months.", valueName: "n"))
  var keepMonthly: Int?

  @Option(help: ArgumentHelp("Keep one of each of the last N years.", valueName: "n"))
  var keepYearly: Int?

  @Option(help: ArgumentHelp("Keep all versions within a time.", valueName: "duration"))
  var keepWithin: RetentionSpan?

  @Option(help: ArgumentHelp("Keep one of each hour within a time.", valueName: "duration"))
  var keepWithinHourly: RetentionSpan?

  @Option(help: ArgumentHelp("Keep one of each day within a time.", valueName: "duration"))
  var keepWithinDaily: RetentionSpan?

  @Option(help: ArgumentHelp("Keep one of each week within a time.", valueName: "duration"))
  var keepWithinWeekly: RetentionSpan?

  @Option(help: ArgumentHelp("Keep one of each month within a time.", valueName: "duration"))
  var keepWithinMonthly: RetentionSpan?

  @Option(help: ArgumentHelp("Keep one of each year within a time.", valueName: "duration"))
  var keepWithinYearly: RetentionSpan?

  func validate() throws {
    let counts = [keepLast, keepHourly, keepDaily, keepWeekly, keepMonthly, keepYearly]
    guard counts.allSatisfy({ $0 ?? 0 >= 0 }) else {
      throw ValidationError("How many to keep can’t be less than nothing.")
    }
  }

  var policy: RetentionPolicy {
    var policy = RetentionPolicy(
      last: keepLast ?? 0, hourly: keepHourly ?? 0, daily: keepDaily ?? 0,
      weekly: keepWeekly ?? 0, monthly: keepMonthly ?? 0, yearly: keepYearly ?? 0,
      within: keepWithin)
    policy.spans[.hour] = keepWithinHourly
    policy.spans[.day] = keepWithinDaily
    policy.spans[.week] = keepWithinWeekly
    policy.spans[.month] = keepWithinMonthly
    policy.spans[.year] = keepWithinYearly
    return policy
  }
}

extension RetentionSpan: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
