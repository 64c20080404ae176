/// A JSON body that a route reads. Its kind bounds what it costs.
protocol RequestBody: Decodable, Sendable {
    static var limits: BodyLimits { get }
}

extension RequestBody {
    /// Most bodies are a few members.
    static var limits: BodyLimits { .small }
}
