internal import ArgumentParser

/// A time such as `2s`, `10m` or `1h`, as the user typed it; a number alone is seconds.
struct PauseArgument: ExpressibleByArgument, CustomStringConvertible {
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  init?(argument: String) {
    let units = ["s": 1, "m": 60, "h": 3600]
    let unit = argument.last.flatMap { units[String($0)] }
    guard let number = Int(unit == nil ? argument : String(argument.dropLast())),
      (1...86_400 / (unit ?? 1)).contains(number)
    else { return nil }
    seconds = number * (unit ?? 1)
  }

  var description: String {
    let units = [("h", 3600), ("m", 60)]
    let unit = units.first { seconds % $0.1 == 0 } ?? ("s", 1)
    return "\(seconds / unit.1)\(unit.0)"
  }

  var defaultValueDescription: String { description }
}
