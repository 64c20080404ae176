import Foundation

#if canImport(Network)
    import Network
#endif

extension Quartermaster {
    /// Follows the app to the foreground and the background, until the task is cancelled.
    func followApp() async {
        await AppLifecycle.observe(at: configuration.notifications) { change in
            switch change {
            case .foreground: await enterForeground()
            case .background: await enterBackground()
            }
        }
    }

    /// Sends what waits, when the network is back.
    func followNetwork() async {
        await NetworkPath.observe {
            await resume()
            await bundles.resumeUnfinished()
        }
    }

    /// Has the next requests sent after the system launched or woke the app for a ``BackgroundTransport``. Call it from
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`, with the shop started, and the handler
    /// when it returns, which is after 20 seconds at the latest.
    public func prepareForSuspension() async {
        await start()
        await bundles.resumeUnfinished()
        await bundles.prepareForSuspension()
    }

    /// In an App Group, lets other processes have the folder while the app is suspended. Nothing is requested or
    /// downloaded meanwhile.
    private func enterBackground() async {
        guard ClientFolder.isInAppGroup(configuration.folder), downloadsOfForeground == nil else { return }
        api.transport.setSuspended(true)
        downloadsOfForeground = await bundles.pauseAll()
        time.save()
        lock.leave()
    }

    private func enterForeground() async {
        if let downloads = downloadsOfForeground {
            // Another process has the folder: until it is free, at the next return, everything stays as it is.
            guard let isChanged = try? lock.retake() else { return }
            downloadsOfForeground = nil
            if isChanged { await readAgain() }
            api.transport.setSuspended(false)
            for bundle in downloads { _ = bundles.download(bundle) }
        }
        await resume()
        await bundles.resumeUnfinished()
    }

    private func readAgain() async {
        await session.readAgain()
        await spending.readAgain()
        await engine.readAgain()
        await bundles.readAgain()
        let folder = configuration.folder
        productList = AnswerCache(ClientFolder.products(folder))
        entitlements = EntitlementCache(
            folder: folder, bundleID: configuration.bundleID, trust: configuration.trust)
        bundleList = AnswerCache(ClientFolder.bundles(folder))
        askedToBuy = AskedToBuy(folder: folder)
        await publish()
    }
}

/// The app's ways to the foreground and the background, as the system posts them.
private enum AppLifecycle {
    enum Change: Sendable {
        case foreground
        case background
    }

    /// The names as UIKit and AppKit have them: neither is linked for two strings. A name that is not of this system is
    /// never posted.
    private static let names: [(String, Change)] = [
        ("UIApplicationWillEnterForegroundNotification", .foreground),
        ("UIApplicationDidEnterBackgroundNotification", .background),
        ("NSApplicationDidBecomeActiveNotification", .foreground),
    ]

    /// Calls the function for each change, until the task is cancelled. While it runs all but the newest are missed.
    static func observe(at center: NotificationCenter, _ changed: @Sendable (Change) async -> Void) async {
        let (stream, writer) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(1))
        let observers = names.map { name, change in
            center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in writer.yield(change) }
        }
        for await change in stream { await changed(change) }
        for observer in observers { center.removeObserver(observer) }
    }
}

/// The device's way to the network.
private enum NetworkPath {
    /// Calls the function each time the network is there again, until the task is cancelled. On Linux nothing tells.
    static func observe(_ returned: @Sendable () async -> Void) async {
        #if canImport(Network)
            let (stream, writer) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in
                if case .satisfied = path.status { writer.yield(true) } else { writer.yield(false) }
            }
            monitor.start(queue: DispatchQueue(label: "quartermaster.network"))
            var isThere = true
            for await isSatisfied in stream {
                if isSatisfied, !isThere { await returned() }
                isThere = isSatisfied
            }
            monitor.cancel()
        #endif
    }
}
