/// A member that decides nothing: a value of another type is ignored, so that it costs nobody a purchase.
struct Lenient<Value: Decodable>: Decodable {
    /// The value; `nil` if it is of another type.
    var value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }

    init(_ value: Value?) { self.value = value }
}

extension Lenient: Sendable where Value: Sendable {}
