/// The value stored under this name is not a manifest key.
struct ManifestKeyError: Error, CustomStringConvertible {
    var name: String

    var description: String { "\(name) is no key of manifests" }
}
