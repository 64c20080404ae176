#if canImport(Security)
    import Foundation
    import Security

    /// The generic passwords of one service, each a JSON value.
    ///
    /// Any error of the keychain but "not found" is ``CredentialsUnavailable``: before the first unlock, items that
    /// exist cannot be read.
    struct Keychain: Sendable {
        let service: String

        /// The item's value, or `nil` if there is no such item.
        func value<Value: Decodable>(_ item: KeychainItem) throws -> Value? {
            var query = query(item)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            guard let data = try copy(query) as? NSData else { return nil }
            return try decode(Data(referencing: data))
        }

        /// The values of items that iCloud shares, by the prefix of their names, oldest first.
        func values<Value: Decodable>(withPrefix prefix: String) throws -> [Value] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrSynchronizable: true,
                kSecUseDataProtectionKeychain: true, kSecReturnAttributes: true, kSecReturnData: true,
            ]
            query[kSecMatchLimit] = kSecMatchLimitAll
            let found = (try copy(query) as? NSArray ?? []).compactMap { $0 as? NSDictionary }
            return found.filter { (($0[kSecAttrAccount] as? String) ?? "").hasPrefix(prefix) }
                .sorted { created($0) < created($1) }
                .compactMap { ($0[kSecValueData] as? NSData).flatMap { try? decode(Data(referencing: $0)) } }
        }

        /// Adds the item, or replaces its value.
        func save(_ value: some Encodable, as item: KeychainItem) throws {
            let changes: [CFString: Any] = [
                kSecValueData: NSData(data: try JSONEncoder().encode(value)), kSecAttrAccessible: item.accessibility,
            ]
            let added = SecItemAdd(dictionary(query(item).merging(changes) { $1 }), nil)
            guard added == errSecDuplicateItem else { return try check(added) }
            try check(SecItemUpdate(dictionary(query(item)), dictionary(changes)))
        }

        /// Removes the item. The second time nothing happens.
        func remove(_ item: KeychainItem) throws {
            let status = SecItemDelete(dictionary(query(item)))
            if status != errSecItemNotFound { try check(status) }
        }

        private func query(_ item: KeychainItem) -> [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: item.account,
                kSecAttrSynchronizable: item.isShared, kSecUseDataProtectionKeychain: true,
            ]
        }

        /// The keychain's result, or `nil` if it found nothing.
        private func copy(_ query: [CFString: Any]) throws -> CFTypeRef? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(dictionary(query), &result)
            if status == errSecItemNotFound { return nil }
            try check(status)
            return result
        }

        private func check(_ status: OSStatus) throws {
            guard status == errSecSuccess else { throw CredentialsUnavailable(status: Int(status)) }
        }

        private func decode<Value: Decodable>(_ data: Data) throws -> Value {
            guard let value = try? JSONDecoder().decode(Value.self, from: data) else {
                throw CredentialsUnavailable(status: Int(errSecDecode))
            }
            return value
        }

        private func created(_ item: NSDictionary) -> Date { item[kSecAttrCreationDate] as? Date ?? .distantPast }

        private func dictionary(_ values: [CFString: Any]) -> CFDictionary {
            NSDictionary(dictionary: values) as CFDictionary
        }
    }
#endif
