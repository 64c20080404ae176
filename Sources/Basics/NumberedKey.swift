package import Foundation

/// A secret key with its number, which all replicas share.
package struct NumberedKey<Secret: Sendable>: Sendable {
    package let number: Int
    package let created: Date
    package let secret: Secret

    package init(number: Int, created: Date, secret: Secret) {
        self.number = number
        self.created = created
        self.secret = secret
    }
}
