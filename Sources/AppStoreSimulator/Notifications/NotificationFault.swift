import Foundation

/// Injected faults in sending notifications. Not stored: a restart removes them.
struct NotificationFault: Sendable {
    /// The number of notifications that are sent twice.
    var duplicate = 0
    /// The delay between signing and the first attempt, in seconds.
    var late: TimeInterval = 0
    /// Whether of every two notifications the second is sent first.
    var reorder = false
    /// The number of attempts that are lost.
    var drop = 0
}

extension NotificationFault: Decodable {
    private enum CodingKeys: CodingKey { case duplicate, late, reorder, drop }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        duplicate = try members.decode(.duplicate, in: SimulatorLimits.faultCount) ?? 0
        late = try members.decode(.late, in: SimulatorLimits.lateness) ?? 0
        reorder = try members.decodeIfPresent(Bool.self, forKey: .reorder) ?? false
        drop = try members.decode(.drop, in: SimulatorLimits.faultCount) ?? 0
        guard duplicate > 0 || late > 0 || reorder || drop > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .drop, in: members, debugDescription: "one of duplicate, late, reorder, drop is needed")
        }
    }
}
