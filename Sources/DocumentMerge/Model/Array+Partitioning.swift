extension Array {
  /// Returns the number of elements before the first one that satisfies a condition, if all elements from it
  /// on do.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns a longest list of elements, in their order, of which none has a lower value than the one before.
  func longestRise(by value: (Element) -> Int) -> [Element] {
    let values = map(value)
    if zip(values, values.dropFirst()).allSatisfy(<=) { return self }
    // For each length, the index of the lowest value that ends such a list.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: count)
    for (index, value) in values.enumerated() {
      let length = ends.partitioningIndex { values[$0] > value }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length < ends.count { ends[length] = index } else { ends.append(index) }
    }
    var rise: [Element] = []
    var next = ends.last
    while let index = next {
      rise.append(self[index])
      next = previous[index]
    }
    return rise.reversed()
  }
}
