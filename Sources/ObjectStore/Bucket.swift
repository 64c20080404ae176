import Foundation

/// A bucket of an S3-compatible object store, with a prefix of all keys.
package struct Bucket: Hashable, Sendable {
    /// The maximum length of the prefix, in bytes of UTF-8; keys have 1,024 at most, and what follows the prefix needs
    /// its part.
    package static let maximumPrefixBytes = 256

    package let name: String
    /// The prefix of every key; empty, or ends with a slash.
    package let prefix: String
    package let region: String
    /// `http` or `https`.
    let scheme: String
    /// The endpoint's host, with its port unless it is the scheme's default.
    let authority: String
    /// Whether the bucket is in the path; otherwise it is a part of the host name.
    let isPathStyle: Bool

    /// - Parameters:
    ///   - location: `s3://bucket` or `s3://bucket/prefix`.
    ///   - endpoint: `https://host` or `http://host:port`; `nil` for AWS's endpoint of the region.
    ///   - region: the object store's name for it; it is part of what is signed.
    ///   - isPathStyle: if `nil`, path style is used with a given endpoint.
    /// - Throws: ``BucketAddressError``
    package init(_ location: String, endpoint: String?, region: String, isPathStyle: Bool? = nil)
        throws(BucketAddressError)
    {
        guard let (name, prefix) = Self.parts(of: location) else { throw .location }
        guard prefix.utf8.count <= Self.maximumPrefixBytes else { throw .prefix }
        guard let endpoint = URL(string: endpoint ?? "https://s3.\(region).amazonaws.com"), let host = endpoint.host(),
            let scheme = endpoint.scheme, ["http", "https"].contains(scheme), ["", "/"].contains(endpoint.path()),
            endpoint.query() == nil, endpoint.user() == nil
        else { throw .endpoint }
        self.name = name
        self.prefix = prefix
        self.region = region
        self.scheme = scheme
        let isOwnPort = endpoint.port == nil || endpoint.port == (scheme == "https" ? 443 : 80)
        authority =
            (host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)
            + (isOwnPort ? "" : ":\(endpoint.port ?? 0)")
        self.isPathStyle = isPathStyle ?? (endpoint.host()?.hasSuffix(".amazonaws.com") != true)
    }

    /// Whether the string is the location of a bucket, and not of a folder.
    package static func isLocation(_ text: String) -> Bool { text.hasPrefix("s3://") }

    private static func parts(of location: String) -> (name: String, prefix: String)? {
        guard isLocation(location) else { return nil }
        var parts = location.dropFirst("s3://".count).split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.first, name.wholeMatch(of: /[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]/) != nil else {
            return nil
        }
        parts.removeFirst()
        if parts.last?.isEmpty == true { parts.removeLast() }
        // URLs lose such path segments in transit.
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        return (String(name), parts.map { "\($0)/" }.joined())
    }

    var host: String { isPathStyle ? authority : "\(name).\(authority)" }

    /// The escaped path of a URL, with its leading slash.
    ///
    /// - Parameter key: without the prefix; `nil` for the bucket itself.
    func path(of key: String?) -> String {
        let bucket = isPathStyle ? "/\(name)" : ""
        guard let key else { return bucket.isEmpty ? "/" : bucket }
        return "\(bucket)/" + (prefix + key).uriEncoded(keepingSlashes: true)
    }
}

extension Bucket: CustomStringConvertible {
    /// The location as it is written in settings.
    package var description: String { "s3://\(name)" + (prefix.isEmpty ? "" : "/\(prefix.dropLast())") }
}

/// The reason why the address of a bucket is invalid.
package enum BucketAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case location
    case prefix
    case endpoint

    package var description: String {
        switch self {
        case .location: "should be s3://bucket or s3://bucket/prefix"
        case .prefix: "the prefix has more than \(Bucket.maximumPrefixBytes) bytes"
        case .endpoint: "should be https://host or http://host:port, without a path"
        }
    }
}
