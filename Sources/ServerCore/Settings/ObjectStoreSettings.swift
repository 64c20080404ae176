import Configuration
package import Content
package import Foundation
import ObjectStore
import ServerHTTP
import StrictJSON

/// The bucket of the content, and the credentials for requests to it.
struct ObjectStoreSettings: Sendable {
    /// The default region of AWS's own tools.
    static let standardRegion = "us-east-1"

    var bucket: Bucket
    var credentials: ObjectCredentials

    /// - Parameter location: `s3://bucket`, optionally with a prefix; `nil` for any other.
    /// - Throws: ``/ServerHTTP/SettingError``
    init?(_ location: String, _ sources: SettingSources) throws {
        let endpoint = try sources.string("objectStore.endpoint", default: "AWS's of the region")
        let region = try sources.string("objectStore.region", default: "AWS_REGION, or \(Self.standardRegion)")
        let isPathStyle = try sources.bool("objectStore.pathStyle", default: "true, for AWS false")
        let file = try sources.string("objectStore.credentials")
        guard Bucket.isLocation(location) else { return nil }
        do {
            bucket = try Bucket(
                location, endpoint: endpoint, region: region ?? sources.variable("AWS_REGION") ?? Self.standardRegion,
                isPathStyle: isPathStyle)
        } catch {
            throw SettingError("\(error == .endpoint ? "objectStore.endpoint" : "content"): \(error)")
        }
        if let file {
            credentials = try ObjectCredentials(file: file)
        } else {
            credentials = try ObjectCredentials(variables: sources)
        }
    }
}

extension ObjectCredentials {
    private struct File: Decodable {
        var accessKeyID: String
        var secretAccessKey: String
        var sessionToken: String?
    }

    private static let limits = JSONLimits(maximumMembers: 100)

    /// - Throws: ``/ServerHTTP/SettingError`` that names the file, and nothing of its content.
    fileprivate init(file: String) throws {
        guard let bytes = try? Data(contentsOf: URL(filePath: file)),
            let read = try? StrictJSON(bytes, Self.limits, tolerance: .byteOrderMark).decode(File.self)
        else { throw SettingError("objectStore.credentials: \(file) has no accessKeyID and secretAccessKey in JSON") }
        self.init(accessKeyID: read.accessKeyID, secretAccessKey: read.secretAccessKey, sessionToken: read.sessionToken)
    }

    /// Reads the environment variables of AWS's own tools.
    fileprivate init(variables: SettingSources) throws {
        guard let id = variables.variable("AWS_ACCESS_KEY_ID"), let secret = variables.variable("AWS_SECRET_ACCESS_KEY")
        else {
            throw SettingError(
                "content: an object store needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or objectStore.credentials"
            )
        }
        self.init(accessKeyID: id, secretAccessKey: secret, sessionToken: variables.variable("AWS_SESSION_TOKEN"))
    }
}

extension Settings {
    /// The place of the content.
    ///
    /// - Parameter clock: returns the true time; object stores refuse requests that are minutes off.
    package func contentPlace(clock: @escaping @Sendable () -> Date) -> ContentPlace {
        guard let objectStore else { return .folder(content) }
        return .bucket(ObjectClient(objectStore.bucket, objectStore.credentials, clock: clock))
    }
}
