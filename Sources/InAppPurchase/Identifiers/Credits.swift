/// Credits by currency. Amounts are whole numbers.
public typealias Credits = [Currency: Int]
