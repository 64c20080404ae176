import Content

/// The state of everything that the manifests of the content are made from.
struct ContentState: Hashable, Sendable {
    let versions: Int
    let variants: Int

    init(versions: Int, variants: Int) {
        self.versions = versions
        self.variants = variants
    }

    init(of content: any ContentRepository) {
        self.init(versions: content.revision, variants: content.variantsRevision)
    }
}
