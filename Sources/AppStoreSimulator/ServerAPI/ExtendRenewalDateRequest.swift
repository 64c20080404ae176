/// Apple, ExtendRenewalDateRequest. A value of the wrong type is as invalid as one out of range.
struct ExtendRenewalDateRequest: Decodable {
    enum CodingKeys: CodingKey { case extendByDays, extendReasonCode, requestIdentifier }

    static let reasonCodes = 0...3
    static let identifierLengths = 1...128

    var extendByDays: Int
    var requestIdentifier: String
    private var extendReasonCode: Int

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        extendByDays = (try? members.decode(Int.self, forKey: .extendByDays)) ?? 0
        extendReasonCode = (try? members.decode(Int.self, forKey: .extendReasonCode)) ?? -1
        requestIdentifier = (try? members.decode(String.self, forKey: .requestIdentifier)) ?? ""
    }

    func checked() throws -> ExtendRenewalDateRequest {
        guard SimulatorLimits.extensionDays.contains(extendByDays) else { throw ServerAPIError.extendByDays }
        guard Self.reasonCodes.contains(extendReasonCode) else { throw ServerAPIError.extendReasonCode }
        guard Self.identifierLengths.contains(requestIdentifier.count) else { throw ServerAPIError.requestIdentifier }
        return self
    }
}
