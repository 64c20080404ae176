public import Foundation

/// The keychain of a device, as far as Apple documents what generic passwords do: an item is known by service, account and
/// synchronizable, in an access group; a query without synchronizable finds items that stay on the device, one without a
/// group those of all groups.
///
/// For a program with one thread.
public final class KeychainInMemory {
    public nonisolated(unsafe) static let shared = KeychainInMemory()

    /// Before the first unlock nothing can be read or written.
    public var isLocked = false
    /// The groups that the app's entitlements name, the first for items that are added without one.
    public var groups = ["own"]
    public private(set) var items: [[String: Any]] = []
    private var created = 0.0

    /// A new device of the same person: what iCloud shares is there, and what a backup restores.
    public func becomeNewDevice(fromBackup: Bool) {
        items = items.filter { item in
            let isShared = item["sync"] as? Bool == true
            return isShared || (fromBackup && item["pdmn"] as? String == "ck")
        }
    }

    func add(_ attributes: NSDictionary) -> OSStatus {
        if let refusal = refusal(attributes) { return refusal }
        var item = values(attributes)
        item["agrp"] = item["agrp"] ?? groups.first
        guard !items.contains(where: { key($0) == key(item) }) else { return errSecDuplicateItem }
        created += 1
        item["cdat"] = Date(timeIntervalSince1970: created)
        items.append(item)
        return errSecSuccess
    }

    func copy(_ query: NSDictionary, to result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        if let refusal = refusal(query) { return refusal }
        let found = matches(values(query)).map { items[$0] }
        guard let first = found.first else { return errSecItemNotFound }
        if values(query)["m_Limit"] as? String == "m_LimitAll" {
            result?.pointee = NSArray(array: found.map { NSDictionary(dictionary: $0) })
        } else {
            result?.pointee = first["v_Data"] as? NSData
        }
        return errSecSuccess
    }

    func update(_ query: NSDictionary, _ changes: NSDictionary) -> OSStatus {
        if let refusal = refusal(query) { return refusal }
        let found = matches(values(query))
        for index in found { items[index].merge(values(changes)) { $1 } }
        return found.isEmpty ? errSecItemNotFound : errSecSuccess
    }

    func delete(_ query: NSDictionary) -> OSStatus {
        if let refusal = refusal(query) { return refusal }
        let found = Set(matches(values(query)))
        items = items.enumerated().filter { !found.contains($0.offset) }.map(\.element)
        return found.isEmpty ? errSecItemNotFound : errSecSuccess
    }

    private func refusal(_ query: NSDictionary) -> OSStatus? {
        if isLocked { return errSecInteractionNotAllowed }
        let group = values(query)["agrp"] as? String ?? groups.first
        return group.map(groups.contains) == true ? nil : errSecMissingEntitlement
    }

    private func matches(_ query: [String: Any]) -> [Int] {
        items.indices.filter { index in
            ["class", "svce", "acct", "agrp"].allSatisfy { name in
                query[name] == nil || query[name] as? String == items[index][name] as? String
            } && (query["sync"] as? Bool ?? false) == (items[index]["sync"] as? Bool ?? false)
        }
    }

    private func key(_ item: [String: Any]) -> [String] {
        ["svce", "acct", "sync", "agrp"].map { "\(item[$0] ?? false)" }
    }

    private func values(_ dictionary: NSDictionary) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, value) in dictionary {
            guard let name = text(name) else { continue }
            values[name] = text(value) ?? value
        }
        return values
    }

    private func text(_ value: Any) -> String? {
        (value as? NSString).map { String(describing: $0) } ?? value as? String
    }
}
