// Plays what KeychainCredentials does on one device and on a second one, against KeychainInMemory. Compiled together with
// the client's Account folder by scripts/check-storekit.sh. Ends with 1 at the first thing that is not as it must be.
import Foundation
import Security

func expect(_ condition: Bool, _ what: String) {
    guard !condition else { return }
    print("keychain: \(what)")
    exit(1)
}

let keychain = KeychainInMemory.shared
let first = PlayerAccount(id: UUID(), recoveryCode: "first-code", accessToken: "first-token")
let second = PlayerAccount(id: UUID(), recoveryCode: "second-code", accessToken: "second-token")
// What an app gets that says nothing.
let store = KeychainCredentials(bundleID: "com.example.game")
let local = KeychainCredentials(bundleID: "com.example.game", sharing: .device)

func reason(_ work: () throws -> Void) -> CredentialsUnavailable.Reason? {
    do {
        try work()
        return nil
    } catch {
        return (error as? CredentialsUnavailable)?.reason
    }
}

func isLater(_ work: () throws -> Void) -> Bool { reason(work) == .locked }

// One device.
expect(try store.load() == nil, "a new device has an account")
try store.save(first)
expect(try store.load() == first, "what was saved is not loaded")
try store.save(PlayerAccount(id: first.id, recoveryCode: "first-code", accessToken: "newer-token"))
expect(try store.load()?.accessToken == "newer-token", "the second save does not replace the first")
expect(keychain.items.count == 3, "there are \(keychain.items.count) items: \(keychain.items.map { $0["acct"] ?? "" })")
for item in keychain.items {
    let isShared = item["sync"] as? Bool == true
    let text = (item["v_Data"] as? NSData).map { String(decoding: Data(referencing: $0), as: UTF8.self) } ?? ""
    expect(item["svce"] as? String == "quartermaster.com.example.game", "another service")
    if text.contains("newer-token") {
        expect(!isShared && item["pdmn"] as? String == "cku", "the token leaves the device")
    } else {
        expect(text.contains("first-code") && item["pdmn"] as? String == "ck", "an item that is neither")
    }
}

expect(try store.mayReceiveAccounts(), "nothing comes from iCloud by default")
expect(try !local.mayReceiveAccounts(), "something comes to a device that does not share")

// Before the first unlock.
keychain.isLocked = true
expect(isLater { _ = try store.load() }, "a locked keychain has no account")
expect(isLater { _ = try store.otherAccounts() }, "a locked keychain has no other accounts")
expect(isLater { try store.save(second) }, "a locked keychain takes an account")
expect(isLater { try store.remove() }, "a locked keychain lets an account be removed")
keychain.isLocked = false
expect(try store.load()?.accessToken == "newer-token", "the account is gone after the unlock")

// The player's next device finds the account, and one that does not share finds none.
keychain.becomeNewDevice(fromBackup: false)
expect(
    try store.load() == PlayerAccount(id: first.id, recoveryCode: "first-code", accessToken: nil),
    "no account on a new phone"
)
expect(try local.load() == nil, "a store that does not share finds an account")
expect(try store.otherAccounts().isEmpty, "the account that is opened is another as well")

// A device that made an account of its own before iCloud was there.
try store.save(second)
expect(try store.load() == second, "the device's own account is not the one that is used")
expect(try store.otherAccounts().map(\.id) == [first.id], "the other device's account is not reported")
expect(try store.otherAccounts().map(\.recoveryCode) == ["first-code"], "the other account cannot be opened")

// Its backup, on a new device.
keychain.becomeNewDevice(fromBackup: true)
expect(
    try store.load() == PlayerAccount(id: second.id, recoveryCode: "second-code", accessToken: nil),
    "nothing from the backup")

// Signed out: nothing of the account is left, the other one stays in iCloud and is not opened by itself.
try store.save(second)
try store.remove()
expect(try store.load() == nil, "another account is opened after signing out")
expect(try store.otherAccounts().map(\.id) == [first.id], "signing out removed another account, or not its own")
try store.remove()
try store.save(first)
expect(try store.load() == first, "no account after signing in again")
expect(try store.otherAccounts().isEmpty, "the code of the account that was removed is still there")

// A sign-in that replaces an account loses no code, whether or not codes are shared.
for sharing in [KeychainCredentials.Sharing.device, .iCloud] {
    let name = "com.example.\(sharing)"
    let device = KeychainCredentials(bundleID: name, sharing: sharing)
    try device.save(first)
    try device.save(second)
    expect(try device.load() == second, "\(sharing): the account was not replaced")
    expect(try device.otherAccounts().map(\.recoveryCode) == ["first-code"], "\(sharing): the replaced code is lost")
    try device.save(first)
    expect(try device.otherAccounts().map(\.recoveryCode) == ["second-code"], "\(sharing): one of the codes is lost")
    try device.remove()
    expect(try device.load() == nil, "\(sharing): signing out opens another account")
    expect(try device.otherAccounts().map(\.id) == [second.id], "\(sharing): signing out lost another code")
    expect(try !device.mayReceiveAccounts(), "\(sharing): after signing out an account may come")
}

// Another app of the studio, and a group that the app has no entitlement for.
let shared = KeychainCredentials(bundleID: "com.example.studio", accessGroup: "TEAM.studio")
expect(reason { try shared.save(first) } == .missingEntitlement, "a group without an entitlement has no name")
expect(reason { _ = try shared.load() } == .missingEntitlement, "a group without an entitlement has no account")
keychain.groups = ["own", "TEAM.studio"]
try shared.save(first)
expect(keychain.items.filter { $0["agrp"] as? String == "TEAM.studio" }.count == 3, "not all items are in the group")
keychain.groups = ["other", "TEAM.studio"]
expect(try shared.load() == first, "the other app finds no account")
expect(reason { _ = try shared.otherAccounts() } == nil, "the group is not asked for other accounts")
keychain.groups = ["own", "TEAM.studio"]

// The process ended between the code and the session.
try store.save(second)
_ = SecItemDelete(NSDictionary(dictionary: [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "session"]))
expect(try store.load()?.recoveryCode == "second-code", "the code alone does not open the account")
// What nobody can read is not nothing.
_ = SecItemAdd(
    NSDictionary(dictionary: [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "quartermaster.com.example.other",
        kSecAttrAccount: "session", kSecValueData: NSData(data: Data("?".utf8)),
    ]), nil)
do {
    let account = try KeychainCredentials(bundleID: "com.example.other").load()
    expect(false, "an item that cannot be read is \(account as Any)")
} catch { expect(error is CredentialsUnavailable, "\(error)") }
print("keychain: all right")
