import Foundation

/// The parts that all downloads of a store use.
struct DownloadTools: Sendable {
    let session: AccountSession
    let manifests: ManifestSource
    let fetch: ContentFetch
    let folder: BundleFolder
    let holds: VersionHolds
    let turns: FileTurns
    let patches: (any PatchDecoder)?
    let clock: ClientClock
    /// The bytes that are free where a folder is, if that is known.
    let freeSpace: @Sendable (URL) -> Int?
}
