/// A JSON body that a route reads. Its kind bounds what it costs.
package protocol RequestBody: Decodable, Sendable {
    static var limits: BodyLimits { get }
}

extension RequestBody {
    /// Most bodies are a few members.
    package static var limits: BodyLimits { .small }
}
