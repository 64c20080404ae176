import Hummingbird

/// The problem document (RFC 9457) with the files that are to be uploaded before a draft can be published.
struct MissingContentBody: Encodable {
    var type = "urn:quartermaster:problem:content_missing"
    var title = "The version has missing files"
    var status = 409
    var code = "content_missing"
    var detail = "Upload them, then publish again."
    var finish = false
    var missing: [String]

    init(missing: [String]) { self.missing = missing }

    var response: Response {
        get throws {
            var response = try Response.adminJSON(self, status: .conflict)
            response.headers[.contentType] = "application/problem+json"
            return response
        }
    }
}
