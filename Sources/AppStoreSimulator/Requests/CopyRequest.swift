import Foundation

/// The body of a request for a copy of a purchase, restored or shared.
struct CopyRequest: Decodable {
    private enum CodingKeys: CodingKey { case customer, device }

    /// The name of the customer who gets it; `nil` for the purchaser.
    var customer: String?
    /// The device that the receipts in the response are made for; `nil` for none.
    var device: UUID?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        customer = try members.decodeIfPresent(.customer, "1 to 255 characters") { $0.identifier }
        device = try members.decodeIfPresent(.device, "a UUID") { UUID(uuidString: $0) }
    }
}
