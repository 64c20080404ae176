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
