/// The end of a write whose changes are only inspected; thrown so that they are rolled back.
struct RolledBackWrite<Result: Sendable>: Error {
    let result: Result
}
