package import Content
import InAppPurchase
package import Logging
import ServiceLifecycle

/// Makes patches and compressed variants of content that was published by hand, while it is served as it is.
package struct VariantWorker: Service {
    /// The time between two rounds. An update is downloaded by most players within hours.
    static let pause = Duration.seconds(5)
    /// In bytes. A server has other things to keep in memory; `quartermaster bundles publish` makes patches of larger
    /// files.
    static let maximumPatchedFileSize = 32 << 20

    package let content: FolderRepository
    package let patchVersions: Int
    package let logger: Logger

    package init(content: FolderRepository, patchVersions: Int, logger: Logger) {
        self.content = content
        self.patchVersions = patchVersions
        self.logger = logger
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var prepared: [BundleName: Manifest] = [:]
            while true {
                for bundle in content.bundles() {
                    guard let newest = content.manifest(of: bundle, version: nil), prepared[bundle] != newest else {
                        continue
                    }
                    try await prepare(newest)
                    prepared[bundle] = newest
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// - Throws: `CancellationError`
    private func prepare(_ manifest: Manifest) async throws {
        let metadata: Logger.Metadata = ["bundle": "\(manifest.bundle)", "version": "\(manifest.version)"]
        do {
            let extent = PatchExtent(versions: patchVersions, fileBytes: Self.maximumPatchedFileSize)
            let summary = try await content.prepare(manifest.version, of: manifest.bundle, extent)
            for problem in summary?.problems ?? [] {
                logger.warning(
                    "content is served uncompressed", metadata: metadata.merging(["problem": "\(problem)"]) { $1 })
            }
            if let made = summary?.made, made > 0 {
                logger.info("content compressed", metadata: metadata.merging(["variants": "\(made)"]) { $1 })
            }
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            logger.notice("content is served uncompressed", metadata: metadata.merging(["problem": "\(error)"]) { $1 })
        }
    }
}
