/// The simulator's answer to a purchase that waits for an approval.
struct SimulatorPending: Sendable, Decodable {
    var purchase: String
}
