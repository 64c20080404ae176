import Foundation

/// A grant that was taken back.
struct RevokedGrantBody: Encodable {
    var grant: String
    var revokedAt: Date
}
