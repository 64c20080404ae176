#if canImport(Security)
    import Foundation
    import Security

    /// The name of an item, and when it can be read.
    struct KeychainItem {
        let account: String
        /// The condition for reading it, and whether it leaves the device, in encrypted backups or by iCloud.
        let accessibility: CFString
        let isShared: Bool

        /// The device's session. It never leaves the device.
        static var session: Self {
            Self(account: "session", accessibility: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, isShared: false)
        }

        /// The recovery code of the device's account.
        static var recoveryCode: Self {
            Self(account: "recovery-code", accessibility: kSecAttrAccessibleAfterFirstUnlock, isShared: false)
        }

        /// The mark of a device on which the player signed out.
        static var signedOut: Self {
            Self(
                account: "signed-out", accessibility: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, isShared: false)
        }

        static let replacedPrefix = "replaced-code."

        /// The recovery code of an account that another took the place of on this device.
        static func replacedCode(_ id: UUID) -> Self {
            Self(
                account: replacedPrefix + id.uuidString.lowercased(), accessibility: kSecAttrAccessibleAfterFirstUnlock,
                isShared: false)
        }

        static let sharedPrefix = "recovery-code."

        /// The recovery code of an account, for all devices of the player.
        static func sharedCode(_ id: UUID) -> Self {
            Self(
                account: sharedPrefix + id.uuidString.lowercased(), accessibility: kSecAttrAccessibleAfterFirstUnlock,
                isShared: true)
        }
    }
#endif
