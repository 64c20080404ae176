import Foundation

extension Quartermaster {
    /// How long the list of bundles is used without asking again, if neither the products nor the entitlements changed.
    private static let bundleListLifetime: TimeInterval = 86_400

    /// Asks the server and the store for what is new. What cannot be fetched stays as it was.
    ///
    /// - Throws: the first error of the server, after everything was requested.
    public func refresh() async throws {
        var firstError: (any Error)?
        var isChanged = false
        let earlier = lastError
        do { isChanged = try await refreshProducts() } catch { firstError = error }
        canMakePayments = await source.canMakePayments()
        await refreshStoreProducts()
        do {
            if try await session.current() != nil {
                isChanged = try await refreshEntitlements() || isChanged
                try await refreshBundleList(isChanged: isChanged)
            }
        } catch { firstError = firstError ?? error }
        isOnline = !(firstError is ConnectionError)
        tell(firstError.map { ShopEvent(.refreshFailed, at: time.now, $0) } ?? ShopEvent(.refreshed, at: time.now))
        if lastError == earlier { lastError = nil }
        accountsFound = (try? await session.others().map(\.id)) ?? accountsFound
        time.save()
        await publish()
        if let firstError { throw firstError }
    }

    /// Refreshes what a delivery has changed.
    func refreshAfterDelivery() async throws {
        needsEntitlements = true
        try await refreshEntitlements()
        try await refreshBundleList(isChanged: true)
    }

    /// - Returns: whether the list has changed.
    private func refreshProducts() async throws -> Bool {
        var storefront = configuration.storefront
        if storefront == nil { storefront = await source.storefront() }
        var request = APIRequest(.get, "v1", "apps", configuration.bundleID, "products")
        request.query = [
            ("appVersion", configuration.appVersion), ("platform", Self.platform),
            ("storefront", storefront),
        ]
        request.mayUseMirror = true
        let (conditional, number) = productList.begin(request)
        return try productList.update(try await api.send(conditional), to: number, at: time.now) ?? false
    }

    private func refreshBundleList(isChanged: Bool) async throws {
        if !isChanged, let checkedAt = bundleList.checkedAt,
            time.now.timeIntervalSince(checkedAt) < Self.bundleListLifetime
        {
            return
        }
        var request = APIRequest(.get, "v1", "bundles")
        request.query = [("appVersion", configuration.appVersion)]
        request.mayUseMirror = true
        let number = bundleList.begin(request).number
        _ = try bundleList.update(try await session.send(request), to: number, at: time.now)
    }

    /// Asks the store about the products of the list. An error leaves what it said before.
    private func refreshStoreProducts() async {
        let ids = listedProducts.map(\.id)
        guard !ids.isEmpty else { return }
        let found: [SourceProduct]
        do {
            found = try await source.products(ids)
            storeAnswered = true
        } catch {
            storeAnswered = false
            return tell(ShopEvent(.storeFailed, at: time.now, error))
        }
        storeProducts = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        await reportUnavailable(Set(ids).subtracting(found.map(\.id)))
    }

    /// Tells the server which products the store does not know, once per process.
    private func reportUnavailable(_ ids: Set<String>) async {
        for id in ids.subtracting(unknownProducts).sorted() {
            tell(ShopEvent(.productUnknown, at: time.now, subject: id))
        }
        unknownProducts = ids
        let new = ids.subtracting(reportedUnavailable).sorted().prefix(Self.maximumReported)
        guard productList.value != nil, !new.isEmpty else { return }
        let path = APIRequest(.post, "v1", "apps", configuration.bundleID, "unavailable-products")
        guard let request = try? path.json(["productIDs": Array(new)]), (try? await api.send(request)) != nil else {
            return
        }
        reportedUnavailable.formUnion(new)
    }

    /// The maximum number of product IDs that the server accepts in one report.
    private static let maximumReported = 100

    #if os(iOS)
        private static let platform: String? = "iOS"
    #elseif os(visionOS)
        private static let platform: String? = "visionOS"
    #elseif os(macOS)
        private static let platform: String? = "macOS"
    #else
        private static let platform: String? = nil
    #endif

    /// Makes every later request to the server fail as if there were no connection, until this is called with `false`:
    /// for players who do not want to use the network now. What is installed stays readable.
    public func setOffline(_ isOffline: Bool) async {
        api.transport.setOffline(isOffline)
        guard isOffline else { return await engine.retryNow() }
        isOnline = false
        await publish()
    }
}
