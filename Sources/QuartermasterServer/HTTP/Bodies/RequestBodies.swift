/// Every kind of JSON body that ``JSONCoding`` decodes for a route, so that tests measure, and fuzzing tries, all of
/// them. ``NotificationBody`` and ``ProductEntry`` are decoded separately.
package enum RequestBodies {
    package static let all: [any RequestBody.Type] = [
        PostBody.self, RestoreBody.self, SessionRequestBody.self, SpendRequestBody.self, ConsentBody.self,
        ConfirmationBody.self, ReasonBody.self, TransferRequestBody.self, AdjustmentRequestBody.self,
        SandboxResetRequestBody.self, DraftBody.self, UnavailableProductsBody.self, AccountRequestBody.self,
        OfferSignatureRequestBody.self, UndoRequestBody.self, ExtensionRequestBody.self, GrantRequestBody.self,
    ]
}
