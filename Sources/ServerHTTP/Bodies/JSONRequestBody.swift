/// A JSON body that a route reads. Its type limits what it costs.
package protocol JSONRequestBody: Decodable, Sendable {
    static var limits: BodyLimits { get }
}

extension JSONRequestBody {
    /// The limits of bodies of a few members, as most are.
    package static var limits: BodyLimits { .small }
}
