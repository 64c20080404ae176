import Foundation
import InAppPurchase
import SystemPackage

/// The result of one scan of the content folder. Whatever has a problem stays as the previous scan found it.
struct FolderScan: ContentScan {
    /// The maximum number of problems reported; the first ones show that a wrong folder was put into place.
    static let maximumProblems = 100

    /// The time in seconds for which nobody must have written to a version's folder for the version to count as
    /// published: until then it may still be copied there.
    static let copyingTime: TimeInterval = 60

    private(set) var index: ContentIndex
    private(set) var problems: [ContentError] = []
    private(set) var hashes: HashCache
    var readFiles: Int { hashes.readFiles }
    /// Whether the next scan finds the same if nothing is changed: no file was written to just before, and nothing
    /// could not be read.
    private(set) var isSettled = false
    /// The versions in folders made by hand.
    private var folders: [BundleName: [PublishedVersion]] = [:]
    private var store = RepositoryScan()
    private(set) var variants = VariantScan()

    /// An empty scan.
    ///
    /// - Parameter published: what earlier servers published from folders made by hand.
    init(at date: Date, published: [Manifest] = []) {
        index = ContentIndex()
        hashes = HashCache(at: date)
        folders = Dictionary(grouping: published.map(PublishedVersion.init(earlier:)), by: \.manifest.bundle)
    }

    /// Scans the folder; blocks for as long as the disk takes.
    init(of folder: FilePath, after earlier: FolderScan, at date: Date) {
        index = earlier.index
        hashes = HashCache(after: earlier.hashes, at: date)
        folders = earlier.folders
        store = earlier.store
        variants = earlier.variants
        do throws(ContentError) {
            folders = try bundles(in: folder, earlier: earlier.folders, at: date)
            store = RepositoryScan(
                of: RepositoryFolder(content: folder), after: earlier.store, hashes: &hashes, at: date)
            problems += store.problems
            index = ContentIndex(merged(in: folder), drafts: store.drafts)
            variants = VariantScan(
                of: RepositoryFolder(content: folder), for: index.hashes, after: earlier.variants, at: date)
        } catch {
            problems.append(error)
        }
        problems = Array(problems.prefix(Self.maximumProblems))
        isSettled =
            hashes.isSettled && store.isSettled && variants.isSettled && !problems.contains(where: \.reason.mayPass)
    }

    func hasSameVariants(as other: FolderScan) -> Bool { variants.hasSameVariants(as: other.variants) }

    /// The versions of the content repository and of the folders made by hand. If a version is in both, the
    /// repository's record decides its state.
    private mutating func merged(in folder: FilePath) -> [BundleName: [PublishedVersion]] {
        var bundles = store.versions
        for (bundle, byHand) in folders {
            let stored = Dictionary((bundles[bundle] ?? []).map { ($0.manifest.version, $0) }) { first, _ in first }
            for version in byHand {
                guard let twin = stored[version.manifest.version] else {
                    bundles[bundle, default: []].append(version)
                    continue
                }
                if twin.manifest.files != version.manifest.files {
                    let path = folder.appending(bundle.text).appending(version.manifest.version.description)
                    problems.append(ContentError(path.string, .otherFiles))
                }
            }
        }
        return bundles
    }

    private mutating func bundles(
        in folder: FilePath, earlier: [BundleName: [PublishedVersion]], at date: Date
    ) throws(ContentError) -> [BundleName: [PublishedVersion]] {
        // The content folder itself may be a link to another disk.
        guard let status = try? folder.stat() else { throw ContentError(folder.string, .missing) }
        guard status.type == .directory else { throw ContentError(folder.string, .notAFolder) }
        let listing = try FolderListing(of: folder, passingOver: [RepositoryFolder.name])
        var bundles: [BundleName: [PublishedVersion]] = [:]
        for (name, problem) in listing.problems {
            problems.append(problem)
            bundles[BundleName(stored: name)] = earlier[BundleName(stored: name)]
        }
        for entry in listing.entries {
            let name = BundleName(stored: entry.name)
            do throws(ContentError) {
                let scan = try BundleScan(of: entry, earlier: earlier[name] ?? [], hashes: &hashes, at: date)
                problems += scan.problems
                bundles[name] = scan.versions
            } catch {
                problems.append(error)
                bundles[name] = earlier[name]
            }
        }
        return bundles
    }
}
