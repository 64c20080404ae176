import Testing

@testable import ObjectStore

@Suite struct BucketTests {
    @Test(
        arguments: [
            ("s3://words", nil, "https://words.s3.eu-west-1.amazonaws.com", "/a"),
            ("s3://words/shop/de", nil, "https://words.s3.eu-west-1.amazonaws.com", "/shop/de/a"),
            ("s3://words/shop/", "http://[::1]:9000", "http://[::1]:9000", "/words/shop/a"),
            ("s3://words", "https://store.example", "https://store.example", "/words/a"),
            ("s3://words", "https://store.example:443/", "https://store.example", "/words/a"),
            ("s3://words/ä", "http://store.example:80", "http://store.example", "/words/%C3%A4/a"),
        ] as [(String, String?, String, String)])
    func `An object has the URL of its bucket, prefix and endpoint`(
        _ location: String, _ endpoint: String?, _ origin: String, _ path: String
    ) throws {
        let bucket = try Bucket(location, endpoint: endpoint, region: "eu-west-1")
        #expect("\(bucket.scheme)://\(bucket.host)" == origin && bucket.path(of: "a") == path)
    }

    @Test func `Path style and host style of a bucket can be chosen`() throws {
        let host = try Bucket("s3://words", endpoint: "https://store.example", region: "x", isPathStyle: false)
        #expect(host.host == "words.store.example" && host.path(of: "a") == "/a" && host.path(of: nil) == "/")
        let path = try Bucket("s3://words", endpoint: nil, region: "x-1", isPathStyle: true)
        #expect(path.host == "s3.x-1.amazonaws.com" && path.path(of: nil) == "/words")
    }

    @Test(
        arguments: [
            ("words", "https://a", BucketAddressError.location), ("s3://", "https://a", .location),
            ("s3://Words", "https://a", .location), ("s3://words/a//b", "https://a", .location),
            ("s3://words/../b", "https://a", .location),
            ("s3://words/" + String(repeating: "a", count: 256), "https://a", .prefix),
            ("s3://words", "store.example", .endpoint), ("s3://words", "ftp://store.example", .endpoint),
            ("s3://words", "https://store.example/path", .endpoint), ("s3://words", "https://me@store", .endpoint),
        ] as [(String, String, BucketAddressError)])
    func `A malformed bucket location, prefix or endpoint is refused`(
        _ location: String, _ endpoint: String, _ error: BucketAddressError
    ) {
        #expect(throws: error) { try Bucket(location, endpoint: endpoint, region: "x") }
    }

    @Test(arguments: ["s3://words", "s3://words/shop"])
    func `A bucket is described as it was configured`(_ location: String) throws {
        #expect(try Bucket(location, endpoint: nil, region: "x").description == location)
    }
}
