/// A manifest whose signature and freshness are right, with the links of its answer.
struct CheckedManifest: Sendable {
    let manifest: SignedManifest
    let answer: ManifestAnswer
    /// The entity tag for asking later whether there is something new.
    let entityTag: String?
}
