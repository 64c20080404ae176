package import InAppPurchase
import ObjectStore
import SystemPackage

/// Why a version is not published, or not withdrawn. Then everything is as it was.
package enum PublishRefusal: Error, Hashable, Sendable {
    /// Not a name of a bundle, and why.
    case bundleName(ContentProblem.Reason)
    /// Something in the folder or in the manifest may not be published; the first of it.
    case content(ContentProblem)
    /// A member of the manifest beside its files.
    case member(String)
    /// A version is there that is as new or newer, and no patch was meant.
    case notNewer(than: SemanticVersion)
    /// A patch must be the highest of its line, and a version of that line must be there.
    case noPatch
    /// The version is there with other files or other members.
    case otherVersion(PublicationState)
    /// There is no such version.
    case unknownVersion
    /// The version's state does not allow it.
    case state(PublicationState)
    /// Files that were not uploaded yet, by their hashes.
    case missing([String])
    /// Others publish this bundle, or tidy the store, for longer than one waits, or were faster.
    case busy
    /// The disk or the object store, or a right to it, is not there.
    case notWritable(String)
}

extension PublishRefusal: CustomStringConvertible {
    /// One line.
    package var description: String {
        switch self {
        case .bundleName(let reason): "the bundle's name: \(reason)"
        case .content(let problem): problem.description
        case .member(let detail): detail
        case .notNewer(let other):
            "\(other) is there already, and a new version must be higher; or say that it is a patch"
        case .noPatch: "a patch must be higher than every version with its first two numbers, and one must be there"
        case .otherVersion(.draft): "a draft of this version has other files or members; discard it first"
        case .otherVersion:
            "this version is there with other files or members, and does not change; take another number"
        case .unknownVersion: "there is no such version"
        case .state(.draft): "the version is a draft"
        case .state(.published): "the version is published"
        case .state(.yanked): "the version is yanked; it can be restored"
        case .missing(let hashes): "\(hashes.count) files are missing"
        case .busy: "somebody else publishes, or tidies the store, at this moment"
        case .notWritable(let detail): "the store cannot be written: \(detail)"
        }
    }

    /// What the disk, the object store and others said, as a refusal; anything else as it is.
    static func from(_ error: any Error) -> any Error {
        switch error {
        case let problem as ContentProblem: PublishRefusal.content(problem)
        case let error as Errno: PublishRefusal.notWritable("\(error)")
        case FolderLock.Failure.busy, ObjectStoreError.preconditionFailed: PublishRefusal.busy
        case let error as ObjectStoreError: PublishRefusal.notWritable("\(error)")
        case FolderLock.Failure.unusable(let error): PublishRefusal.notWritable("\(error)")
        default: error
        }
    }
}
