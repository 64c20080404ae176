extension [Int] {
    /// The ranges of consecutive numbers of an array without duplicates, in ascending order.
    var consecutive: [ClosedRange<Int>] {
        reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound == number &- 1 {
                ranges[ranges.endIndex - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }
}
