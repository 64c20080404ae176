/// What is stored under this name is no key of ours.
struct ManifestKeyError: Error, CustomStringConvertible {
    var name: String

    var description: String { "\(name) is no key of manifests" }
}
