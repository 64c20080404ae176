public import Foundation

// Apple declares these in Core Foundation, to which Foundation's types are bridged.
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

/// https://developer.apple.com/documentation/security/errsecsuccess
@available(iOS 2.0, macOS 10.0, visionOS 1.0, *)
public let errSecSuccess: OSStatus = 0
/// https://developer.apple.com/documentation/security/errsecduplicateitem
@available(iOS 2.0, macOS 10.0, visionOS 1.0, *)
public let errSecDuplicateItem: OSStatus = -25299
/// https://developer.apple.com/documentation/security/errsecitemnotfound
@available(iOS 2.0, macOS 10.0, visionOS 1.0, *)
public let errSecItemNotFound: OSStatus = -25300
/// https://developer.apple.com/documentation/security/errsecinteractionnotallowed
@available(iOS 2.0, macOS 10.0, visionOS 1.0, *)
public let errSecInteractionNotAllowed: OSStatus = -25308
/// https://developer.apple.com/documentation/security/errsecmissingentitlement
public let errSecMissingEntitlement: OSStatus = -34018
/// https://developer.apple.com/documentation/security/errsecdecode
@available(iOS 2.0, macOS 10.0, visionOS 1.0, *)
public let errSecDecode: OSStatus = -26275

/// https://developer.apple.com/documentation/security/ksecclass
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// https://developer.apple.com/documentation/security/ksecclassgenericpassword
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// https://developer.apple.com/documentation/security/ksecattrservice
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// https://developer.apple.com/documentation/security/ksecattraccount
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// https://developer.apple.com/documentation/security/ksecattraccessgroup
@available(iOS 3.0, macOS 10.9, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// https://developer.apple.com/documentation/security/ksecattrcreationdate
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// https://developer.apple.com/documentation/security/ksecattrsynchronizable
@available(iOS 7.0, macOS 10.9, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// https://developer.apple.com/documentation/security/ksecattraccessible
@available(iOS 4.0, macOS 10.9, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlock
@available(iOS 4.0, macOS 10.9, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly
@available(iOS 4.0, macOS 10.9, visionOS 1.0, *)
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// https://developer.apple.com/documentation/security/ksecreturndata
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// https://developer.apple.com/documentation/security/ksecreturnattributes
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// https://developer.apple.com/documentation/security/ksecvaluedata
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// https://developer.apple.com/documentation/security/ksecmatchlimit
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// https://developer.apple.com/documentation/security/ksecmatchlimitone
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// https://developer.apple.com/documentation/security/ksecmatchlimitall
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"

/// https://developer.apple.com/documentation/security/secitemadd(_:_:)
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    KeychainInMemory.shared.add(attributes)
}

/// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    KeychainInMemory.shared.copy(query, to: result)
}

/// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    KeychainInMemory.shared.update(query, attributesToUpdate)
}

/// https://developer.apple.com/documentation/security/secitemdelete(_:)
@available(iOS 2.0, macOS 10.6, visionOS 1.0, *)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    KeychainInMemory.shared.delete(query)
}
