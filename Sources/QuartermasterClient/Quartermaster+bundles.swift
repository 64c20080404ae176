import Foundation

extension Quartermaster {
    /// Downloads a bundle, or its update. There is one download of a bundle at a time: until it is over, calling this
    /// again returns the same one. If the process ends before, it goes on at the next start, unless it was paused.
    ///
    /// - Parameter network: what its requests may use from now on. Without it, what they use already, and of a new
    ///   download, all.
    /// - Returns: its progress, until it is installed or has failed.
    public nonisolated func download(_ bundle: String, over network: DownloadNetwork? = nil) -> BundleDownload {
        bundles.download(bundle, network.map { DownloadControl.Options(network: $0) })
    }

    /// The downloads that are not over, by name: those that run, and those that wait for the player or the network,
    /// also from an earlier launch.
    public nonisolated var unfinishedDownloads: [DownloadProgress] {
        bundles.progress.values.filter { progress in
            if case .failed(let error) = progress.phase { return error.passes }
            return !progress.isLast
        }.sorted { $0.bundle < $1.bundle }
    }

    /// Downloads the essential bundles that are for the player and not on the device, before anything else.
    func downloadEssentials() async {
        guard isStarted, let network = configuration.essentialsOver else { return }
        let state = await state
        for bundle in state.bundles where bundle.isEssential && bundle.isForPlayer && bundle.isReadable {
            guard bundle.installed == nil, bundle.progress == nil else { continue }
            _ = bundles.download(bundle.name, DownloadControl.Options(network: network, isFirst: true))
        }
    }

    /// The version of a bundle that is on the device. `nil` if there is none, or if the player may not read it.
    public func installed(_ bundle: String) async -> InstalledBundle? {
        guard let installed = await bundles.installed(bundle) else { return nil }
        let state = await state
        return isReadable(bundle, version: installed.version, in: state) ? installed : nil
    }

    /// Asks the server whether there is a newer version of an installed bundle. The answer is signed: nothing between
    /// the two can hide a newer version for longer than a day. It costs a few hundred bytes if there is none.
    ///
    /// - Returns: the newer version, or `nil`.
    /// - Throws: ``DownloadError``.
    public func update(of bundle: String) async throws(DownloadError) -> String? {
        try await bundles.update(of: bundle)
    }

    /// Whether the account keeps versions of a bundle that nothing gives access to any more, as the server says now:
    /// only then does the server not state which version is the newest.
    ///
    /// - Throws: what the request throws, unless the entitlements that are known say so.
    func isRetained(_ bundle: String) async throws -> Bool {
        do {
            try await refreshEntitlements()
        } catch {
            guard isKnownAsRetained(bundle) else { throw error }
        }
        return isKnownAsRetained(bundle)
    }

    private func isKnownAsRetained(_ bundle: String) -> Bool {
        if productList.value?.openBundles.contains(bundle) == true { return false }
        let including = (entitlements.value?.entitlements ?? []).filter { $0.bundles.contains(bundle) }
        return including.contains(where: \.keeps) && !including.contains { $0.hasAccess(at: time.now) }
    }

    /// Removes a bundle from the device. It can be downloaded again. The second time nothing happens.
    public func remove(_ bundle: String) async {
        await bundles.remove(bundle)
        await publish()
    }

    /// The bundles that the player can read, could buy, or has on the device, by name.
    func bundleStatuses(in state: ShopState) async -> [BundleStatus] {
        let installed = await bundles.installedVersions
        let progress = bundles.progress
        let listed = bundleList.value?.bundles ?? []
        let lists = [productList.value?.contents ?? []] + listedProducts.map(\.contents)
        let contents = lists.flatMap(\.self)
        let chosen = Set(lists.flatMap { ListedContent.chosen(of: $0, for: configuration.languages) })
        let names = Set(installed.keys).union(progress.keys).union(listed.map(\.bundle)).union(contents.map(\.bundle))
            .union(productList.value?.openBundles ?? [])
        return names.sorted().map { name in
            let own = listed.first { $0.bundle == name }
            let offered = contents.first { $0.bundle == name }
            let version = own?.version ?? offered?.version
            return BundleStatus(
                name: name, version: version, size: own?.size ?? offered?.size, installed: installed[name],
                update: update(from: installed[name], to: version),
                isReadable: isReadable(name, version: installed[name], in: state),
                isEssential: offered?.isEssential ?? false, languages: offered?.languages ?? [],
                isForPlayer: offered.map { chosen.contains($0.bundle) } ?? true, progress: progress[name])
        }
    }

    private func update(from installed: String?, to version: String?) -> String? {
        guard let installed = installed.flatMap(SemanticVersion.init), let version,
            let newest = SemanticVersion(version)
        else { return nil }
        return installed < newest ? version : nil
    }

    /// Whether the player may read a bundle, also without the network: it is open for everybody, something that
    /// includes it gives access, or it is a version that stays readable after a subscription.
    private func isReadable(_ bundle: String, version: String?, in state: ShopState) -> Bool {
        if productList.value?.openBundles.contains(bundle) == true { return true }
        let including = state.entitlements.filter { $0.bundles.contains(bundle) }
        if including.contains(where: { $0.hasAccess(at: state.time) }) { return true }
        guard including.contains(where: \.keeps), let version else { return false }
        return bundleList.value?.bundles.first { $0.bundle == bundle }?.versions.contains(version) == true
    }
}
