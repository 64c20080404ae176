import Foundation

/// The intervals between attempts, in hours.
enum RetryRule {
    static let version1: [TimeInterval] = [6, 24, 48]
    static let version2: [TimeInterval] = [1, 12, 24, 48, 72]
}
