package import Basics
package import Crypto

/// A numbered secret that grants are signed with.
package typealias GrantKey = NumberedKey<SymmetricKey>
