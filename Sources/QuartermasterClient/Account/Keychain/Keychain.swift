#if canImport(Security)
    import Foundation
    import Security

    /// The generic passwords of one service, each a JSON value.
    ///
    /// Any error of the keychain but "not found" is ``CredentialsUnavailable``: before the first unlock, items that
    /// exist cannot be read, and without the entitlement none can.
    struct Keychain: Sendable {
        let service: String
        /// The access group of the items, or `nil` for the app's own.
        let accessGroup: String?

        /// The item's value, or `nil` if there is no such item.
        func value<Value: Decodable>(_ item: KeychainItem) throws -> Value? {
            var query = query(item)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            guard let data = try copy(query) as? NSData else { return nil }
            return try decode(Data(referencing: data))
        }

        /// The values of items by the prefix of their names, oldest first.
        ///
        /// - Parameter isShared: whether of those that iCloud shares, or of the others.
        func values<Value: Decodable>(withPrefix prefix: String, isShared: Bool) throws -> [Value] {
            var query = query
            query[kSecAttrSynchronizable] = isShared
            query[kSecReturnAttributes] = true
            query[kSecReturnData] = true
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

        private var query: [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        private func query(_ item: KeychainItem) -> [CFString: Any] {
            query.merging([kSecAttrAccount: item.account, kSecAttrSynchronizable: item.isShared]) { $1 }
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
