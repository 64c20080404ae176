public import Foundation
public struct DownloadProgress: Sendable, Equatable {}
public struct InstalledBundle: Sendable { public var version: String }
public struct BundleDownload: Sendable {}
actor BundleStore { init(configuration: Quartermaster.Configuration, api: API, session: AccountSession, patches: (any PatchDecoder)?) throws {}
 nonisolated let changes = AsyncStream<Void> { _ in }
 func sendConfirmations() async {}
 nonisolated func download(_ b: String) -> BundleDownload { .init() }
 func installed(_ b: String) -> InstalledBundle? { nil }
 func remove(_ b: String) {}
 var installedVersions: [String: String] { [:] }
 var progress: [String: DownloadProgress] { [:] }
}
