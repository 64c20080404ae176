import Foundation

/// Trouble on the way of notifications. Not kept: a restart ends it.
struct NotificationFault: Sendable {
    /// So many are sent twice.
    var duplicate = 0
    /// Each is first sent so many seconds after it was signed.
    var late: TimeInterval = 0
    /// Of every two the second is sent first.
    var reorder = false
    /// So many attempts are lost on the way.
    var drop = 0
}

extension NotificationFault: Decodable {
    private enum CodingKeys: CodingKey { case duplicate, late, reorder, drop }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        duplicate = try members.decode(.duplicate, in: Limits.faultCount) ?? 0
        late = try members.decode(.late, in: Limits.lateness) ?? 0
        reorder = try members.decodeIfPresent(Bool.self, forKey: .reorder) ?? false
        drop = try members.decode(.drop, in: Limits.faultCount) ?? 0
        guard duplicate > 0 || late > 0 || reorder || drop > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .drop, in: members, debugDescription: "one of duplicate, late, reorder, drop is needed")
        }
    }
}
