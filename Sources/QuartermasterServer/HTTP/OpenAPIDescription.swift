// swift-format-ignore-file
// Copied from docs/openapi.yaml by `make api-docs`. Change that file, not this one.

/// The description of the server's HTTP interface in OpenAPI 3.1.
enum OpenAPIDescription {
    /// The text of `docs/openapi.yaml`.
    static let text = #"""
        # The HTTP interface of the server, as OpenAPI 3.1.
        #
        # Written by hand, except for what follows the line "Recorded examples", which scripts/openapi/examples.py copies from
        # the exchanges of a test run. docs/app/api.md is rendered from this file; CONTRIBUTING.md says how.
        #
        # Layout, on which the test OpenAPIParityTests relies: each path stands alone on a line with two spaces before it, each
        # method alone on a line with four.
        #
        # Extensions: `x-codes` of an error answer lists the values of `code` it may have, with the condition of each;
        # `x-maximum-bytes` of a request is the size from which its body is refused.
        openapi: 3.1.0
        info:
          title: Quartermaster
          version: 0.1.0
          summary: Product lists, receipts, entitlements, credits and downloads for apps that sell in the App Store.
          license: {name: Apache-2.0, identifier: Apache-2.0}
          description: |
            JSON in UTF-8, with member names in camelCase. Times are RFC 3339 in UTC. In `/v1` they have whole seconds: the end
            of a time span (`until`, and members whose name ends with `Until`) is rounded up, every other time down. In
            `/admin/v1` they have milliseconds, unless these are 0. IDs are strings.

            **Compatibility.** Members, headers, routes and error codes are added, never renamed or removed. Clients must ignore
            members that they do not know. Lists of *known* values may grow: treat a value that you do not know as the
            description of the member says. The server ignores unknown members of requests, except in the catalog entries of
            apps and products.

            **Requests.** A JSON body must be valid by RFC 8259, in UTF-8, without duplicate names in an object, and at most 32
            levels deep; otherwise the answer is 400 `invalid_request`, and its `detail` says where the mistake is. A missing
            body counts as `{}`, and an optional member whose value is `null` as absent. `Content-Type` is ignored. Every route
            with GET also has HEAD, with the same headers and no body.

            **Every answer** has `X-Request-Id`, which is also in the server's log. Answers with a body have `Cache-Control:
            no-store`, except product lists, this description and content.

            **Compression.** Product lists, entitlements and this description are compressed if they are over 1 KiB and
            `Accept-Encoding` admits `zstd` or `gzip`. Each coding has its own `ETag`; `If-None-Match` may name any of them.

            **Errors** are problem documents (RFC 9457) of type `application/problem+json`. Decide by `code`, and by `reason`
            where there is one. Besides the errors listed with each route, any request may be answered with:

            | status | `code` | when |
            |---|---|---|
            | 400 | `invalid_request` | the head of the request is invalid (`Host`, `Content-Length`, `Transfer-Encoding`, too many header fields), or the body is not framed as HTTP requires; the connection is closed |
            | 404 | `not_found` | there is no such URL, as of a path with two slashes beside each other |
            | 405 | `method_not_allowed` | the URL does not support the method; `Allow` lists the methods that it supports |
            | 413 | `request_too_large` | a chunked body over 16 KiB on a route that reads none |
            | 500 | `internal_error` | an error in the server; try again later |

            Bytes that are not HTTP at all are answered with 400 and no body, or not at all.
        servers:
          - url: http://127.0.0.1:8080
            description: A server started with `make run`.
        tags:
          - name: Player
            description: |
              What the app calls. Players authenticate with the access token of `POST /v1/accounts` or `POST /v1/sessions`:
              `Authorization: Bearer <accessToken>`.
          - name: App Store
            description: What the App Store calls.
          - name: Operator
            description: |
              The admin API. Authenticate with a token of `quartermaster admin-token create`:
              `Authorization: Bearer <adminToken>`. A token with the role `read` may call every GET and HEAD; the other methods
              need the role `write`. Every change is recorded in the audit trail with its author, its time and, if one is given,
              its reason. Unknown query parameters are refused with 422 `invalid_request`.

              A token that was created with `--app` is limited to these apps: to their settings, products, receipts,
              notifications, reports, credits, grants, transfers and renewal dates, and to the part of each account that
              concerns them. Requests that concern another app, or no single app, are refused with 403 `forbidden`: those about
              whole accounts (block, sessions, recovery code, tester, beta), the newest accounts, testers, bundles, deliveries,
              the overview, reports and notifications without `app`, and the audit trail without `account`. Other lists contain
              only what concerns the token's apps, so a page may have fewer entries than `limit`.
          - name: Monitoring
            description: Health checks, metrics and public keys. No authentication.
        paths:
          # Player

          /v1/accounts:
            post:
              operationId: createAccount
              tags: [Player]
              summary: Create an anonymous account
              description: |
                Creates an account and a first session. The account's ID is the UUID that the app passes to StoreKit as
                `appAccountToken`. Show the recovery code to the player, or keep it in the keychain: it is the only way to use
                the account on another device, and it is not shown again.

                The body is optional. If it names an app, or the server has only one, the account gets the starting credits of
                that app at once; otherwise with its first receipt or spend.

                With an `Idempotency-Key`, a request whose answer was lost can be repeated for 24 hours. As long as nothing but
                the starting credits has been recorded for the account, the answer has the same account with a new access token
                and a new recovery code, and the earlier ones become invalid. Each repetition counts as a new account for the
                rate limits.
              security: []
              parameters:
                - {$ref: '#/components/parameters/NewAccountKey'}
              requestBody:
                required: false
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/NewAccountRequest'}
              responses:
                '201':
                  description: The account was created.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/NewAccount'}
                      examples: {recorded: {$ref: '#/components/examples/createAccount.201'}}
                '400':
                  description: The body, or the idempotency key, is not as described.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_request: The body, or the idempotency key, is not as described.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '404': {$ref: '#/components/responses/UnknownApp'}
                '409':
                  description: The account of the idempotency key has been used.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    idempotency_key_reused: >-
                      The account that was created with the key has been used, or the request was repeated 1,000 times. Nothing
                      was created.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '429': {$ref: '#/components/responses/TooManyAccounts'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/sessions:
            post:
              operationId: createSession
              tags: [Player]
              summary: Sign in on another device
              description: Opens a session for the account that has this recovery code.
              security: []
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/SessionRequest'}
                    examples: {recorded: {$ref: '#/components/examples/createSession.request'}}
              responses:
                '201':
                  description: The session was opened.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/NewSession'}
                      examples: {recorded: {$ref: '#/components/examples/createSession.201'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401':
                  description: The recovery code is wrong.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    WWW-Authenticate: {$ref: '#/components/headers/WWW-Authenticate'}
                  x-codes:
                    invalid_credentials: No account has this recovery code.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/createSession.401'}}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '429':
                  description: Too many requests.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    too_many_requests: >-
                      This address sent too many wrong recovery codes, or too many sessions of the account were opened.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/sessions/current:
            delete:
              operationId: endSession
              tags: [Player]
              summary: Sign out
              description: Ends the session of the access token that the request carries. The token is invalid from then on.
              security: [{player: []}]
              responses:
                '204':
                  description: The session has ended.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/accounts/current/consumption-consent:
            put:
              operationId: setConsumptionConsent
              tags: [Player]
              summary: Record the player's consent to send consumption information
              description: |
                With the player's consent, the server answers the App Store's consumption requests about refunds of the player's
                purchases (Apple, "Send Consumption Information"). The app asks the player and sends the result here. The
                default is no consent.
              security: [{player: []}]
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ConsentRequest'}
                    examples: {recorded: {$ref: '#/components/examples/setConsumptionConsent.request'}}
              responses:
                '204':
                  description: The player's answer was recorded.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/apps/{bundleID}/products:
            get:
              operationId: listProducts
              tags: [Player]
              summary: List the products on sale
              description: |
                The products that are on sale now, in the order of the catalog. The app requests them from StoreKit. The query
                parameters narrow the list; all are optional. `Cache-Control: no-cache`: keep the answer and send its `ETag` as
                `If-None-Match`. The `ETag` changes with the catalog, when a sale begins or ends, and with the versions of
                bundles in `contents`.
              security: []
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - name: appVersion
                  in: query
                  description: >-
                    The app's version (`CFBundleShortVersionString`). Products with a higher `minimumAppVersion` are left out. A
                    version that cannot be parsed counts as lower than every other.
                  schema: {type: string}
                - name: platform
                  in: query
                  description: For example `iOS`. Products whose `platforms` do not name it are left out. Case is ignored.
                  schema: {type: string}
                - name: storefront
                  in: query
                  description: StoreKit's `Storefront.countryCode`, for example `DEU`. Products whose `storefronts` do not name it are left out.
                  schema: {type: string}
                - {$ref: '#/components/parameters/PlacementQuery'}
                - {$ref: '#/components/parameters/BucketQuery'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The product list.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}
                    Content-Encoding: {$ref: '#/components/headers/Content-Encoding'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/ProductList'}
                      examples: {recorded: {$ref: '#/components/examples/listProducts.200'}}
                '304': {$ref: '#/components/responses/TextNotModified'}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '404':
                  description: There is no such app, or no such placement.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    unknown_placement: The app's entry in the catalog has no placement of this name.
                    not_found: The bundle ID in the path has a control character, or is not UTF-8.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/listProducts.404.unknown_app'}}
                '412':
                  description: '`If-Match` names a different list. No body.'
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}
                '503':
                  description: The server cannot make the list now.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    busy: Too many different lists, which queries narrow, are being made. Ask again, or for the whole list.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          /v1/apps/{bundleID}/unavailable-products:
            post:
              operationId: reportUnavailableProducts
              tags: [Player]
              summary: Report products that the store does not know
              description: |
                Send the IDs of the product list for which `Product.products(for:)` returned no product. IDs that are not in the
                catalog are ignored. Reports are counted by product, day and address; the operator sees products that were
                reported from at least three addresses.
              security: []
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/UnavailableProductsReport'}
                    examples: {recorded: {$ref: '#/components/examples/reportUnavailableProducts.request'}}
              responses:
                '204':
                  description: The report was counted, unless the limits for the day are reached. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: The bundle ID in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: More than 100 products.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes: {invalid_request: More than 100 products.}
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '429':
                  description: Too many reports from this address.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes: {too_many_requests: This address sent too many reports.}
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/apps/{bundleID}/offer-signatures:
            post:
              operationId: signOffer
              tags: [Player]
              summary: Sign a subscription offer
              description: |
                A signature with which the app passes an offer to StoreKit (`promotionalOffer` and
                `introductoryOfferEligibility` of `Product.PurchaseOption`), decided in one environment. Promotional offers are
                those that the product's entry in the catalog names; they need a subscription of the product's group, current
                or past, that the account bought itself and that was not refunded. Introductory offers need a customer who used
                none in the group, with any account: all recorded purchases with the customer's app transaction ID count, and
                the App Store is asked. The customer is that of the newest signed app transaction or transaction that the
                account sent in the last 30 days. The signature names a transaction, or the app transaction, of the customer
                and is of no use to another customer. Request a new one for each purchase.
              security: [{player: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/OfferSignatureRequest'}
                    examples: {recorded: {$ref: '#/components/examples/signOffer.request'}}
              responses:
                '200':
                  description: The signature.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/OfferSignature'}
                      examples: {recorded: {$ref: '#/components/examples/signOffer.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403':
                  description: The account may not have the offer, or is blocked.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    account_blocked: An administrator blocked the account.
                    not_eligible: The account may not have this offer; `detail` says why.
                    unknown_offer: The product's entry in the catalog does not name the promotional offer.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '404':
                  description: There is no such app, or no such subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    unknown_product: The app has no auto-renewable subscription with this ID.
                    not_found: The bundle ID in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '501':
                  description: The app has no key to sign offers with.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    no_signing_key: The operator has set no In-App Purchase key for the app.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/receipts:
            post:
              operationId: sendReceipt
              tags: [Player]
              summary: Send a proof of purchase
              description: |
                Verifies a receipt, records its transactions, delivers what they give, and answers with the outcome of each.
                Send every transaction of `Transaction.updates` and `Transaction.unfinished`, and finish in StoreKit what
                `transactions` has with `finish: true`. Sending the same receipt again is always safe: nothing is delivered twice.

                The server recognises the kind of `receipt`: a signed transaction or app transaction (JWS), an app receipt in
                base64, an iOS 6 transaction receipt in base64, or a transaction ID in decimal digits.

                A receipt counts against the account's rate limit before its body is read.
              security: [{player: []}]
              requestBody:
                required: true
                x-maximum-bytes: 3211264
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReceiptRequest'}
                    examples: {recorded: {$ref: '#/components/examples/sendReceipt.request'}}
              responses:
                '200':
                  description: The receipt is genuine, whether or not it gives access.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Receipt'}
                      examples: {recorded: {$ref: '#/components/examples/sendReceipt.200'}}
                  links:
                    receipt:
                      operationId: getReceipt
                      parameters: {id: $response.body#/receipt}
                '202':
                  description: >-
                    The App Store cannot verify the receipt now, or does not know the transaction ID yet. The server keeps it and
                    tries again. The app should leave the
                    transaction unfinished and look at `Location` later.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Location: {description: The URL of the receipt., required: true, schema: {type: string, format: uri-reference}}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/PendingReceipt'}
                      examples: {recorded: {$ref: '#/components/examples/sendReceipt.202'}}
                  links:
                    receipt:
                      operationId: getReceipt
                      parameters: {id: $response.body#/receipt}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '409':
                  description: The purchases belong to another account.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    owned_by_another_account: >-
                      Every transaction of the receipt belongs to another account and was not transferred. `remedy` says what
                      the app can do. If only some do, the answer is 200 with those denied.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/ReceiptProblem'}
                      examples: {recorded: {$ref: '#/components/examples/sendReceipt.409'}}
                '413': {$ref: '#/components/responses/ReceiptTooLarge'}
                '422':
                  description: The receipt was rejected.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    receipt_rejected: The receipt was rejected; `reason` says why.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/ReceiptProblem'}
                      examples: {recorded: {$ref: '#/components/examples/sendReceipt.422'}}
                '429': {$ref: '#/components/responses/TooManyReceipts'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/receipts/{id}:
            get:
              operationId: getReceipt
              tags: [Player]
              summary: Look up a receipt
              description: |
                The current result of a receipt that this account sent. It is `pending` until the App Store has answered.
              security: [{player: []}]
              parameters:
                - {$ref: '#/components/parameters/ReceiptIDPath'}
              responses:
                '200':
                  description: The receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Receipt'}
                      examples: {recorded: {$ref: '#/components/examples/getReceipt.200'}}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404':
                  description: This account sent no such receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no receipt with this ID, or another account sent it.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/restore:
            post:
              operationId: restorePurchases
              tags: [Player]
              summary: Send several receipts and get all entitlements
              description: |
                Handles each receipt as `POST /v1/receipts` does, then answers as `GET /v1/entitlements` does, with the result
                of each receipt in `receipts`. One bad receipt does not affect the others. The App Store is asked for eight
                seconds in total; receipts without a result by then are `pending`.
              security: [{player: []}]
              requestBody:
                required: false
                x-maximum-bytes: 16777216
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/RestoreRequest'}
                    examples: {recorded: {$ref: '#/components/examples/restorePurchases.request'}}
              responses:
                '200':
                  description: Everything that the account has, and the result of each receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/RestoredEntitlements'}
                      examples: {recorded: {$ref: '#/components/examples/restorePurchases.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404': {$ref: '#/components/responses/UnknownApp'}
                '413': {$ref: '#/components/responses/ReceiptTooLarge'}
                '422':
                  description: Too many receipts.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_request: More than 100 receipts in one request.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '429': {$ref: '#/components/responses/TooManyReceipts'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/entitlements:
            get:
              operationId: getEntitlements
              tags: [Player]
              summary: Get everything that the account is entitled to
              description: |
                Every product that the account bought or was given, whether it has access to it now, and the balances of its
                credits. This includes non-renewing subscriptions, which StoreKit does not restore by itself.

                The `ETag` covers the whole answer except `at`. Keep the answer and send its `ETag` as `If-None-Match`: 304 says
                that it is still current, as of `Quartermaster-At`.
              security: [{player: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - {$ref: '#/components/parameters/EnvironmentQuery'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The entitlements and balances.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}
                    Content-Encoding: {$ref: '#/components/headers/Content-Encoding'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Entitlements'}
                      examples: {recorded: {$ref: '#/components/examples/getEntitlements.200'}}
                '304':
                  description: The client has the current entitlements. No body.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}
                    Quartermaster-At: {$ref: '#/components/headers/Quartermaster-At'}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404': {$ref: '#/components/responses/UnknownApp'}
                '412':
                  description: '`If-Match` names a different answer. No body.'
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/purchases:
            get:
              operationId: listPurchases
              tags: [Player]
              summary: List the player's own purchases
              description: |
                The account's purchases in one app and environment, newest first, in every state. This includes periods of
                subscriptions, and purchases that were transferred to the account or from it. A purchase that has several
                transaction IDs is listed once.
              security: [{player: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - {$ref: '#/components/parameters/EnvironmentQuery'}
                - {$ref: '#/components/parameters/PurchaseAfterQuery'}
                - {$ref: '#/components/parameters/HistoryLimitQuery'}
              responses:
                '200':
                  description: A page of purchases.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Purchases'}
                      examples: {recorded: {$ref: '#/components/examples/listPurchases.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404': {$ref: '#/components/responses/UnknownApp'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/balances/{currency}/postings:
            get:
              operationId: listPostings
              tags: [Player]
              summary: List the changes of a balance
              description: |
                The changes of the credits in one app, environment and currency, newest first. A page may have fewer entries
                than `limit`, or none, and still have a `next`: continue until there is none.
              security: [{player: []}]
              parameters:
                - name: currency
                  in: path
                  required: true
                  description: A currency of the catalog, for example `hints`.
                  schema: {type: string}
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - {$ref: '#/components/parameters/EnvironmentQuery'}
                - {$ref: '#/components/parameters/PostingAfterQuery'}
                - {$ref: '#/components/parameters/HistoryLimitQuery'}
              responses:
                '200':
                  description: A page of changes.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Postings'}
                      examples: {recorded: {$ref: '#/components/examples/listPostings.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: The currency in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/balances/{currency}/spend:
            post:
              operationId: spendCredits
              tags: [Player]
              summary: Spend credits
              description: |
                Takes an amount from a balance. Idempotent: repeating the request with the same `Idempotency-Key` gives the same
                answer and spends nothing. After 409, nothing was spent and the key can be used again.
              security: [{player: []}]
              parameters:
                - name: currency
                  in: path
                  required: true
                  description: A currency of the catalog, for example `hints`.
                  schema: {type: string}
                - {$ref: '#/components/parameters/IdempotencyKey'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/SpendRequest'}
                    examples: {recorded: {$ref: '#/components/examples/spendCredits.request'}}
              responses:
                '200':
                  description: The balance after the spend.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Balance'}
                      examples: {recorded: {$ref: '#/components/examples/spendCredits.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404':
                  description: There is no such app or currency.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: The currency in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The balance is too small.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    insufficient_balance: >-
                      The balance is smaller than the amount, or negative after a refund. Nothing was spent.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/spendCredits.409'}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The request cannot be carried out.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_request: The amount is below 1.
                    idempotency_key_reused: The key was used for another spend, with another amount, currency, app or environment.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /v1/bundles:
            get:
              operationId: listBundles
              tags: [Player]
              summary: List the bundles that the account can download
              description: >-
                The bundles to which the account's entitlements give access, and the open bundles of the apps (`openBundles`).
              security: [{player: []}]
              parameters:
                - {$ref: '#/components/parameters/AppVersionQuery'}
              responses:
                '200':
                  description: The bundles, in the order of their names.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleList'}
                      examples: {recorded: {$ref: '#/components/examples/listBundles.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/bundles/{name}:
            get:
              operationId: getManifest
              tags: [Player]
              summary: Get the manifest of a bundle
              description: |
                The files of one version of a bundle, each with a link that is valid until `expires`, and the manifest as a JWS,
                with which the client can verify the files wherever they come from. Without `version`, it is the newest
                published version that the app can read. The account needs an entitlement that includes the bundle, unless it is
                an open bundle of an app (`openBundles`).

                The answer is recorded as a delivery. When all files have arrived and their hashes match, confirm it with
                `POST /v1/deliveries/{id}/confirm`.

                The `ETag` covers the whole answer except links, `expires`, `fresh` and `delivery`. With `If-None-Match`, 304
                says that the version and its files are still the same, and records no delivery; its `Quartermaster-Fresh`
                replaces `fresh`. A client that needs links sends no `If-None-Match`.
              security: [{player: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
                - name: version
                  in: query
                  description: The version to get instead of the newest, for example `1.2.0`.
                  schema: {type: string}
                - name: linkLifetime
                  in: query
                  description: |
                    For how many seconds the links should be valid, for downloads that the system schedules. `expires` says
                    until when they are valid: never longer than the access, and at most 15 minutes for an account with a refund
                    in the app that was not reversed. It is recorded with the delivery.
                  schema: {type: integer, minimum: 60, maximum: 86400, default: 900}
                - {$ref: '#/components/parameters/AppVersionQuery'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The manifest.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Manifest'}
                      examples: {recorded: {$ref: '#/components/examples/getManifest.200'}}
                  links:
                    confirm:
                      operationId: confirmDelivery
                      parameters: {id: $response.body#/delivery}
                    content:
                      operationId: downloadContent
                      parameters: {sha256: $response.body#/files/0/sha256}
                '304':
                  description: The client has the current manifest. No body.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Quartermaster-At: {$ref: '#/components/headers/Quartermaster-At'}
                    Quartermaster-Fresh: {$ref: '#/components/headers/Quartermaster-Fresh'}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403':
                  description: The account has no access to the bundle.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_entitled: >-
                      Nothing that the account bought includes the bundle now, and no app has it open. `reason` is the reason of the first product that
                      would include it, or `notPurchased` if the account has none of those.
                    account_blocked: An administrator blocked the account.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/getManifest.403.not_entitled'}}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle of this name, or the version does not exist or is not for this account.
                    no_fitting_version: No version of the bundle supports this app version.
                    not_found: The name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '412':
                  description: '`If-Match` names a different answer. No body.'
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                '422':
                  description: '`linkLifetime` is not a number of seconds from 60 to 86,400.'
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes: {invalid_request: '`linkLifetime` is out of bounds.'}
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/content/{sha256}:
            get:
              operationId: downloadContent
              tags: [Player]
              summary: Download a file
              description: |
                The bytes of a file, by a link in a manifest. The grant in the link is the only authentication.

                A request for a single range, including a suffix range, is answered with 206; one for several ranges with the
                whole file. `If-Range` and `If-None-Match` work with the strong `ETag`, so an interrupted download can be
                resumed. A file that has smaller forms is sent in one that `Accept-Encoding` admits (`zstd`, `gzip`, or `dcz`
                with the `Available-Dictionary` that the client names). Each form has its own `ETag`.

                `Cache-Control: private, max-age=31536000, immutable`. If the content is in an object store, the answer is a
                redirect to it, 303; behind nginx with `X-Accel-Redirect`, nginx sends the file.
              security: []
              parameters:
                - {$ref: '#/components/parameters/SHA256Path'}
                - name: grant
                  in: query
                  required: true
                  description: The grant, from the `url` of the file in the manifest. Valid until the manifest's `expires`.
                  schema: {type: string}
                - name: Range
                  in: header
                  description: One range of bytes (RFC 9110 §14.2).
                  schema: {type: string}
                - name: If-Range
                  in: header
                  description: The range is sent only if the file still has this entity tag; otherwise the whole file.
                  schema: {type: string}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
                - name: Accept-Encoding
                  in: header
                  description: The content codings that the client decodes.
                  schema: {type: string}
                - name: Available-Dictionary
                  in: header
                  description: The SHA-256 of an older file that the client has (RFC 9842).
                  schema: {type: string}
              responses:
                '200':
                  description: The whole file.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Accept-Ranges: {$ref: '#/components/headers/Accept-Ranges'}
                    Repr-Digest: {$ref: '#/components/headers/Repr-Digest'}
                    Content-Encoding: {$ref: '#/components/headers/Content-Encoding'}
                    Vary: {$ref: '#/components/headers/Vary'}
                    Use-As-Dictionary: {$ref: '#/components/headers/Use-As-Dictionary'}
                    X-Content-Type-Options: {$ref: '#/components/headers/X-Content-Type-Options'}
                    X-Accel-Redirect: {$ref: '#/components/headers/X-Accel-Redirect'}
                  content: {application/octet-stream: {schema: {type: string, format: binary}}}
                '206':
                  description: The requested range.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Accept-Ranges: {$ref: '#/components/headers/Accept-Ranges'}
                    Content-Range: {$ref: '#/components/headers/Content-Range'}
                    Repr-Digest: {$ref: '#/components/headers/Repr-Digest'}
                    Content-Encoding: {$ref: '#/components/headers/Content-Encoding'}
                    Vary: {$ref: '#/components/headers/Vary'}
                    Use-As-Dictionary: {$ref: '#/components/headers/Use-As-Dictionary'}
                    X-Content-Type-Options: {$ref: '#/components/headers/X-Content-Type-Options'}
                  content: {application/octet-stream: {schema: {type: string, format: binary}}}
                '303':
                  description: The file is at `Location`, a signed URL of the object store. No body.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Location: {description: A signed URL., required: true, schema: {type: string, format: uri}}
                '304':
                  description: The client already has the file. No body.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                '403':
                  description: The link is not valid.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_grant: >-
                      The grant is missing, altered, for another file or expired. The answer is the same whether the file exists
                      or not. Get the manifest again.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/downloadContent.403'}}
                '404':
                  description: The file does not exist any more.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: The content was removed after the link was made.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '406':
                  description: No available form of the file is acceptable.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_acceptable: '`Accept-Encoding` refuses every form that there is.'
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '412':
                  description: '`If-Match` names a different file.'
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    precondition_failed: '`If-Match` names other content. Get the manifest again.'
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '416':
                  description: The range cannot be satisfied.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Content-Range: {$ref: '#/components/headers/Content-Range'}
                  x-codes:
                    range_not_satisfiable: The range begins past the end. `Content-Range` tells the size.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /v1/deliveries/{id}/confirm:
            post:
              operationId: confirmDelivery
              tags: [Player]
              summary: Confirm that a bundle has arrived
              description: |
                Records that the client has all files of a manifest. The proof is the SHA-256 of the manifest's payload (the
                second part of `signed`, decoded). Confirming again gives the same answer.
              security: [{player: []}]
              parameters:
                - name: id
                  in: path
                  required: true
                  description: The `delivery` of the manifest.
                  schema: {type: string}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ConfirmationRequest'}
                    examples: {recorded: {$ref: '#/components/examples/confirmDelivery.request'}}
              responses:
                '200':
                  description: The delivery is confirmed.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/ConfirmedDelivery'}
                      examples: {recorded: {$ref: '#/components/examples/confirmDelivery.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/Unauthenticated'}
                '403': {$ref: '#/components/responses/AccountBlocked'}
                '404':
                  description: This account has no such delivery.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no delivery with this ID, or it is another account's.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The hash is not that of the manifest.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    delivery_mismatch: >-
                      The hash is not that of the manifest that was issued. Get the manifest again, and the files that differ.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/confirmDelivery.422'}}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          # App Store

          /v1/notifications/app-store:
            post:
              operationId: receiveNotification
              tags: [App Store]
              summary: Receive an App Store Server Notification
              description: |
                Versions 2 (`signedPayload`) and 1. Enter this URL in App Store Connect. Anybody may call it, but only
                notifications that the App Store signed, or that contain the app's shared secret, are accepted. Each
                notification is recorded and applied once, in any order. Notifications with unknown types and for unknown apps
                are recorded too.

                The answer is 200 when the notification is stored durably; after 503, the App Store sends it again.
              security: []
              requestBody:
                required: true
                x-maximum-bytes: 4194304
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Notification'}
                    examples: {recorded: {$ref: '#/components/examples/receiveNotification.request'}}
              responses:
                '200':
                  description: The notification is recorded. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The notification is not from the App Store.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    notification_rejected: The App Store did not sign it, or it is malformed; `reason` says which.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/receiveNotification.422'}}
                '429':
                  description: Too many forged notifications.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    too_many_requests: >-
                      This address sent too many forged notifications. Genuine ones of a signer that the server has verified
                      before are still accepted.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          # Operator

          /admin/v1/apps:
            get:
              operationId: listApps
              tags: [Operator]
              summary: List the apps
              description: |
                Every app of the catalog with its settings and the number of its products, in the order of the catalog. The strong
                `ETag` is the revision of the catalog.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The apps.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AppList'}
                      examples: {recorded: {$ref: '#/components/examples/listApps.200'}}
                '304': {$ref: '#/components/responses/NotModified'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/apps/{bundleID}:
            get:
              operationId: getApp
              tags: [Operator]
              summary: Get the settings of an app
              description: |
                The app's entry in the catalog, without the products. The strong `ETag` is the revision of the whole catalog.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The settings.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AppSettings'}
                      examples: {recorded: {$ref: '#/components/examples/getApp.200'}}
                '304': {$ref: '#/components/responses/NotModified'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}
            put:
              operationId: putApp
              tags: [Operator]
              summary: Add an app or replace its settings
              description: |
                Replaces all settings of the app with those in the body, in the form of `products.json` without `products`;
                settings that the body leaves out get their defaults. A new app begins without products. The products of an
                existing app do not change. The change takes effect at once and survives a restart; in the file, only the text
                of the settings changes. Unknown members are refused. `If-Match` with the revision ensures that nobody changed
                the catalog in the meantime; `If-None-Match: *` only adds.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
                - {$ref: '#/components/parameters/DryRun'}
                - {$ref: '#/components/parameters/EditReason'}
              requestBody:
                required: true
                x-maximum-bytes: 65536
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/AppSettings'}
                    examples: {recorded: {$ref: '#/components/examples/putApp.request'}}
              responses:
                '200':
                  description: The settings were replaced, or the dry run.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/AppSettings'}, {$ref: '#/components/schemas/DryRunEdit'}]}
                '201':
                  description: The app was added.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AppSettings'}
                      examples: {recorded: {$ref: '#/components/examples/putApp.201'}}
                  links:
                    app:
                      operationId: getApp
                      parameters: {bundleID: $request.path.bundleID}
                    deletion:
                      operationId: deleteApp
                      parameters: {bundleID: $request.path.bundleID}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: The bundle ID is not valid.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The settings or the query are wrong.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_app: The settings are wrong. `detail` begins with the path to the mistake.
                    invalid_request: >-
                      `reason` is empty, longer than 500 characters or has a control character, or the query has a parameter that
                      the route does not know.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/putApp.422.invalid_app'}}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}
            delete:
              operationId: deleteApp
              tags: [Operator]
              summary: Remove an app
              description: |
                Removes the app from the catalog, if it has no products there and no purchase in it is recorded or pending.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/DryRun'}
                - {$ref: '#/components/parameters/EditReason'}
              responses:
                '200':
                  description: The dry run.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/DryRunEdit'}
                '204':
                  description: The app was removed.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The app is in use, or the catalog is wrong.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    app_in_use: It has products, or recorded purchases; `detail` says which.
                    invalid_catalog: '`products.json` has a mistake now, or is not in UTF-8; `detail` says what. Correct the file.'
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/deleteApp.409.app_in_use'}}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/apps/{bundleID}/test-notification:
            post:
              operationId: testNotification
              tags: [Operator]
              summary: Request a test notification
              description: |
                Asks the App Store to send a notification of type `TEST` to the app's URL in App Store Connect. It arrives
                within seconds, or never; the alarm `testNotification` of the [overview](#get-adminv1overview) says which. The
                request is recorded in the audit trail even if the App Store refuses it.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - name: environment
                  in: query
                  description: The environment whose URL is tested.
                  schema: {type: string, enum: [Production, Sandbox], default: Production}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/testNotification.request'}}
              responses:
                '200':
                  description: The App Store accepted the request.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/RequestedTest'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/testNotification.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The App Store refused the request.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    test_refused: >-
                      `reason` says why: `noKey`, the app has no key for the App Store Server API; `noURL`, App Store Connect has no
                      address for this environment; `refused`, the App Store refuses the key or the request. `detail` has the App
                      Store's code.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/testNotification.409.test_refused'}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503':
                  description: The App Store does not answer, or the ledger cannot be written to now.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    store_unavailable: The App Store does not answer, or limits requests; nothing was recorded.
                    storage_unavailable: The ledger cannot be written to now.
                    busy: Too many large bodies are being processed. Nothing was recorded.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          /admin/v1/apps/{bundleID}/unavailable-products:
            get:
              operationId: listUnavailableProducts
              tags: [Operator]
              summary: List products that the store does not know
              description: |
                The products that apps reported from at least three addresses on one day, in the last 30 days, the newest day
                first; at most 1,000.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
              responses:
                '200':
                  description: The products.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/UnavailableProductList'}
                      examples: {recorded: {$ref: '#/components/examples/listUnavailableProducts.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/apps/{bundleID}/preview:
            get:
              operationId: previewProducts
              tags: [Operator]
              summary: Preview a product list
              description: The product list that a client with the same query would get, now or at another time.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {name: appVersion, in: query, description: The app's version., schema: {type: string}}
                - {name: platform, in: query, description: For example `iOS`., schema: {type: string}}
                - {name: storefront, in: query, description: 'For example `DEU`.', schema: {type: string}}
                - {$ref: '#/components/parameters/PlacementQuery'}
                - {$ref: '#/components/parameters/BucketQuery'}
                - name: at
                  in: query
                  description: The time of the list. The default is now. Versions of bundles are always the current ones.
                  schema: {type: string, format: date-time}
              responses:
                '200':
                  description: The list.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/ProductPreview'}
                      examples: {recorded: {$ref: '#/components/examples/previewProducts.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app, or no such placement.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    unknown_placement: The app's entry in the catalog has no placement of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/UnknownQuery'}

          /admin/v1/apps/{bundleID}/products:
            get:
              operationId: adminListProducts
              tags: [Operator]
              summary: List the catalog entries of an app
              description: |
                Every entry of the app in the catalog, on sale or not, and the terms that a purchase made now would get. The
                strong `ETag` is the revision of the catalog.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The entries.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/CatalogApp'}
                      examples: {recorded: {$ref: '#/components/examples/adminListProducts.200'}}
                '304': {$ref: '#/components/responses/NotModified'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/apps/{bundleID}/products/{id}:
            get:
              operationId: adminGetProduct
              tags: [Operator]
              summary: Get one catalog entry
              description: |
                The entry in the catalog. The strong `ETag` is the revision of the whole catalog.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/ProductIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The entry.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/ProductEntry'}
                      examples: {recorded: {$ref: '#/components/examples/adminGetProduct.200'}}
                '304': {$ref: '#/components/responses/NotModified'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app or product.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    unknown_product: The app has no product with this ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}
            put:
              operationId: putProduct
              tags: [Operator]
              summary: Add or replace a product
              description: |
                Puts one entry into the catalog, in the form of `products.json`. The change takes effect at once and survives a
                restart; in the file, only the text of this entry changes. Unknown members are refused. `If-Match` with the
                revision ensures that nobody changed the catalog in the meantime; `If-None-Match: *` only adds.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/ProductIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
                - {$ref: '#/components/parameters/DryRun'}
                - {$ref: '#/components/parameters/EditReason'}
              requestBody:
                required: true
                x-maximum-bytes: 65536
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ProductEntry'}
                    examples: {recorded: {$ref: '#/components/examples/putProduct.request'}}
              responses:
                '200':
                  description: The entry was replaced, or the dry run.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/ProductEntry'}, {$ref: '#/components/schemas/DryRunEdit'}]}
                '201':
                  description: The entry was added.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/ProductEntry'}
                      examples: {recorded: {$ref: '#/components/examples/putProduct.201'}}
                  links:
                    product:
                      operationId: adminGetProduct
                      parameters: {bundleID: $request.path.bundleID, id: $request.path.id}
                    deletion:
                      operationId: deleteProduct
                      parameters: {bundleID: $request.path.bundleID, id: $request.path.id}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The entry or the query is wrong.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_product: The entry is wrong. `detail` begins with the path to the mistake.
                    invalid_request: >-
                      `reason` is empty, longer than 500 characters or has a control character, or the query has a parameter that
                      the route does not know.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/putProduct.422.invalid_product'}}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}
            delete:
              operationId: deleteProduct
              tags: [Operator]
              summary: Take a product off sale
              description: |
                Removes the entry from the catalog. Existing purchases are not affected: they keep the terms under which they
                were made.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleIDPath'}
                - {$ref: '#/components/parameters/ProductIDPath'}
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/DryRun'}
                - {$ref: '#/components/parameters/EditReason'}
              responses:
                '200':
                  description: The dry run.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/DryRunEdit'}
                '204':
                  description: The entry was removed.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app or product.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                    unknown_product: The app has no product with this ID.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409': {$ref: '#/components/responses/InvalidCatalog'}
                '412': {$ref: '#/components/responses/CatalogChanged'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/accounts:
            get:
              operationId: findAccounts
              tags: [Operator]
              summary: Find the accounts of a transaction, receipt or order, or list the newest accounts
              description: |
                Takes at most one of `transaction`, `originalTransaction`, `receipt` and `order`. Without them, it lists the
                newest accounts, the last created first, page by page. A transaction ID finds every account that owns an
                original transaction with that ID; the same ID may stand for different purchases in different apps and
                environments. `unclaimed` has the purchases with that ID that the App Store reported and no account presented.
                [Transfer](#post-adminv1original-transactionsenvironmentoriginalidtransfer) gives one to an account.

                An order that is not recorded yet is looked up in the App Store, which knows the orders of Production only. The
                server asks with the key of one app after another, at most ten; with `bundleID`, only for that app. The App
                Store's answer is recorded like a notification, so it is not asked again.
              security: [{administrator: []}]
              parameters:
                - name: transaction
                  in: query
                  description: A transaction ID or original transaction ID.
                  schema: {type: string}
                - name: originalTransaction
                  in: query
                  description: An original transaction ID.
                  schema: {type: string}
                - name: receipt
                  in: query
                  description: The ID of a receipt, as in the answers to the app and in problem documents.
                  schema: {type: string}
                - name: order
                  in: query
                  description: The order ID in the e-mail from the App Store to the customer. 1 to 64 letters and digits.
                  schema: {type: string, pattern: '^[A-Za-z0-9]{1,64}$'}
                - name: bundleID
                  in: query
                  description: Only with `order`. The app to which the order belongs.
                  schema: {type: string}
                - name: after
                  in: query
                  description: Only for the list of the newest accounts. The `next` of the previous page.
                  schema: {$ref: '#/components/schemas/UUID'}
                - name: limit
                  in: query
                  description: Only for the list of the newest accounts.
                  schema: {type: integer, minimum: 1, maximum: 1000, default: 100}
              responses:
                '200':
                  description: The accounts. The list is empty if none is known.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/FoundAccounts'}
                      examples: {recorded: {$ref: '#/components/examples/findAccounts.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/accounts/{account}:
            get:
              operationId: getAccount
              tags: [Operator]
              summary: Get the account report
              description: |
                Everything that is recorded about one account. Each list has at most 200 entries, the newest first; `truncated`
                names the lists that have more. With `after`, older purchases follow page by page.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - name: after
                  in: query
                  description: The `next` of the previous report; this report then has older purchases.
                  schema: {type: string}
              responses:
                '200':
                  description: The report.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AccountReport'}
                      examples: {recorded: {$ref: '#/components/examples/getAccount.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/accounts/{account}/credits:
            post:
              operationId: adjustCredits
              tags: [Operator]
              summary: Add or take back credits
              description: |
                Changes a balance. Idempotent: repeating the request with the same `Idempotency-Key` gives the same answer and
                changes nothing. Taking back more credits than there are makes the balance negative, as a refund can.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/IdempotencyKey'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/AdjustmentRequest'}
                    examples: {recorded: {$ref: '#/components/examples/adjustCredits.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/AdjustedBalance'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/adjustCredits.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such account or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no account with this ID.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The request cannot be carried out.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_request: '`reason` is missing or too long, the amount is 0 or beyond 1,000,000,000, or the query has a parameter that is not known.'
                    unknown_currency: No product of the app and no setting names the currency, and the account never had any of it. Nothing was recorded; the key can be used again.
                    idempotency_key_reused: The key was used for another adjustment of this account.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/adjustCredits.422.unknown_currency'}}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/grants:
            post:
              operationId: giveProduct
              tags: [Operator]
              summary: Give a product without a purchase
              description: |
                Gives access to a product as a purchase would, until a given time or without end, but no credits. It is not a
                purchase and is not counted in reports. If there is also a purchase, the later end applies. It stays with the
                account when purchases are transferred. Idempotent: repeating the request with the same `Idempotency-Key` gives
                the same answer and changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/IdempotencyKey'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/GrantRequest'}
                    examples: {recorded: {$ref: '#/components/examples/giveProduct.request'}}
              responses:
                '200':
                  description: The result of the dry run.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/DryRun'}
                '201':
                  description: The product was given, now or by an earlier request with the same key.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Grant'}
                      examples: {recorded: {$ref: '#/components/examples/giveProduct.201'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such account or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no account with this ID.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The account was given too many products.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    too_many_grants: 50 grants of the account stand at the same time. Nothing was recorded; the key can be used again.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The request cannot be carried out.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_request: '`reason` is missing or too long, `until` is no time or has passed, the product is a consumable without bundles, or the query has a parameter that is not known.'
                    unknown_product: The app has no product with this ID. Nothing was recorded; the key can be used again.
                    idempotency_key_reused: The key was used for another grant of the app to this account.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/giveProduct.422.unknown_product'}}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/grants/{grant}:
            delete:
              operationId: takeProductBack
              tags: [Operator]
              summary: Take back a product that was given
              description: |
                Ends the access by a grant at once. Purchases are not affected. Taking it back again changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - name: grant
                  in: path
                  required: true
                  description: The `grant` of the answer when the product was given.
                  schema: {type: string}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/takeProductBack.request'}}
              responses:
                '200':
                  description: The result of the dry run.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/DryRun'}
                '204':
                  description: The product was taken back.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such account, or the account has no such grant.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no account with this ID, or it has no grant with this ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/block:
            post:
              operationId: blockAccount
              tags: [Operator]
              summary: Block an account
              description: |
                From now on, requests with the account's access tokens or recovery code are answered with 403 `account_blocked`.
                The account keeps what it owns, and receipts that wait for the App Store are still processed. Blocking again
                changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/blockAccount.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/AccountStanding'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/blockAccount.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/unblock:
            post:
              operationId: unblockAccount
              tags: [Operator]
              summary: Unblock an account
              description: |
                The account can be used again as before. Changes nothing if it is not blocked.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/unblockAccount.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/AccountStanding'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/unblockAccount.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/tester:
            put:
              operationId: addTester
              tags: [Operator]
              summary: Make an account a tester
              description: |
                Sandbox purchases entitle the account if the app's `sandbox` setting admits testers.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/addTester.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/TesterStanding'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/addTester.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}
            delete:
              operationId: removeTester
              tags: [Operator]
              summary: End an account's status as a tester
              description: |
                Changes nothing if no administrator made the account a tester. The body has the reason.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/removeTester.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/TesterStanding'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/removeTester.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/beta:
            put:
              operationId: addToBeta
              tags: [Operator]
              summary: Offer an account beta versions
              description: |
                The account is also offered the versions of bundles on the channel `beta`.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/addToBeta.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/BetaStanding'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/addToBeta.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}
            delete:
              operationId: removeFromBeta
              tags: [Operator]
              summary: Stop offering an account beta versions
              description: |
                Changes nothing if the account is not offered any. The body has the reason.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/removeFromBeta.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/BetaStanding'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/removeFromBeta.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/sandbox-reset:
            post:
              operationId: resetSandbox
              tags: [Operator]
              summary: Empty a tester's sandbox
              description: |
                Forgets the original transactions that the account owns outside Production and sets every balance there to zero,
                so that the tester can buy everything again. Forgotten transactions belong to no account; the first account that
                presents one gets it as if it were new.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/SandboxResetRequest'}
                    examples: {recorded: {$ref: '#/components/examples/resetSandbox.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/SandboxReset'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/resetSandbox.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such account or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no account with this ID.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/recovery-code:
            post:
              operationId: replaceRecoveryCode
              tags: [Operator]
              summary: Give an account a new recovery code
              description: |
                For a player who lost the code and whose identity support has checked. The old code becomes invalid at once;
                sessions stay open. The new code is in this answer only. Repeating the request creates another code.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/replaceRecoveryCode.request'}}
              responses:
                '200':
                  description: The result of the dry run.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/DryRun'}
                '201':
                  description: The new code.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/NewRecoveryCode'}
                      examples: {recorded: {$ref: '#/components/examples/replaceRecoveryCode.201'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/accounts/{account}/sessions/revoke:
            post:
              operationId: revokeSessions
              tags: [Operator]
              summary: End all sessions of an account
              description: |
                The account's tokens stop working at once. The recovery code opens new sessions.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/AccountPath'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/revokeSessions.request'}}
              responses:
                '200':
                  description: Done.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/RevokedSessions'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/revokeSessions.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404': {$ref: '#/components/responses/UnknownAccount'}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/original-transactions/{environment}/{originalID}/transfer:
            post:
              operationId: transferOriginalTransaction
              tags: [Operator]
              summary: Transfer a purchase to another account
              description: |
                Gives an original transaction, with its renewals and restored copies, to an account, regardless of the product's
                `ownership` and of earlier transfers. Access follows at once; credits stay with the account that got them. From
                then on, only an administrator can transfer it again. If no account presented it, the account also gets its
                credits. Repeating the request changes nothing.
              security: [{administrator: []}]
              parameters:
                - name: environment
                  in: path
                  required: true
                  description: '`Production` or `Sandbox`; `Xcode` if the app trusts a certificate of Xcode.'
                  schema: {type: string, enum: [Production, Sandbox, Xcode]}
                - name: originalID
                  in: path
                  required: true
                  description: The original transaction ID.
                  schema: {type: string}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/TransferRequest'}
                    examples: {recorded: {$ref: '#/components/examples/transferOriginalTransaction.request'}}
              responses:
                '200':
                  description: The original transaction after the change.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/OriginalTransaction'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/transferOriginalTransaction.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such original transaction, account or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: No transaction with this original ID is recorded, there is no account with the ID in `to`, or a name in the path has a control character.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/original-transactions/{environment}/{originalID}/transfer/undo:
            post:
              operationId: undoTransfer
              tags: [Operator]
              summary: Undo the last transfer of a purchase
              description: |
                Gives the original transaction back to the account that had it before its last transfer, regardless of who made
                the transfer. Access follows at once; credits stay where they are. From then on, only an administrator can
                transfer it again. Repeating the request changes nothing.
              security: [{administrator: []}]
              parameters:
                - name: environment
                  in: path
                  required: true
                  description: '`Production` or `Sandbox`; `Xcode` if the app trusts a certificate of Xcode.'
                  schema: {type: string, enum: [Production, Sandbox, Xcode]}
                - name: originalID
                  in: path
                  required: true
                  description: The original transaction ID.
                  schema: {type: string}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/UndoTransferRequest'}
                    examples: {recorded: {$ref: '#/components/examples/undoTransfer.request'}}
              responses:
                '200':
                  description: The original transaction after the change.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/OriginalTransaction'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/undoTransfer.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such original transaction, account or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: Nobody has a purchase with this original ID, the account that had it is gone, or a name in the path has a control character.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: There is nothing to undo.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_transferred: The purchase was never transferred.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/undoTransfer.409'}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/original-transactions/{environment}/{originalID}/extend:
            post:
              operationId: extendRenewalDate
              tags: [Operator]
              summary: Extend the renewal date of a subscription
              description: |
                The App Store charges the customer this many days later, and access lasts as much longer. Apple extends a
                customer's subscriptions at most twice a year. Repeating the request with the same `Idempotency-Key`, or without
                a key before the new date is known, does not extend again.
              security: [{administrator: []}]
              parameters:
                - name: environment
                  in: path
                  required: true
                  description: '`Production` or `Sandbox`.'
                  schema: {type: string, enum: [Production, Sandbox, Xcode]}
                - name: originalID
                  in: path
                  required: true
                  description: The original transaction ID.
                  schema: {type: string}
                - name: Idempotency-Key
                  in: header
                  description: The name of the extension. ASCII without control characters.
                  schema: {type: string, minLength: 1, maxLength: 128, pattern: '^[!-~]([ -~]*[!-~])?$'}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ExtensionRequest'}
                    examples: {recorded: {$ref: '#/components/examples/extendRenewalDate.request'}}
              responses:
                '200':
                  description: The new renewal date.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/ExtendedRenewalDate'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/extendRenewalDate.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such subscription or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: No purchase with this original ID is recorded, the App Store has none, or a name in the path has a control character.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The App Store does not extend it.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    extension_refused: The App Store refused; `detail` has its code and the name of that.
                    no_store_key: The app has no key for the App Store Server API.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/extendRenewalDate.409'}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503':
                  description: Try again later.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    store_unavailable: The App Store does not answer now.
                    storage_unavailable: The ledger cannot be used now.
                    busy: Too many large bodies are being processed. Nothing was recorded.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          /admin/v1/lines/{environment}/{originalID}/move:
            post:
              operationId: moveLine
              tags: [Operator]
              deprecated: true
              summary: Transfer a purchase to another account (old name)
              description: |
                The old name of `POST /admin/v1/original-transactions/{environment}/{originalID}/transfer`, with the same body and
                answers. It will be removed in 1.0.
              security: [{administrator: []}]
              parameters:
                - name: environment
                  in: path
                  required: true
                  description: '`Production` or `Sandbox`; `Xcode` if the app trusts a certificate of Xcode.'
                  schema: {type: string, enum: [Production, Sandbox, Xcode]}
                - name: originalID
                  in: path
                  required: true
                  description: The original transaction ID.
                  schema: {type: string}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/TransferRequest'}
                    examples: {recorded: {$ref: '#/components/examples/transferOriginalTransaction.request'}}
              responses:
                '200':
                  description: The original transaction after the change.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/OriginalTransaction'}, {$ref: '#/components/schemas/DryRun'}]}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such original transaction, account or app.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: No transaction with this original ID is recorded, there is no account with the ID in `to`, or a name in the path has a control character.
                    unknown_app: The server has no app with this bundle ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/bundles:
            get:
              operationId: listAdminBundles
              tags: [Operator]
              summary: List the bundles
              description: |
                The bundles by name, with the version that is offered to everybody, the number of versions, and the products
                that give access.
              security: [{administrator: []}]
              parameters:
                - name: after
                  in: query
                  description: The `next` of the previous page.
                  schema: {type: string}
                  example: hard-words
                - name: limit
                  in: query
                  schema: {type: integer, minimum: 1, maximum: 100, default: 100}
              responses:
                '200':
                  description: A page of bundles.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AdminBundlePage'}
                      examples: {recorded: {$ref: '#/components/examples/listAdminBundles.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/bundles/{name}/versions:
            get:
              operationId: listBundleVersions
              tags: [Operator]
              summary: List the versions of a bundle
              description: |
                Drafts, published versions and yanked versions, the lowest first.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
              responses:
                '200':
                  description: The versions.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/VersionList'}
                      examples: {recorded: {$ref: '#/components/examples/listBundleVersions.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle or version of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}
            post:
              operationId: draftBundleVersion
              tags: [Operator]
              summary: Begin a new version of a bundle
              description: |
                Records the manifest of a new version as a draft. The answer's `missing` lists the hashes of the files that must
                be uploaded with `PUT` or `PATCH /admin/v1/content/{sha256}` before the draft can be published. Repeating the
                request with the same manifest changes nothing and says what is still missing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
              requestBody:
                required: true
                x-maximum-bytes: 4194304
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/VersionDraft'}
                    examples: {recorded: {$ref: '#/components/examples/draftBundleVersion.request'}}
              responses:
                '200':
                  description: The version already exists, with the same files.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleVersion'}
                '201':
                  description: The draft was recorded.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleVersion'}
                      examples: {recorded: {$ref: '#/components/examples/draftBundleVersion.201'}}
                  links:
                    upload:
                      operationId: putContent
                      parameters: {sha256: $response.body#/missing/0}
                    publish:
                      operationId: publishBundleVersion
                      parameters: {name: $request.path.name, version: $response.body#/version}
                    discard:
                      operationId: discardBundleVersion
                      parameters: {name: $request.path.name, version: $response.body#/version}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: The name is not valid for a bundle.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The version cannot be drafted.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    version_exists: The version already exists with other files or members. Take another number, or discard the draft.
                    version_not_newer: The version is not higher than the newest. Take a higher one, or set `patch`.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422':
                  description: The manifest or the query is wrong.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    invalid_bundle: The manifest is wrong; `detail` says where.
                    invalid_request: The query has a parameter, and the route has none.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/draftBundleVersion.422.invalid_bundle'}}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '501': {$ref: '#/components/responses/UploadsNotSupported'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/bundles/{name}/versions/{version}:
            delete:
              operationId: discardBundleVersion
              tags: [Operator]
              summary: Discard a draft
              description: |
                Deletes a draft. Published versions cannot be deleted; yank them instead.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
                - {$ref: '#/components/parameters/VersionPath'}
              responses:
                '204':
                  description: The draft was discarded.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle or version of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The version is not a draft.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    version_state: The version is in the state that `reason` names, which does not allow it.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/InvalidBundleName'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/bundles/{name}/versions/{version}/publish:
            post:
              operationId: publishBundleVersion
              tags: [Operator]
              summary: Publish a draft
              description: |
                From now on, the version is offered to players. Publishing again changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
                - {$ref: '#/components/parameters/VersionPath'}
              responses:
                '200':
                  description: The version is published.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleVersion'}
                      examples: {recorded: {$ref: '#/components/examples/publishBundleVersion.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle or version of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The draft cannot be published.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    content_missing: Files of the version were not uploaded yet; `missing` lists their hashes.
                    version_exists: A folder made by hand has this number and other files.
                    version_not_newer: A version that was published meanwhile is as new or newer.
                    version_state: The version is in the state that `reason` names, which does not allow it.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/publishBundleVersion.409.content_missing'}}
                '422': {$ref: '#/components/responses/InvalidBundleName'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/bundles/{name}/versions/{version}/yank:
            post:
              operationId: yankBundleVersion
              tags: [Operator]
              summary: Stop offering a version
              description: |
                The version is no longer offered, but can still be requested by its number. Yanking again changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
                - {$ref: '#/components/parameters/VersionPath'}
              responses:
                '200':
                  description: The version is yanked.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleVersion'}
                      examples: {recorded: {$ref: '#/components/examples/yankBundleVersion.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle or version of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The version's state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    version_state: The version is in the state that `reason` names, which does not allow it.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/InvalidBundleName'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/bundles/{name}/versions/{version}/promote:
            post:
              operationId: promoteBundleVersion
              tags: [Operator]
              summary: Offer a beta version to everybody
              description: |
                Moves the version from the channel `beta` to `stable`. Promoting again changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
                - {$ref: '#/components/parameters/VersionPath'}
              responses:
                '200':
                  description: The version is on the channel `stable`.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleVersion'}
                      examples: {recorded: {$ref: '#/components/examples/promoteBundleVersion.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle or version of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The version's state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    version_state: The version is in the state that `reason` names, which does not allow it.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/InvalidBundleName'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/bundles/{name}/versions/{version}/restore:
            post:
              operationId: restoreBundleVersion
              tags: [Operator]
              summary: Offer a yanked version again
              description: |
                Restoring a published version changes nothing.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/BundleNamePath'}
                - {$ref: '#/components/parameters/VersionPath'}
              responses:
                '200':
                  description: The version is published again.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/BundleVersion'}
                      examples: {recorded: {$ref: '#/components/examples/restoreBundleVersion.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: Unknown bundle or version.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_bundle: There is no bundle or version of this name.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: The version's state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    version_state: The version is in the state that `reason` names, which does not allow it.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422': {$ref: '#/components/responses/InvalidBundleName'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/content/{sha256}:
            head:
              operationId: getUploadOffset
              tags: [Operator]
              summary: Get how much of a file was uploaded
              description: |
                Uploads follow draft-ietf-httpbis-resumable-upload: HEAD says how much was uploaded, PATCH continues from there,
                PUT sends the file from the beginning.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/SHA256Path'}
              responses:
                '204':
                  description: How much was uploaded.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Upload-Offset: {$ref: '#/components/headers/Upload-Offset'}
                    Upload-Complete: {$ref: '#/components/headers/Upload-Complete'}
                    Upload-Length: {$ref: '#/components/headers/Upload-Length'}
                '401':
                  description: No valid admin token. No body.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    WWW-Authenticate: {$ref: '#/components/headers/WWW-Authenticate'}
                '403':
                  description: The admin token is for some apps only. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '404':
                  description: No version and no draft names content with this hash. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '422':
                  description: The query has a parameter; the route takes none. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '429':
                  description: This address sent too many wrong admin tokens. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '501':
                  description: The content is in an object store. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '503':
                  description: The token cannot be checked now. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
            put:
              operationId: putContent
              tags: [Operator]
              summary: Upload a file
              description: |
                Sends a file from the beginning. If the whole file was already uploaded, nothing is written.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/SHA256Path'}
              requestBody:
                required: true
                content: {application/octet-stream: {schema: {type: string, format: binary}}}
              responses:
                '204':
                  description: The bytes were stored.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Upload-Offset: {$ref: '#/components/headers/Upload-Offset'}
                    Upload-Complete: {$ref: '#/components/headers/Upload-Complete'}
                    Upload-Length: {$ref: '#/components/headers/Upload-Length'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: No version and no draft names content with this hash.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_content: No version and no draft names content with this hash. Send the manifest first.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413':
                  description: The file is too long.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    request_too_large: The bytes are more than the size that the manifest gives.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422':
                  description: The bytes or the query are wrong.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    content_mismatch: The bytes have another SHA-256 and were dropped. Send the file from its beginning.
                    invalid_request: The query has a parameter, and the route has none.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '429':
                  description: Too many requests.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    too_many_requests: Too many uploads are unfinished, or this address sent too many wrong admin tokens.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '501': {$ref: '#/components/responses/UploadsNotSupported'}
                '503':
                  description: The upload cannot be accepted now.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    busy: Another client is uploading this file.
                    storage_unavailable: The content folder, or the ledger that checks the token, cannot be used now; `detail` says why.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            patch:
              operationId: appendContent
              tags: [Operator]
              summary: Continue an upload
              description: |
                Sends the bytes after `Upload-Offset`. If the whole file was already uploaded, nothing is written.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/SHA256Path'}
                - name: Upload-Offset
                  in: header
                  required: true
                  description: How many bytes were uploaded, as far as the client knows.
                  schema: {type: integer, format: int64, minimum: 0, maximum: 9223372036854775807}
              requestBody:
                required: true
                content: {application/octet-stream: {schema: {type: string, format: binary}}}
              responses:
                '204':
                  description: The bytes were stored.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Upload-Offset: {$ref: '#/components/headers/Upload-Offset'}
                    Upload-Complete: {$ref: '#/components/headers/Upload-Complete'}
                    Upload-Length: {$ref: '#/components/headers/Upload-Length'}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: No version and no draft names content with this hash.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    unknown_content: No version and no draft names content with this hash. Send the manifest first.
                    not_found: A name in the path has a control character, or is not UTF-8.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '409':
                  description: '`Upload-Offset` does not match.'
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Upload-Offset: {$ref: '#/components/headers/Upload-Offset'}
                  x-codes:
                    upload_offset_mismatch: '`Upload-Offset` of the answer says how much is there. Continue after it.'
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413':
                  description: The file is too long.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    request_too_large: The bytes are more than the size that the manifest gives.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '422':
                  description: The bytes or the query are wrong.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    content_mismatch: The bytes have another SHA-256 and were dropped. Send the file from its beginning.
                    invalid_request: The query has a parameter, and the route has none.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '429':
                  description: Too many requests.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    too_many_requests: Too many uploads are unfinished, or this address sent too many wrong admin tokens.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '501': {$ref: '#/components/responses/UploadsNotSupported'}
                '503':
                  description: The upload cannot be accepted now.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    Retry-After: {$ref: '#/components/headers/Retry-After'}
                  x-codes:
                    busy: Another client is uploading this file.
                    storage_unavailable: The content folder, or the ledger that checks the token, cannot be used now; `detail` says why.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          /admin/v1/deliveries:
            get:
              operationId: listDeliveries
              tags: [Operator]
              summary: List deliveries
              description: |
                Manifests that were issued to players, the oldest first. With `unconfirmed`, only what was paid for and did not
                arrive: manifests that were issued but not confirmed and, in `neverFetched`, purchases whose manifest was never
                requested. Only purchases in Production that the account still has and that were not refunded count as paid for;
                open bundles, products that support gave, and sandbox purchases do not. A page has up to `limit` entries in each
                of the two lists.
              security: [{administrator: []}]
              parameters:
                - name: unconfirmed
                  in: query
                  description: '`true` lists only what was paid for and did not arrive.'
                  schema: {type: boolean, default: false}
                - name: olderThan
                  in: query
                  description: Only entries that are older than this number of hours.
                  schema: {type: integer, minimum: 0, maximum: 87600, default: 0}
                - name: bundleID
                  in: query
                  description: Only entries that were paid for in this app. Only with `unconfirmed`.
                  schema: {type: string}
                  example: com.example.hangman
                - name: bundle
                  in: query
                  description: Only entries of this bundle.
                  schema: {type: string}
                  example: hard-words
                - name: account
                  in: query
                  description: Only entries of this account.
                  schema: {$ref: '#/components/schemas/UUID'}
                - name: after
                  in: query
                  description: The `next` of the previous page.
                  schema: {type: string}
                - name: limit
                  in: query
                  schema: {type: integer, minimum: 1, maximum: 1000, default: 1000}
              responses:
                '200':
                  description: The deliveries.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/DeliveryList'}
                      examples: {recorded: {$ref: '#/components/examples/listDeliveries.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/overview:
            get:
              operationId: readOverview
              tags: [Operator]
              summary: Get the overview
              description: |
                The alarms with their levels, the most costly first. `well` is false if the level of an alarm is `bad`, so that
                somebody must act, or `unknown`.
              security: [{administrator: []}]
              responses:
                '200':
                  description: The alarms.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Overview'}
                      examples: {recorded: {$ref: '#/components/examples/readOverview.200'}}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/notifications:
            get:
              operationId: listNotifications
              tags: [Operator]
              summary: List notifications of the App Store
              description: |
                The most recently recorded notifications first, without their content, and the gaps of more than a day in which
                none arrived. Without `app`, a gap is a time without a notification for any app, so an app that gets none is
                hidden by one that does. With an admin token for some apps, the request must name one of these apps.
              security: [{administrator: []}]
              parameters:
                - name: app
                  in: query
                  description: Only notifications of this app, and only gaps between those.
                  schema: {type: string}
                  example: com.example.hangman
                - name: after
                  in: query
                  description: The `next` of the previous page.
                  schema: {type: string}
                - name: limit
                  in: query
                  schema: {type: integer, minimum: 1, maximum: 1000, default: 100}
              responses:
                '200':
                  description: A page of notifications.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/NotificationPage'}
                      examples: {recorded: {$ref: '#/components/examples/listNotifications.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/testers:
            get:
              operationId: listTesters
              tags: [Operator]
              summary: List testers
              description: |
                The accounts that administrators made [testers](#put-adminv1accountsaccounttester), the most recent first.
                Accounts that the server's settings name as testers are not included.
              security: [{administrator: []}]
              parameters:
                - name: after
                  in: query
                  description: The `next` of the previous page.
                  schema: {type: string}
                - name: limit
                  in: query
                  schema: {type: integer, minimum: 1, maximum: 1000, default: 100}
              responses:
                '200':
                  description: A page of testers.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/TesterPage'}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/receipts:
            get:
              operationId: listReceipts
              tags: [Operator]
              summary: List receipts that wait or were rejected
              description: |
                The oldest first, unless `order` says otherwise. For a receipt that waits, `trouble` says why there is no answer
                yet.
              security: [{administrator: []}]
              parameters:
                - name: status
                  in: query
                  required: true
                  schema: {type: string, enum: [pending, rejected]}
                - name: bundleID
                  in: query
                  description: Only receipts of this app, as the receipt or the client names it.
                  schema: {type: string}
                  example: com.example.hangman
                - name: reason
                  in: query
                  description: Only receipts that were rejected for this reason. Only with `status=rejected`.
                  schema: {type: string}
                  example: signature
                - name: order
                  in: query
                  description: Which receipts come first.
                  schema: {type: string, enum: [oldest, newest], default: oldest}
                - name: after
                  in: query
                  description: The `next` of the previous page.
                  schema: {type: string}
                - name: limit
                  in: query
                  schema: {type: integer, minimum: 1, maximum: 1000, default: 100}
              responses:
                '200':
                  description: A page of receipts.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/ReceiptPage'}
                      examples: {recorded: {$ref: '#/components/examples/listReceipts.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/receipts/{receipt}/retry:
            post:
              operationId: retryReceipt
              tags: [Operator]
              summary: Retry a pending receipt
              description: |
                Asks the App Store about the receipt at once instead of at `retryAt`. Changes nothing if the receipt is not
                pending.
              security: [{administrator: []}]
              parameters:
                - name: receipt
                  in: path
                  required: true
                  description: The receipt's ID.
                  schema: {type: string}
                - {$ref: '#/components/parameters/DryRun'}
              requestBody:
                required: true
                x-maximum-bytes: 16384
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ReasonRequest'}
                    examples: {recorded: {$ref: '#/components/examples/retryReceipt.request'}}
              responses:
                '200':
                  description: The receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {anyOf: [{$ref: '#/components/schemas/ReceiptSummary'}, {$ref: '#/components/schemas/DryRun'}]}
                      examples: {recorded: {$ref: '#/components/examples/retryReceipt.200'}}
                '400': {$ref: '#/components/responses/InvalidRequest'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '404':
                  description: There is no such receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: There is no receipt with this ID.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/RequestTooLarge'}
                '422': {$ref: '#/components/responses/InvalidReason'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/BusyOrStorageUnavailable'}

          /admin/v1/reports/purchases:
            get:
              operationId: reportPurchases
              tags: [Operator]
              summary: Report purchases
              description: |
                First purchases and renewals by the date of the purchase, including refunded ones. Transactions that no account
                presented are counted; restored copies, Family Sharing and purchases that a sandbox reset forgot are not. At
                most 400 days.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/ReportFromQuery'}
                - {$ref: '#/components/parameters/ReportToQuery'}
                - {$ref: '#/components/parameters/ReportByQuery'}
                - {$ref: '#/components/parameters/ReportAppQuery'}
                - {$ref: '#/components/parameters/ReportEnvironmentQuery'}
              responses:
                '200':
                  description: The report.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/PurchaseReport'}
                      examples: {recorded: {$ref: '#/components/examples/reportPurchases.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/reports/subscriptions:
            get:
              operationId: reportSubscriptions
              tags: [Operator]
              summary: Report subscriptions
              description: |
                How many subscriptions began, were renewed and ended, by the date of each. Figures for the past may still
                change: a new statement of the App Store about a renewal replaces the previous one. At most 400 days.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/ReportFromQuery'}
                - {$ref: '#/components/parameters/ReportToQuery'}
                - {$ref: '#/components/parameters/ReportByQuery'}
                - {$ref: '#/components/parameters/ReportAppQuery'}
                - {$ref: '#/components/parameters/ReportEnvironmentQuery'}
              responses:
                '200':
                  description: The report.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SubscriptionReport'}
                      examples: {recorded: {$ref: '#/components/examples/reportSubscriptions.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/reports/refunds:
            get:
              operationId: reportRefunds
              tags: [Operator]
              summary: Report refunds
              description: |
                Refunds by their date. Reversed refunds are not counted. At most 400 days.
              security: [{administrator: []}]
              parameters:
                - {$ref: '#/components/parameters/ReportFromQuery'}
                - {$ref: '#/components/parameters/ReportToQuery'}
                - {$ref: '#/components/parameters/ReportByQuery'}
                - {$ref: '#/components/parameters/ReportAppQuery'}
                - {$ref: '#/components/parameters/ReportEnvironmentQuery'}
              responses:
                '200':
                  description: The report.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/RefundReport'}
                      examples: {recorded: {$ref: '#/components/examples/reportRefunds.200'}}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /admin/v1/audit:
            get:
              operationId: listAuditRows
              tags: [Operator]
              summary: Read the audit trail
              description: |
                Every receipt, decision and administrative act, in the order in which they were committed.

                With a filter, a page looks at 10,000 rows at most, so it may have fewer entries than `limit`, or none, although
                more rows match. Continue with `next` until its value stays the same.
              security: [{administrator: []}]
              parameters:
                - name: after
                  in: query
                  description: The `next` of the previous page.
                  schema: {type: integer, format: int64, minimum: 0, maximum: 9223372036854775807, default: 0}
                - name: limit
                  in: query
                  schema: {type: integer, minimum: 1, maximum: 1000, default: 100}
                - name: kind
                  in: query
                  description: Only rows of this kind.
                  schema: {type: string, minLength: 1, maxLength: 200}
                  example: account.blocked
                - name: actor
                  in: query
                  description: Only rows of this administrator, command or service.
                  schema: {type: string, minLength: 1, maxLength: 200}
                  example: admin:alice
                - name: account
                  in: query
                  description: Only rows about this account.
                  schema: {$ref: '#/components/schemas/UUID'}
                - name: since
                  in: query
                  description: 'Only rows from this time on: an RFC 3339 time, or a day, which stands for its midnight in UTC.'
                  schema: {type: string}
                  example: '2026-11-01'
                - name: until
                  in: query
                  description: Only rows before this time, in the form of `since`.
                  schema: {type: string}
                  example: '2026-12-01T00:00:00Z'
              responses:
                '200':
                  description: A page of rows, the oldest first.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AuditPage'}
                      examples: {recorded: {$ref: '#/components/examples/listAuditRows.200'}}
                  links:
                    next:
                      operationId: listAuditRows
                      parameters: {after: $response.body#/next}
                '400': {$ref: '#/components/responses/InvalidParameter'}
                '401': {$ref: '#/components/responses/AdminUnauthenticated'}
                '403': {$ref: '#/components/responses/AdminForbidden'}
                '422': {$ref: '#/components/responses/UnknownQuery'}
                '429': {$ref: '#/components/responses/TooManyAdminTokens'}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          # Monitoring

          /v1/keys:
            get:
              operationId: listKeys
              tags: [Monitoring]
              summary: Get the public keys
              description: |
                The keys with which to verify the checkpoints of the audit trail and the signatures of manifests, as a JWK Set
                (RFC 7517).
              security: []
              responses:
                '200':
                  description: The keys.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/KeySet'}
                      examples: {recorded: {$ref: '#/components/examples/listKeys.200'}}

          /health:
            get:
              operationId: getHealth
              tags: [Monitoring]
              summary: Check that the process is alive
              description: |
                Checks nothing else. Use it for liveness checks.
              security: []
              responses:
                '200':
                  description: The process is alive.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Health'}
                      examples: {recorded: {$ref: '#/components/examples/getHealth.200'}}

          /ready:
            get:
              operationId: getReadiness
              tags: [Monitoring]
              summary: Check that the server can serve
              description: |
                Reads the ledger. Use it for readiness checks and load balancers.
              security: []
              responses:
                '200':
                  description: The ledger can be read and the catalog is loaded.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Readiness'}
                      examples: {recorded: {$ref: '#/components/examples/getReadiness.200'}}
                '503': {$ref: '#/components/responses/StorageUnavailable'}

          /openapi.yaml:
            get:
              operationId: getDescription
              tags: [Monitoring]
              summary: Get this description
              description: |
                This description of the HTTP interface, OpenAPI 3.1. The simulated App Store has its own at
                `/simulator/openapi.yaml` on its own port.
              security: []
              parameters:
                - {$ref: '#/components/parameters/IfMatch'}
                - {$ref: '#/components/parameters/IfNoneMatch'}
              responses:
                '200':
                  description: The description, YAML in UTF-8.
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}
                    Content-Encoding: {$ref: '#/components/headers/Content-Encoding'}
                  content: {application/yaml: {schema: {type: object, required: [openapi, info, paths]}}}
                '304': {$ref: '#/components/responses/TextNotModified'}
                '412':
                  description: '`If-Match` names a different description. No body.'
                  headers:
                    X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                    ETag: {$ref: '#/components/headers/ETag'}
                    Vary: {$ref: '#/components/headers/VaryByCoding'}

          /metrics:
            get:
              operationId: getMetrics
              tags: [Monitoring]
              summary: Get the metrics
              description: |
                In the text format of Prometheus.
              security: []
              responses:
                '200':
                  description: The metrics.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {text/plain: {schema: {type: string}}}
                '404':
                  description: The metrics are served at another address.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_found: '`--metrics-listen` puts this route on an address of its own.'
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

        components:
          securitySchemes:
            player:
              type: http
              scheme: bearer
              description: The access token of a session. Without a valid one, the answer is 401 `unauthenticated`.
            administrator:
              type: http
              scheme: bearer
              description: >-
                An admin token, created with `quartermaster admin-token create`. Access tokens of players are not accepted.

          parameters:
            DryRun:
              name: dryRun
              in: query
              description: >-
                `true`: nothing is done or recorded, and the answer says what would change. A request that would be refused
                without `dryRun` is refused with it too.
              schema: {type: boolean, default: false}
            EditReason:
              name: reason
              in: query
              description: The reason, for the audit trail. Optional. 1 to 500 characters, none of them a control character.
              schema: {type: string}
            BundleIDPath:
              name: bundleID
              in: path
              required: true
              description: The app's bundle ID.
              schema: {type: string}
            ProductIDPath:
              name: id
              in: path
              required: true
              description: The product ID.
              schema: {type: string}
            ReceiptIDPath:
              name: id
              in: path
              required: true
              description: The `receipt` of an earlier answer.
              schema: {type: string}
            BundleNamePath:
              name: name
              in: path
              required: true
              description: The name of the bundle.
              schema: {type: string}
            VersionPath:
              name: version
              in: path
              required: true
              description: The version, for example `1.2.0`.
              schema: {type: string}
            AccountPath:
              name: account
              in: path
              required: true
              description: The account's ID.
              schema: {$ref: '#/components/schemas/UUID'}
            SHA256Path:
              name: sha256
              in: path
              required: true
              description: The SHA-256 of the file.
              schema: {$ref: '#/components/schemas/SHA256'}
            BundleIDQuery:
              name: bundleID
              in: query
              description: >-
                The app whose balances, purchases or changes to return. Needed for them if the server has several apps.
              schema: {type: string}
            EnvironmentQuery:
              name: environment
              in: query
              description: The environment of the balances, purchases or changes.
              schema: {$ref: '#/components/schemas/EnvironmentChoice'}
            PurchaseAfterQuery:
              name: after
              in: query
              description: The `next` of the previous page; absent for the first page.
              schema: {type: string, pattern: '^[0-9]{1,15}-[0-9]{1,20}$'}
            PostingAfterQuery:
              name: after
              in: query
              description: The `next` of the previous page; absent for the first page.
              schema: {type: string, pattern: '^[1-9][0-9]{0,15}$'}
            HistoryLimitQuery:
              name: limit
              in: query
              description: The maximum number of entries.
              schema: {type: integer, minimum: 1, maximum: 100, default: 20}
            ReportFromQuery:
              name: from
              in: query
              required: true
              description: >-
                The start of the period, inclusive: a time, or a day such as `2026-11-01`, which stands for its midnight in UTC.
              schema: {$ref: '#/components/schemas/ReportTime'}
            ReportToQuery:
              name: to
              in: query
              required: true
              description: The end of the period, exclusive, in the same form.
              schema: {$ref: '#/components/schemas/ReportTime'}
            ReportByQuery:
              name: by
              in: query
              required: true
              description: What a row stands for.
              schema: {type: string, enum: [day, product, storefront]}
            ReportAppQuery:
              name: app
              in: query
              description: The bundle ID of an app, to count only its transactions. Without it, those of all apps are counted.
              schema: {type: string}
            ReportEnvironmentQuery:
              name: environment
              in: query
              description: The environment whose transactions are counted.
              schema: {type: string, enum: [Production, Sandbox, Xcode], default: Production}
            PlacementQuery:
              name: placement
              in: query
              description: >-
                A placement of the app, by its name in the catalog. The answer has those of its products that are on sale for
                the client, in its order, and the member `placement`.
              schema: {type: string}
            BucketQuery:
              name: bucket
              in: query
              description: >-
                The account's bucket for the placement: the first four bytes of the SHA-256 of
                `<placement>:<account UUID in lower case>`, big-endian, modulo 100. The client computes it, so that the answer
                does not depend on the account.
              schema: {type: integer, minimum: 0, maximum: 99, default: 0}
            AppVersionQuery:
              name: appVersion
              in: query
              description: >-
                The app's version (`CFBundleShortVersionString`). Versions of bundles that this app cannot read are left out.
              schema: {type: string, maxLength: 64}
            IdempotencyKey:
              name: Idempotency-Key
              in: header
              required: true
              description: Chosen by the client, a new one for each act. ASCII without control characters.
              schema: {type: string, minLength: 1, maxLength: 128, pattern: '^[!-~]([ -~]*[!-~])?$'}
            NewAccountKey:
              name: Idempotency-Key
              in: header
              description: >-
                At least 128 random bits, chosen by the client for this account only. Whoever knows the key can get access to
                the account. ASCII without control characters.
              schema: {type: string, minLength: 22, maxLength: 128, pattern: '^[!-~]([ -~]*[!-~])?$'}
            IfMatch:
              name: If-Match
              in: header
              description: The request is carried out only if the current entity tag is one of these.
              schema: {type: string}
            IfNoneMatch:
              name: If-None-Match
              in: header
              description: 'For GET: the answer is 304 if the current entity tag is one of these.'
              schema: {type: string}

          headers:
            X-Request-Id:
              description: The ID of the request, 32 hexadecimal digits.
              required: true
              schema: {type: string, pattern: '^[0-9a-f]{32}$'}
            WWW-Authenticate:
              description: '`Bearer`.'
              required: true
              schema: {type: string}
            Retry-After:
              description: The number of seconds to wait before trying again.
              required: true
              schema: {type: integer, minimum: 0}
            ETag:
              description: A strong entity tag.
              required: true
              schema: {type: string, pattern: '^"[^"]*"$'}
            VaryByCoding:
              description: '`accept-encoding`.'
              required: true
              schema: {type: string}
            Quartermaster-At:
              description: The server's time. It replaces `at` in the answer that the client kept.
              required: true
              schema: {$ref: '#/components/schemas/Time'}
            Quartermaster-Fresh:
              description: >-
                A signed statement (JWS) that the version is the newest one for the client; absent if the request names a version,
                or access has ended and the version is kept. docs/app/manifests.md says how to check it.
              schema: {type: string}
            Accept-Ranges:
              description: '`bytes`.'
              required: true
              schema: {type: string}
            Content-Range:
              description: The range that was sent, or `bytes */N` if none was, where N is the size.
              required: true
              schema: {type: string, pattern: '^bytes (\d+-\d+|\*)/\d+$'}
            Content-Encoding:
              description: The content coding, if the file is sent in a smaller form.
              schema: {type: string}
            Repr-Digest:
              description: The SHA-256 of the whole representation (RFC 9530).
              required: true
              schema: {type: string, pattern: '^sha-256=:.*:$'}
            Vary:
              description: The request headers that determine which form is sent, for a file that has several.
              schema: {type: string}
            Use-As-Dictionary:
              description: The later downloads for which the file can be a dictionary (RFC 9842).
              schema: {type: string}
            X-Content-Type-Options:
              description: '`nosniff`.'
              required: true
              schema: {type: string}
            X-Accel-Redirect:
              description: Only for nginx, which then sends the file.
              schema: {type: string}
            Upload-Offset:
              description: How many bytes of the file were uploaded.
              required: true
              schema: {type: integer, minimum: 0}
            Upload-Complete:
              description: '`?1` if the whole file was uploaded.'
              required: true
              schema: {type: string, enum: ['?0', '?1']}
            Upload-Length:
              description: The size of the file.
              required: true
              schema: {type: integer, minimum: 0}

          responses:
            NotModified:
              description: The client already has the answer. No body.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                ETag: {$ref: '#/components/headers/ETag'}
            TextNotModified:
              description: >-
                The client already has the answer, in one of its codings; `ETag` is a tag that the request named. No body.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                ETag: {$ref: '#/components/headers/ETag'}
                Vary: {$ref: '#/components/headers/VaryByCoding'}
            InvalidRequest:
              description: The request cannot be read.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_request: >-
                  The body is no JSON of the described form, a parameter or header is missing or malformed, or `bundleID` is
                  needed because the server has several apps. `detail` says where.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            InvalidParameter:
              description: The request cannot be read.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_request: A parameter is missing or malformed; `detail` says which.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            Unauthenticated:
              description: No valid access token.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                WWW-Authenticate: {$ref: '#/components/headers/WWW-Authenticate'}
              x-codes:
                unauthenticated: The access token is missing, unknown, or of a session that has ended.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            AccountBlocked:
              description: The account is blocked.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                account_blocked: >-
                  An administrator blocked the account. What it bought is not lost: keep transactions unfinished.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            UnknownApp:
              description: There is no such app.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                unknown_app: The server has no app with this bundle ID.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            RequestTooLarge:
              description: The body is too large. The connection is closed.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                request_too_large: The body has more bytes than the route reads.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            ReceiptTooLarge:
              description: The receipt, or the body that holds it, is too large. The connection is closed.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                receipt_too_large: A receipt over 3 MiB, or a body over its limit.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            TooManyAccounts:
              description: Too many requests.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                Retry-After: {$ref: '#/components/headers/Retry-After'}
              x-codes:
                too_many_requests: This address created too many accounts.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            TooManyReceipts:
              description: Too many receipts.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                Retry-After: {$ref: '#/components/headers/Retry-After'}
              x-codes:
                too_many_requests: >-
                  The account sent too many receipts, too many of its receipts or of the transaction IDs wait for the App Store,
                  or those that wait or were rejected today are too large together. Keep the transaction and send it again.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            StorageUnavailable:
              description: The server's storage is not available.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                Retry-After: {$ref: '#/components/headers/Retry-After'}
              x-codes:
                storage_unavailable: What the request needs cannot be read or written now. Nothing was recorded.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            BusyOrStorageUnavailable:
              description: The server cannot handle the request now.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                Retry-After: {$ref: '#/components/headers/Retry-After'}
              x-codes:
                busy: >-
                  Too many large bodies, or too many messages of unknown signers, are being processed, or another client changes
                  the same thing. Nothing was recorded.
                storage_unavailable: What the request needs cannot be read or written now. Nothing was recorded.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            AdminUnauthenticated:
              description: No valid admin token.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                WWW-Authenticate: {$ref: '#/components/headers/WWW-Authenticate'}
              x-codes:
                unauthenticated: The admin token is missing, unknown or revoked. A player's token is not one.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            AdminForbidden:
              description: The token may only read, or is for some apps only.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                forbidden: >-
                  The admin token has the role `read`, and the request changes something; or it is for some apps only, and the
                  request concerns another one, or no single one, or names a bundle that other apps alone name.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            TooManyAdminTokens:
              description: Too many requests.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                Retry-After: {$ref: '#/components/headers/Retry-After'}
              x-codes:
                too_many_requests: This address sent too many wrong admin tokens. A valid one is never refused because of that.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            UnknownQuery:
              description: The query has an unknown parameter.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_request: The query has a parameter that the route does not know; `detail` names it.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            InvalidReason:
              description: The reason or the query is wrong.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_request: >-
                  `reason` is empty, longer than 500 characters or has a control character, or the query has a parameter that
                  the route does not know.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            InvalidBundleName:
              description: The name or the query is wrong.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_bundle: The name cannot be that of a bundle, or a folder of the bundle holds something that may not be published; `detail` says what.
                invalid_request: The query has a parameter, and the route has none.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            UnknownAccount:
              description: There is no such account.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                not_found: There is no account with this ID.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            InvalidCatalog:
              description: The catalog is wrong.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_catalog: '`products.json` has a mistake now, or is not in UTF-8; `detail` says what. Correct the file.'
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            CatalogChanged:
              description: The catalog was changed in the meantime.
              headers:
                X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                ETag: {$ref: '#/components/headers/ETag'}
              x-codes:
                precondition_failed: '`If-Match` or `If-None-Match` does not fit the catalog as it is. Get it again and decide again.'
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            UploadsNotSupported:
              description: The content is in an object store.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                uploads_not_supported: The content is in an object store. Publish with `quartermaster bundles publish`.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          schemas:
            # Values

            Time:
              description: RFC 3339 in UTC, in whole seconds.
              type: string
              format: date-time
              pattern: '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$'
            PreciseTime:
              description: RFC 3339 in UTC, with milliseconds if they are not 0.
              type: string
              format: date-time
              pattern: '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$'
            UUID:
              description: A UUID, in lower case.
              type: string
              format: uuid
            SHA256:
              description: 64 hexadecimal digits.
              type: string
              pattern: '^[0-9a-fA-F]{64}$'
            ReceiptID:
              description: >-
                `r_` and 22 characters. Compared as strings, byte by byte, the IDs of a later millisecond are greater; IDs from
                earlier releases are random.
              type: string
              pattern: '^r_'
            Environment:
              description: The App Store environment of a purchase.
              anyOf:
                - {type: string, enum: [Production, Sandbox, Xcode]}
                - {type: string}
            EnvironmentChoice:
              description: '`Production`, `Sandbox`, or `Xcode` if the app trusts a certificate of Xcode.'
              type: string
              enum: [Production, Sandbox, Xcode]
              default: Production
            ProductType:
              description: The product's type. Servers with plugins may have further types.
              anyOf:
                - {type: string, enum: [consumable, non-consumable, non-renewing, auto-renewable]}
                - {type: string}
            Access:
              description: Whether the account has access now. Treat an unknown value as `denied`.
              anyOf:
                - {type: string, enum: [granted, denied]}
                - {type: string}
            Outcome:
              description: The outcome of a transaction. Decide by `finish` if you do not know the value.
              anyOf:
                - {type: string, enum: [delivered, alreadyDelivered, denied]}
                - {type: string}
            DenialReason:
              description: >-
                Why access is denied. Servers with plugins may have further reasons; decide by `finish` if you do not know the
                value.
              anyOf:
                - type: string
                  enum:
                    - expired
                    - revoked
                    - upgraded
                    - notStarted
                    - billingRetry
                    - consumed
                    - sandbox
                    - unknownProduct
                    - typeMismatch
                    - ownershipType
                    - ownedByAnotherAccount
                    - transferred
                - {type: string}
            WaitReason:
              description: >-
                Why a receipt waits, if it is this server's fault. `clock`: it was signed later than the server's clock says.
              anyOf: [{type: string, enum: [clock]}, {type: string}]
            RejectionReason:
              description: Why a receipt was rejected.
              anyOf:
                - type: string
                  enum:
                    - malformed
                    - signature
                    - chain
                    - expiredCertificate
                    - bundleID
                    - appAppleID
                    - environment
                    - notFound
                    - unsupported
                    - otherDevice
                - {type: string}
            Remedy:
              description: What the app can do about a purchase that another account owns. Treat an unknown value as `support`.
              anyOf:
                - {type: string, enum: [support, recoveryCode, freshReceipt, deviceVerificationID, deviceIdentifier, transfer]}
                - {type: string}
            ReceiptStatus:
              description: The status of a receipt.
              anyOf:
                - {type: string, enum: [pending, verified, rejected, conflict]}
                - {type: string}
            Currency:
              description: The name of a currency in the catalog.
              type: string
            Credits:
              description: Amounts by currency.
              type: object
              additionalProperties: {type: integer, format: int64}

            # Errors

            Code:
              description: What went wrong. The values do not change.
              anyOf:
                - type: string
                  enum:
                    - account_blocked
                    - app_in_use
                    - busy
                    - content_mismatch
                    - content_missing
                    - delivery_mismatch
                    - extension_refused
                    - forbidden
                    - idempotency_key_reused
                    - insufficient_balance
                    - internal_error
                    - invalid_app
                    - invalid_bundle
                    - invalid_catalog
                    - invalid_credentials
                    - invalid_grant
                    - invalid_product
                    - invalid_request
                    - method_not_allowed
                    - no_fitting_version
                    - no_signing_key
                    - no_store_key
                    - not_acceptable
                    - not_eligible
                    - not_entitled
                    - not_found
                    - not_transferred
                    - notification_rejected
                    - owned_by_another_account
                    - precondition_failed
                    - range_not_satisfiable
                    - receipt_rejected
                    - receipt_too_large
                    - request_too_large
                    - storage_unavailable
                    - store_unavailable
                    - test_refused
                    - too_many_grants
                    - too_many_requests
                    - unauthenticated
                    - unknown_app
                    - unknown_bundle
                    - unknown_content
                    - unknown_currency
                    - unknown_offer
                    - unknown_placement
                    - unknown_product
                    - upload_offset_mismatch
                    - uploads_not_supported
                    - version_exists
                    - version_not_newer
                    - version_state
                - {type: string}
            Problem:
              description: A problem document (RFC 9457).
              type: object
              required: [type, title, status, code, finish]
              properties:
                type: {description: '`urn:quartermaster:problem:` and the code.', type: string, format: uri}
                title: {description: For people to read. May change., type: string}
                status: {description: The status of the answer., type: integer}
                detail: {description: For people to read. May change., type: string}
                code: {$ref: '#/components/schemas/Code'}
                reason:
                  description: >-
                    Why a receipt was rejected; why access is denied (`not_entitled`); or the state of a version
                    (`version_state`).
                  type: string
                remedy: {$ref: '#/components/schemas/Remedy'}
                finish:
                  description: Always false. An error judges no transaction, so the app finishes none in StoreKit.
                  type: boolean
                  const: false
                receipt: {$ref: '#/components/schemas/ReceiptID'}
                missing:
                  description: Only with `content_missing`. The hashes of the files that were not uploaded.
                  type: array
                  items: {$ref: '#/components/schemas/SHA256'}
            ReceiptProblem:
              description: A problem document about a receipt.
              $ref: '#/components/schemas/Problem'
              required: [receipt, finish, reason]

            # Accounts

            Purchases:
              type: object
              required: [purchases]
              properties:
                purchases:
                  type: array
                  items: {$ref: '#/components/schemas/Purchase'}
                next: {description: The value of `after` for the next page. Absent on the last page., type: string}
            Purchase:
              type: object
              required: [transaction, originalTransaction, product, quantity, purchasedAt, ownershipType, state]
              properties:
                transaction: {description: The transaction ID., type: string}
                originalTransaction: {description: The original transaction ID., type: string}
                product: {description: The product ID., type: string}
                quantity: {type: integer}
                purchasedAt: {$ref: '#/components/schemas/Time'}
                until:
                  description: The end of a subscription's period.
                  $ref: '#/components/schemas/Time'
                price:
                  description: The whole price, in thousandths of the currency. Absent if no receipt stated it.
                  type: integer
                  format: int64
                currency: {description: ISO 4217., type: string}
                ownershipType:
                  description: How the customer came to own it.
                  anyOf:
                    - {type: string, enum: [PURCHASED, FAMILY_SHARED, ASSIGNED]}
                    - {type: string}
                state:
                  description: >-
                    `upgraded`: another product of the subscription group replaced it; `transferred`: another account has it now.
                  anyOf:
                    - {type: string, enum: [bought, refunded, partlyRefunded, upgraded, transferred]}
                    - {type: string}
                refundedAt: {$ref: '#/components/schemas/Time'}
                refundPercentage:
                  description: The share of a partial refund, in thousandths of a percent.
                  type: integer
            Postings:
              type: object
              required: [postings]
              properties:
                postings:
                  type: array
                  items: {$ref: '#/components/schemas/PlayerPosting'}
                next: {description: The value of `after` for the next page. Absent on the last page., type: string}
            PlayerPosting:
              description: A change of the player's balance.
              type: object
              required: [amount, kind, at]
              properties:
                amount: {description: Negative if credits were spent or taken back., type: integer, format: int64}
                kind:
                  anyOf:
                    - {type: string, enum: [credit, refund, upgraded, spend, adjustment, forgiveness, reset, transfer, correction, starting]}
                    - {type: string}
                product: {description: The product ID., type: string}
                idempotencyKey: {description: The key of a spend., type: string}
                at: {$ref: '#/components/schemas/Time'}
            NewAccountRequest:
              type: object
              properties:
                bundleID:
                  description: The app for which the account is created. Without control characters.
                  type: [string, 'null']
                  pattern: '^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$'
            NewAccount:
              type: object
              required: [account, accessToken, recoveryCode]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                accessToken: {description: The token of the first session., type: string}
                recoveryCode: {description: Opens sessions on other devices. Not shown again., type: string}
            SessionRequest:
              type: object
              required: [recoveryCode]
              properties:
                recoveryCode:
                  description: The code as it was shown to the player. Case, spaces and hyphens are ignored.
                  type: string
            NewSession:
              type: object
              required: [account, accessToken]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                accessToken: {description: The token of the new session., type: string}
            ConsentRequest:
              type: object
              required: [consents]
              properties:
                consents: {description: Whether the player consents., type: boolean}

            OfferSignatureRequest:
              type: object
              required: [product, kind]
              properties:
                product: {description: The ID of the auto-renewable subscription., type: string}
                offer: {description: The ID of the promotional offer. Required for `promotional`., type: [string, 'null']}
                kind: {$ref: '#/components/schemas/OfferSignatureKind'}
                environment: {anyOf: [{$ref: '#/components/schemas/EnvironmentChoice'}, {type: 'null'}]}
              anyOf:
                - {properties: {kind: {const: promotional}, offer: {type: string, minLength: 1, maxLength: 63}}, required: [offer]}
                - {properties: {kind: {const: introductoryEligibility}}}
            OfferSignature:
              type: object
              required: [kind, signature]
              properties:
                kind: {$ref: '#/components/schemas/OfferSignatureKind'}
                signature: {description: A JWS in compact serialization. Pass it to StoreKit as it is., type: string}
            OfferSignatureKind:
              type: string
              enum: [promotional, introductoryEligibility]

            # Products

            ProductList:
              type: object
              required: [revision, productIDs, products]
              properties:
                revision: {description: The revision of the catalog., type: string}
                productIDs:
                  description: The IDs of the products in `products`, for `Product.products(for:)`.
                  type: array
                  items: {type: string}
                products:
                  type: array
                  items: {$ref: '#/components/schemas/ListedProduct'}
                startingCredits: {description: 'The credits that an account starts with, by currency.', $ref: '#/components/schemas/Credits'}
                openBundles:
                  description: The bundles that every account may download, with or without purchases.
                  type: array
                  items: {type: string}
                notice: {description: A message to the players., type: string}
                minimumAppVersion:
                  description: An app of a lower version should ask the player to update it.
                  type: string
                placement: {$ref: '#/components/schemas/ListedPlacement'}
            UnavailableProductsReport:
              type: object
              required: [productIDs]
              properties:
                productIDs:
                  description: At most 100.
                  type: array
                  items: {type: string}
            UnavailableProductList:
              type: object
              required: [products]
              properties:
                products: {type: array, items: {$ref: '#/components/schemas/UnavailableProduct'}}
            UnavailableProduct:
              type: object
              required: [app, product, day, addresses]
              properties:
                app: {description: The bundle ID., type: string}
                product: {description: The product ID., type: string}
                day: {description: 'The day in UTC, as `2026-11-22`.', type: string, format: date}
                addresses: {description: The number of addresses that reported it; 20 if there were more., type: integer}
            ListedPlacement:
              description: The placement that was asked for.
              type: object
              required: [name, metadata]
              properties:
                name: {description: The name., type: string}
                metadata:
                  description: The `metadata` of the client's variant in the catalog, unchanged; empty if there is none.
                  type: object
                  additionalProperties: true
            ProductPreview:
              type: object
              required: [at, list]
              properties:
                at: {description: The time for which the list is., type: string, format: date-time}
                list: {$ref: '#/components/schemas/ProductList'}
            ListedProduct:
              type: object
              required: [id, type, bundles, metadata]
              properties:
                id: {description: The product ID., type: string}
                type: {$ref: '#/components/schemas/ProductType'}
                bundles:
                  description: The bundles to which it gives access.
                  type: array
                  items: {type: string}
                contents:
                  description: >-
                    The newest version of each bundle that is offered to everybody and that an app of `appVersion` can read.
                    Bundles without such a version are left out.
                  type: array
                  items: {$ref: '#/components/schemas/ListedContent'}
                metadata:
                  description: The `metadata` of the catalog entry, unchanged.
                  type: object
                  additionalProperties: true
            ListedContent:
              type: object
              required: [bundle, version, size]
              properties:
                bundle: {description: The name of the bundle., type: string}
                version: {description: A semantic version., type: string}
                size: {description: 'The total size of its files, in bytes.', type: integer}

            # Receipts

            ReceiptRequest:
              type: object
              required: [receipt]
              properties:
                receipt:
                  description: A signed transaction, an app receipt or transaction receipt in base64, or a transaction ID. At most 3 MiB.
                  type: string
                bundleID:
                  description: >-
                    The app. Needed if the server has several and the receipt does not name one. Without control characters.
                  type: [string, 'null']
                  pattern: '^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$'
                deviceIdentifier: {anyOf: [{$ref: '#/components/schemas/DeviceIdentifier'}, {type: 'null'}]}
                deviceVerificationID:
                  description: >-
                    StoreKit's `AppStore.deviceVerificationID`. Needed to transfer a signed transaction whose `appAccountToken`
                    names another account.
                  type: [string, 'null']
                mayTransfer:
                  description: >-
                    Whether purchases of other accounts may be transferred to this one. Send `false` when the app sends receipts
                    on its own, and `true` when the player asked for it.
                  type: [boolean, 'null']
                  default: true
            DeviceIdentifier:
              description: >-
                `identifierForVendor` as a UUID, or the primary MAC address of a Mac in base64. An app receipt must have been
                issued for this device.
              type: string
              pattern: '^([0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[A-Za-z0-9+/]{8}|[A-Za-z0-9+/]{22}==)$'
            PendingReceipt:
              type: object
              required: [receipt, status, finish]
              properties:
                receipt: {$ref: '#/components/schemas/ReceiptID'}
                status: {type: string, const: pending}
                finish: {description: Always false., type: boolean, const: false}
                reason: {$ref: '#/components/schemas/WaitReason'}
                provisionalUntil:
                  description: Until when at most the receipt gives access while the App Store has not answered.
                  $ref: '#/components/schemas/Time'
            Receipt:
              type: object
              required: [receipt, status, duplicate, finish, transactions, entitlements, balances]
              properties:
                receipt: {$ref: '#/components/schemas/ReceiptID'}
                status: {$ref: '#/components/schemas/ReceiptStatus'}
                reason:
                  description: >-
                    Why the receipt was rejected; `clock` if it waits since it was signed later than the server's clock says.
                  anyOf:
                    - {$ref: '#/components/schemas/RejectionReason'}
                    - {$ref: '#/components/schemas/WaitReason'}
                duplicate:
                  description: Whether this account sent the same receipt before and got an answer.
                  type: boolean
                finish:
                  description: >-
                    Whether the app should finish every transaction of the receipt in StoreKit. False if there is none.
                  type: boolean
                transactions:
                  type: array
                  items: {$ref: '#/components/schemas/ReceiptTransaction'}
                entitlements:
                  description: All entitlements of the account.
                  type: array
                  items: {$ref: '#/components/schemas/Entitlement'}
                balances:
                  description: The balances of the receipt's app and environment.
                  $ref: '#/components/schemas/Credits'
            ReceiptTransaction:
              type: object
              required: [id, originalID, product, environment, outcome, finish]
              properties:
                id: {description: The transaction ID., type: string}
                originalID: {description: The original transaction ID., type: string}
                product: {description: The product ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                outcome: {$ref: '#/components/schemas/Outcome'}
                reason: {$ref: '#/components/schemas/DenialReason'}
                remedy: {$ref: '#/components/schemas/Remedy'}
                finish: {description: Whether the app should finish this transaction in StoreKit., type: boolean}
            RestoreRequest:
              type: object
              properties:
                receipts:
                  description: At most 100.
                  type: [array, 'null']
                  items: {type: string}
                bundleID:
                  description: As in `POST /v1/receipts`; also the app of the balances.
                  type: [string, 'null']
                  pattern: '^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$'
                environment:
                  description: The environment of the balances, purchases or changes.
                  anyOf: [{$ref: '#/components/schemas/EnvironmentChoice'}, {type: 'null'}]
                deviceIdentifier: {anyOf: [{$ref: '#/components/schemas/DeviceIdentifier'}, {type: 'null'}]}
                deviceVerificationID: {description: As in `POST /v1/receipts`., type: [string, 'null']}
                mayTransfer: {description: As in `POST /v1/receipts`., type: [boolean, 'null'], default: true}

            # Entitlements

            Entitlement:
              type: object
              required: [app, product, type, environment, access, bundles]
              properties:
                app: {description: The app's bundle ID., type: string}
                product: {description: The product ID., type: string}
                type: {$ref: '#/components/schemas/ProductType'}
                environment: {$ref: '#/components/schemas/Environment'}
                access: {$ref: '#/components/schemas/Access'}
                until:
                  description: When access ends. Absent if it does not end.
                  $ref: '#/components/schemas/PreciseTime'
                reason: {$ref: '#/components/schemas/DenialReason'}
                bundles:
                  description: The bundles that the product includes.
                  type: array
                  items: {type: string}
                keeps:
                  description: >-
                    True if versions of the bundles can still be downloaded although access is denied (`"afterExpiry": "keep"`):
                    those that were published while the subscription ran, and the one that was the newest when it began. Answers
                    to players have it only while there is such a version.
                  type: boolean
                purchasedAt:
                  description: When the product was bought, or the subscription last renewed.
                  $ref: '#/components/schemas/PreciseTime'
                ownershipType:
                  description: How the customer came to own it.
                  anyOf:
                    - {type: string, enum: [PURCHASED, FAMILY_SHARED, ASSIGNED]}
                    - {type: string}
                basis:
                  description: >-
                    Why the account has it: it was bought, or an administrator gave it for longer than the purchases last.
                    Absent if the purchases belong to another account now.
                  anyOf:
                    - {type: string, enum: [purchase, administrator]}
                    - {type: string}
                subscription: {description: Only for auto-renewable subscriptions., $ref: '#/components/schemas/Subscription'}
                runs:
                  description: The runs of a non-renewing subscription, the newest last; at most 20.
                  type: array
                  items:
                    type: object
                    required: [from, until]
                    properties:
                      from: {$ref: '#/components/schemas/PreciseTime'}
                      until: {$ref: '#/components/schemas/PreciseTime'}
            Subscription:
              description: >-
                Facts about an auto-renewable subscription for an app to show. `access` alone decides about access. Members for
                which the App Store stated no value are absent.
              type: object
              required: [manage]
              properties:
                willRenew: {description: Whether automatic renewal is on., type: boolean}
                renewsTo: {description: The product of the next renewal. Absent if there will be none., type: string}
                renewsAt: {description: The date of the next renewal., $ref: '#/components/schemas/PreciseTime'}
                renewalPrice: {description: In thousandths of `currency`., type: integer, format: int64}
                currency: {description: ISO 4217., type: string}
                phase:
                  description: How the current period is priced.
                  anyOf:
                    - {type: string, enum: [standard, trial, introductory, offer]}
                    - {type: string}
                offer:
                  description: The offer of the current period.
                  type: object
                  properties:
                    type: {description: '1 introductory, 2 promotional, 3 offer code, 4 win-back.', type: integer}
                    id: {type: string}
                billingIssue:
                  description: The renewal could not be paid. `grace` still gives access, `retry` does not.
                  anyOf:
                    - {type: string, enum: [grace, retry]}
                    - {type: string}
                gracePeriodUntil: {description: When the grace period ends., $ref: '#/components/schemas/PreciseTime'}
                expirationReason:
                  description: Why it ended.
                  anyOf:
                    - {type: string, enum: [cancelled, billing, priceIncrease, unavailable, other]}
                    - {type: string}
                priceIncrease:
                  type: object
                  required: [state]
                  properties:
                    state:
                      anyOf:
                        - {type: string, enum: [pending, agreed]}
                        - {type: string}
                    newPrice: {description: In thousandths of `currency`., type: integer, format: int64}
                winBackOffers:
                  description: The win-back offers that the customer may use, the best first.
                  type: array
                  items: {type: string}
                introductoryOfferUsed:
                  description: Whether the customer used an introductory offer of the subscription's group.
                  type: boolean
                manage: {description: The App Store's page for managing subscriptions., type: string, format: uri}
            Entitlements:
              type: object
              required: [account, at, entitlements]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                at: {description: The time of the answer., $ref: '#/components/schemas/Time'}
                entitlements:
                  type: array
                  items: {$ref: '#/components/schemas/Entitlement'}
                balances:
                  description: Absent if the server has several apps and the request named none.
                  $ref: '#/components/schemas/Credits'
            RestoredEntitlements:
              type: object
              required: [account, at, entitlements, receipts]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                at: {description: The time of the answer., $ref: '#/components/schemas/Time'}
                entitlements:
                  type: array
                  items: {$ref: '#/components/schemas/Entitlement'}
                balances:
                  description: Absent if the server has several apps and the request named none.
                  $ref: '#/components/schemas/Credits'
                receipts:
                  description: The result of each receipt, in the order in which they were sent.
                  type: array
                  items: {$ref: '#/components/schemas/RestoredReceipt'}
            RestoredReceipt:
              type: object
              required: [receipt, status, finish]
              properties:
                receipt:
                  description: The receipt's ID. Empty if the receipt was not recorded.
                  type: string
                status: {$ref: '#/components/schemas/ReceiptStatus'}
                reason:
                  description: >-
                    A reason as in `POST /v1/receipts`; `ownedByAnotherAccount` with the status `conflict`; or the code of the
                    problem if there was no room for the receipt.
                  anyOf:
                    - {$ref: '#/components/schemas/RejectionReason'}
                    - {$ref: '#/components/schemas/WaitReason'}
                    - {type: string, enum: [ownedByAnotherAccount, busy, too_many_requests]}
                remedy: {$ref: '#/components/schemas/Remedy'}
                finish: {description: Whether the app should finish the transactions that it sent., type: boolean}
                provisionalUntil:
                  description: Until when at most the receipt gives access while the App Store has not answered.
                  $ref: '#/components/schemas/Time'
            SpendRequest:
              type: object
              required: [amount]
              properties:
                amount: {description: How much to spend; 1 or more., type: integer, format: int64, minimum: 1, maximum: 9223372036854775807}
                bundleID: {description: The app. Needed if the server has several., type: [string, 'null']}
                environment: {anyOf: [{$ref: '#/components/schemas/EnvironmentChoice'}, {type: 'null'}]}
            Balance:
              type: object
              required: [currency, balance]
              properties:
                currency: {$ref: '#/components/schemas/Currency'}
                balance: {description: The balance after the spend., type: integer, format: int64}

            # Bundles

            BundleList:
              type: object
              required: [bundles]
              properties:
                bundles:
                  type: array
                  items: {$ref: '#/components/schemas/ListedBundle'}
            ListedBundle:
              type: object
              required: [bundle, versions]
              properties:
                bundle: {description: The name of the bundle., type: string}
                version:
                  description: The version that the account gets. Absent if the app can read none of the versions offered now.
                  type: string
                size: {description: 'The total size of the files of `version`, in bytes.', type: integer}
                publishedAt:
                  description: When `version` was published.
                  $ref: '#/components/schemas/Time'
                versions:
                  description: The versions that the account can request, the lowest first.
                  type: array
                  items: {type: string}
            Manifest:
              type: object
              required: [bundle, version, expires, previousVersions, files, signed]
              properties:
                bundle: {description: The name of the bundle., type: string}
                version: {type: string}
                expires: {description: When the links expire., $ref: '#/components/schemas/Time'}
                minimumAppVersion: {description: Older apps cannot read it., type: string}
                maximumAppVersion: {description: Newer apps cannot read it., type: string}
                locale: {description: 'The language of its text, as a BCP 47 tag.', type: string}
                previousVersions:
                  description: The lower versions, the lowest first.
                  type: array
                  items: {type: string}
                files:
                  description: Sorted by path, byte by byte.
                  type: array
                  items: {$ref: '#/components/schemas/ManifestFile'}
                signed:
                  description: >-
                    The manifest as a JWS in compact form, signed with a key of `GET /v1/keys` whose purpose is `manifests`.
                  type: string
                fresh:
                  description: >-
                    A JWS that states that this is the newest version, valid for a day. Absent if the request named a version,
                    or if access has ended and the version is kept.
                  type: string
                delivery:
                  description: The ID for confirming the delivery. Absent if nothing can be recorded now.
                  type: string
            ManifestFile:
              type: object
              required: [path, size, sha256, url]
              properties:
                path: {description: 'The path of the file on the device, with `/` as the separator.', type: string}
                size: {description: In bytes., type: integer, format: int64, minimum: 0}
                sha256: {$ref: '#/components/schemas/SHA256'}
                url: {description: A link that needs no authentication., type: string, format: uri-reference}
                patches:
                  description: Patches that create the file from an older one.
                  type: array
                  items: {$ref: '#/components/schemas/ContentVariant'}
                encodings:
                  description: The forms in which the file's link can send it, if `Accept-Encoding` admits them.
                  type: array
                  items: {$ref: '#/components/schemas/ContentVariant'}
            ContentVariant:
              type: object
              required: [encoding, size, sha256]
              properties:
                encoding:
                  description: Ignore forms that you do not know.
                  anyOf:
                    - {type: string, enum: [gzip, zstd, dcz, zstd-patch]}
                    - {type: string}
                from:
                  description: The SHA-256 of the older file that is needed.
                  $ref: '#/components/schemas/SHA256'
                size: {description: In bytes., type: integer, format: int64, minimum: 0}
                sha256: {$ref: '#/components/schemas/SHA256'}
                url: {description: A link to a patch., type: string, format: uri-reference}
            ConfirmationRequest:
              type: object
              required: [sha256]
              properties:
                sha256:
                  description: The SHA-256 of the manifest's payload.
                  $ref: '#/components/schemas/SHA256'
            ConfirmedDelivery:
              type: object
              required: [delivery, confirmed]
              properties:
                delivery: {type: string}
                confirmed: {description: When it was first confirmed., $ref: '#/components/schemas/Time'}

            # App Store

            Notification:
              description: >-
                As the App Store sends it: `signedPayload` in version 2; in version 1 the members that Apple documents,
                including `password`.
              type: object
              properties:
                signedPayload: {description: A JWS., type: string}
              additionalProperties: true

            # Operator: catalog

            ProductEntry:
              description: >-
                An entry of the catalog, as in `products.json`. Product types of plugins may have further members; unknown
                members are refused.
              type: object
              required: [type]
              properties:
                id: {description: The product ID. Taken from the URL if it is left out., type: string, minLength: 1}
                type: {$ref: '#/components/schemas/ProductType'}
                credits:
                  description: The credits that each unit gives, by currency; 1 to 1,000,000,000 each.
                  type: [object, 'null']
                  additionalProperties: {type: integer, minimum: 1, maximum: 1000000000}
                bundles:
                  description: The bundles to which the product gives access. They must exist.
                  type: [array, 'null']
                  items: {type: string}
                group: {description: Products of the same type and group share a purchase history., type: [string, 'null']}
                level: {description: The rank within the group; 1 is the highest., type: [integer, 'null'], format: int64, minimum: 1, maximum: 9223372036854775807}
                ownership:
                  description: >-
                    Whether a purchase may be transferred to another account of the player. The default is `keep` for
                    consumables and `transfer` for all others.
                  type: [string, 'null']
                  enum: [transfer, keep, null]
                trialCredits:
                  description: Whether a free trial earns the credits.
                  type: [string, 'null']
                  enum: [grant, withhold, null]
                upgradedCredits:
                  description: >-
                    Whether the share of a period's credits for the time that was left, when the customer changed to another
                    product, is taken back.
                  type: [string, 'null']
                  enum: [share, keep, null]
                afterExpiry:
                  description: Whether the bundles stay available after a subscription has ended.
                  type: [string, 'null']
                  enum: [lock, keep, null]
                offers:
                  description: 'Auto-renewable subscriptions: the promotional offers that the server may sign.'
                  type: [array, 'null']
                  items:
                    type: object
                    required: [id]
                    properties:
                      id: {description: The offer's ID in App Store Connect., type: string, minLength: 1, maxLength: 255}
                      for:
                        description: Who may have it, of those who have or had a subscription of the group. The default is `any`.
                        type: [string, 'null']
                        enum: [lapsed, active, any, null]
                      once:
                        description: Whether a customer may have it only once. The default is `false`.
                        type: [boolean, 'null']
                    additionalProperties: false
                metadata: {description: Passed to the app unchanged., type: [object, 'null'], additionalProperties: true}
                availableFrom: {description: When the sale begins., type: [string, 'null'], format: date-time}
                availableUntil: {description: When the sale ends., type: [string, 'null'], format: date-time}
                minimumAppVersion: {description: The product is not offered to lower versions of the app., type: [string, 'null']}
                platforms: {description: The product is offered on these platforms only., type: [array, 'null'], items: {type: string}}
                storefronts:
                  description: The product is offered in these storefronts only. ISO 3166-1 alpha-3.
                  type: [array, 'null']
                  items: {type: string, pattern: '^[A-Za-z]{3}$'}
                duration: {description: 'Non-renewing subscriptions: the time that one unit gives, as an ISO 8601 duration, for example `P1M`.', type: string}
                redownloadHours:
                  description: >-
                    Consumables: for how many hours after the purchase the bundles can be downloaded. The default is 24.
                  type: [integer, 'null']
                  minimum: 1
                  maximum: 87600
                partialRefund:
                  description: 'Consumables and non-consumables: whether a partial refund ends access. The default is `keep`.'
                  type: [string, 'null']
                  enum: [keep, revoke, null]
                renewalLeewayMinutes:
                  description: >-
                    Auto-renewable subscriptions: for how many minutes access continues after a period that is about to renew.
                    The default is 5.
                  type: [integer, 'null']
                  minimum: 0
                  maximum: 60
              additionalProperties: true
            AppList:
              type: object
              required: [revision, apps]
              properties:
                revision: {description: The revision of the catalog., type: string}
                apps:
                  type: array
                  items: {$ref: '#/components/schemas/ListedApp'}
            ListedApp:
              type: object
              required: [bundleID, products, settings]
              properties:
                bundleID: {type: string}
                products: {description: The number of its products., type: integer}
                settings: {$ref: '#/components/schemas/AppSettings'}
            AppSettings:
              description: >-
                The entry of an app in the catalog, as in `products.json`, without its products. Unknown members are refused.
              type: object
              properties:
                bundleID: {description: 'The bundle ID, the same as in the URL.', type: string}
                appAppleID:
                  description: The app's Apple ID, the number in its App Store URL. If it is given, receipts must name it.
                  type: [integer, 'null']
                  format: int64
                sandbox:
                  description: Which accounts purchases in the sandbox entitle. The default is `nobody`.
                  anyOf:
                    - {type: string, enum: [nobody, testers, everyone]}
                    - type: object
                      required: [everyoneUntil]
                      properties: {everyoneUntil: {type: string, format: date-time}}
                      additionalProperties: false
                    - {type: 'null'}
                currencies:
                  description: Settings of the app's credits, by currency.
                  type: [object, 'null']
                  additionalProperties:
                    type: object
                    properties:
                      refund:
                        description: >-
                          Whether credits that were spent before a refund are owed (`debt`) or forgiven (`clamp`). The default
                          is `debt`.
                        type: [string, 'null']
                        enum: [debt, clamp, null]
                    additionalProperties: false
                startingCredits:
                  description: The credits that an account starts with, by currency; 1 to 1,000,000,000 each.
                  type: [object, 'null']
                  additionalProperties: {type: integer, minimum: 1, maximum: 1000000000}
                startingCreditsOnce:
                  description: The proof that an account must show to get them.
                  type: [string, 'null']
                  enum: [appTransaction, null]
                finishFromServer:
                  description: Whether the server finishes delivered transactions with the App Store.
                  type: [boolean, 'null']
                openBundles:
                  description: The bundles that every account may download. They must exist.
                  type: [array, 'null']
                  items: {type: string}
                notice:
                  description: A message to the players.
                  type: [string, 'null']
                  minLength: 1
                  maxLength: 2000
                minimumAppVersion:
                  description: The lowest version of the app that does not need an update.
                  type: [string, 'null']
                placements:
                  description: The placements of the app, by name.
                  type: [object, 'null']
                  additionalProperties: true
              additionalProperties: false
            RequestedTest:
              type: object
              required: [app, environment, token, requestedAt]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                token: {description: The App Store's token of the test., type: string}
                requestedAt: {$ref: '#/components/schemas/PreciseTime'}
            CatalogApp:
              type: object
              required: [app, revision, products, terms]
              properties:
                app: {description: The app's bundle ID., type: string}
                revision: {description: The revision of the catalog., type: string}
                products:
                  description: The entries in the catalog.
                  type: array
                  items: {$ref: '#/components/schemas/ProductEntry'}
                terms:
                  description: By product ID, the terms that a purchase made now would get, including all defaults.
                  type: object
                  additionalProperties: {$ref: '#/components/schemas/Terms'}
            Terms:
              description: >-
                A catalog entry as it was when a purchase was recorded, without the members that only concern the sale.
              type: object
              required: [id, type, credits, bundles, ownership]
              properties:
                id: {description: The product ID., type: string}
                type: {$ref: '#/components/schemas/ProductType'}
                credits: {$ref: '#/components/schemas/Credits'}
                bundles: {type: array, items: {type: string}}
                group: {type: string}
                level: {type: integer}
                ownership: {type: string, enum: [transfer, keep]}
                trialCredits: {type: string, enum: [grant, withhold]}
                upgradedCredits: {type: string, enum: [share, keep]}
                afterExpiry: {type: string, enum: [lock, keep]}
              additionalProperties: true

            # Operator: accounts

            FoundAccounts:
              type: object
              required: [accounts, unclaimed]
              properties:
                accounts:
                  type: array
                  items: {$ref: '#/components/schemas/FoundAccount'}
                unclaimed:
                  description: Purchases that no account presented. Always empty in a search for a receipt.
                  type: array
                  items: {$ref: '#/components/schemas/UnclaimedPurchase'}
                asked: {description: Only in a search for an order. Whether the App Store was asked., type: boolean}
                reason:
                  description: >-
                    Why the App Store did not say to whom the order belongs. `noKey`: none of the possible apps has a key for
                    the App Store Server API. `unavailable`: the App Store did not answer for every app. Absent otherwise.
                  anyOf:
                    - {type: string, enum: [noKey, unavailable]}
                    - {type: string}
                next:
                  description: >-
                    Only in the list of the newest accounts: the value of `after` for the next page. Absent on the last page.
                  $ref: '#/components/schemas/UUID'
            FoundAccount:
              description: >-
                An account. In a search for a transaction or an order, with the original transaction that it owns; in the list
                of the newest accounts, with the time of its creation.
              type: object
              required: [account]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                originalID: {description: The original transaction ID., type: string}
                createdAt: {description: Only in the list of the newest accounts., $ref: '#/components/schemas/PreciseTime'}
                blockedAt: {description: Only in the list of the newest accounts. Absent if the account is not blocked., $ref: '#/components/schemas/PreciseTime'}
            DryRun:
              description: >-
                What an act would change. `before` and `after` have the members that the act affects, such as `owner`, `balance`
                or `blockedAt`; they are equal if nothing would change.
              type: object
              x-only-with: dryRun
              required: [before, after, dryRun]
              properties:
                before: {type: object, additionalProperties: true}
                after: {type: object, additionalProperties: true}
                dryRun: {description: Always `true`., type: boolean}
            DryRunEdit:
              description: >-
                What an edit would change: the catalog's entry before and after it, or `null` if there is none. They are equal
                if nothing would change.
              type: object
              x-only-with: dryRun
              required: [before, after, dryRun]
              properties:
                before: {type: [object, 'null'], additionalProperties: true}
                after: {type: [object, 'null'], additionalProperties: true}
                dryRun: {description: Always `true`., type: boolean}
            UnclaimedPurchase:
              description: An original transaction that the App Store reported and no account presented.
              type: object
              required: [app, environment, originalID, transactions, since]
              properties:
                app: {type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                originalID: {type: string}
                transactions:
                  description: Its transactions, newest first; at most 20.
                  type: array
                  items: {$ref: '#/components/schemas/UnclaimedTransaction'}
                truncated: {description: Whether there are older transactions. Absent if not., type: boolean}
                since:
                  $ref: '#/components/schemas/PreciseTime'
                  description: When its first transaction was bought.
            UnclaimedTransaction:
              type: object
              required: [id, product, quantity, purchaseDate, ownershipType]
              properties:
                id: {type: string}
                product: {type: string}
                quantity: {type: integer}
                purchaseDate: {$ref: '#/components/schemas/PreciseTime'}
                expirationDate: {$ref: '#/components/schemas/PreciseTime'}
                revocationDate: {$ref: '#/components/schemas/PreciseTime'}
                revocationType:
                  anyOf:
                    - {type: string, enum: [REFUND_FULL, REFUND_PRORATED, FAMILY_REVOKE]}
                    - {type: string}
                ownershipType:
                  anyOf:
                    - {type: string, enum: [PURCHASED, FAMILY_SHARED, ASSIGNED]}
                    - {type: string}
                price: {description: 'The whole price, in thousandths of `currency`. Absent if the App Store did not state it.', type: integer}
                currency: {type: string}
                orderID: {description: The ID on the customer's invoice., type: string}
            AccountReport:
              type: object
              required: [account, createdAt, sessions, entitlements, balances, refunds, transactions, lines, appTransactions, receipts, spends, adjustments, postings, grants, truncated]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                createdAt: {$ref: '#/components/schemas/PreciseTime'}
                blockedAt: {description: Absent if the account is not blocked., $ref: '#/components/schemas/PreciseTime'}
                testerSince: {description: Absent if no administrator made the account a tester., $ref: '#/components/schemas/PreciseTime'}
                betaSince: {description: Absent if the account is not offered beta versions., $ref: '#/components/schemas/PreciseTime'}
                sessions: {type: array, items: {$ref: '#/components/schemas/Session'}}
                entitlements: {type: array, items: {$ref: '#/components/schemas/Entitlement'}}
                balances: {type: array, items: {$ref: '#/components/schemas/ScopedBalances'}}
                transactions: {type: array, items: {$ref: '#/components/schemas/Transaction'}}
                lines:
                  description: The original transactions that the account owns.
                  type: array
                  items: {$ref: '#/components/schemas/OriginalTransaction'}
                appTransactions:
                  description: The signed app transactions that the account sent, newest first.
                  type: array
                  items: {$ref: '#/components/schemas/AppTransaction'}
                receipts: {type: array, items: {$ref: '#/components/schemas/ReceiptSummary'}}
                spends: {type: array, items: {$ref: '#/components/schemas/Spend'}}
                adjustments: {type: array, items: {$ref: '#/components/schemas/Adjustment'}}
                postings: {type: array, items: {$ref: '#/components/schemas/Posting'}}
                refunds:
                  description: >-
                    How many of the report's purchases in Production were refunded, fully or partially. Family Sharing does not
                    count as a purchase, and a restored copy counts as the same purchase.
                  type: object
                  required: [purchases, refunded]
                  properties:
                    purchases: {type: integer}
                    refunded: {type: integer}
                next: {description: The value of `after` for older purchases. Absent if there are none., type: string}
                grants:
                  description: >-
                    The products that administrators gave without a purchase, including those that have ended or were taken
                    back.
                  type: array
                  items: {$ref: '#/components/schemas/GivenProduct'}
                truncated:
                  description: The names of the lists that have more entries than those shown, which are older.
                  type: array
                  items: {type: string}
            Session:
              type: object
              required: [openedAt]
              properties:
                openedAt: {$ref: '#/components/schemas/PreciseTime'}
                closedAt: {description: Absent if the session is open., $ref: '#/components/schemas/PreciseTime'}
            AppTransaction:
              description: >-
                A signed app transaction, StoreKit's `AppTransaction`. It states which version of the app the customer first
                obtained, and when.
              type: object
              required: [app, environment, originalAppVersion, originalPurchaseDate, signedDate, shownAt, isFirst]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                id: {description: 'Apple''s `appTransactionId`: the same for one customer and app. Absent before 2025.', type: string}
                originalAppVersion: {description: The version that the customer first obtained; `1.0` in the sandbox., type: string}
                originalPurchaseDate: {description: When the customer first obtained the app., $ref: '#/components/schemas/PreciseTime'}
                signedDate: {description: When the App Store signed the newest copy., $ref: '#/components/schemas/PreciseTime'}
                shownAt: {description: When the account first sent it., $ref: '#/components/schemas/PreciseTime'}
                isFirst: {description: Whether no account had sent one with this ID before., type: boolean}
            ScopedBalances:
              type: object
              required: [app, environment, balances]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                balances: {$ref: '#/components/schemas/Credits'}
            Transaction:
              description: A transaction as the App Store vouched for it. The names are those of StoreKit's `Transaction`.
              type: object
              required: [id, originalID, app, environment, product, quantity, purchaseDate, isUpgraded, ownershipType, signedDate, owner, creditedTo]
              properties:
                id: {description: The transaction ID., type: string}
                originalID: {description: The original transaction ID., type: string}
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                product: {description: The product ID., type: string}
                productType: {description: As the App Store states it. App receipts do not have it., $ref: '#/components/schemas/ProductType'}
                quantity: {type: integer}
                purchaseDate: {$ref: '#/components/schemas/PreciseTime'}
                originalPurchaseDate: {$ref: '#/components/schemas/PreciseTime'}
                expirationDate: {$ref: '#/components/schemas/PreciseTime'}
                revocationDate: {$ref: '#/components/schemas/PreciseTime'}
                revocationReason: {type: integer}
                revocationPercentage:
                  description: How much of the price was refunded, in thousandths of a percent. Absent if all of it was.
                  type: integer
                revocationType:
                  anyOf:
                    - {type: string, enum: [REFUND_FULL, REFUND_PRORATED, FAMILY_REVOKE]}
                    - {type: string}
                isUpgraded: {type: boolean}
                ownershipType:
                  anyOf:
                    - {type: string, enum: [PURCHASED, FAMILY_SHARED, ASSIGNED]}
                    - {type: string}
                appAccountToken: {$ref: '#/components/schemas/UUID'}
                subscriptionGroupID: {type: string}
                price:
                  description: >-
                    The whole price, in thousandths of `currency`. This and the members up to `orderID` are absent if no copy of
                    the transaction states them.
                  type: integer
                  format: int64
                currency: {description: The currency of the price (ISO 4217)., type: string}
                storefront: {description: The storefront of the purchase (ISO 3166-1 alpha-3)., type: string}
                storefrontID: {description: Apple's number for the storefront., type: string}
                offer: {description: The offer that was used., $ref: '#/components/schemas/PurchaseOffer'}
                isTrial: {description: Whether the period is a free trial., type: boolean}
                isIntroductoryPeriod: {description: 'Whether the period has an introductory price, as a receipt states it.', type: boolean}
                transactionReason:
                  anyOf:
                    - {type: string, enum: [PURCHASE, RENEWAL]}
                    - {type: string}
                webOrderLineItemID: {description: Apple's ID of the purchase of this period., type: string}
                appTransactionID: {description: Apple's ID of the customer's copy of the app., type: string}
                appVersion: {description: 'The version of the app that made the purchase, from receipts in the style of iOS 6.', type: string}
                originalAppVersion: {description: The version of the app that the customer first obtained., type: string}
                orderID: {description: The ID on the customer's invoice., type: string}
                signedDate: {$ref: '#/components/schemas/PreciseTime'}
                owner: {description: The account that owns it., $ref: '#/components/schemas/UUID'}
                creditedTo: {description: The account that got its credits., $ref: '#/components/schemas/UUID'}
                terms: {description: Absent while the catalog has no matching product., $ref: '#/components/schemas/Terms'}
            OriginalTransaction:
              description: A purchase with its renewals and restored copies, and the account that owns it.
              type: object
              required: [app, environment, originalID, owner, basis, moves]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                originalID: {description: The original transaction ID., type: string}
                owner: {$ref: '#/components/schemas/UUID'}
                basis:
                  description: >-
                    Why the account owns it: the `appAccountToken` names the account, the account presented it first, or an
                    administrator decided.
                  anyOf:
                    - {type: string, enum: [token, presented, administrator]}
                    - {type: string}
                moves:
                  description: The transfers, the oldest first.
                  type: array
                  items: {$ref: '#/components/schemas/Transfer'}
                sharing:
                  description: >-
                    Whether more than three new accounts paid for it within 365 days, as if it were shared. Nothing is refused
                    because of it. Absent if not.
                  type: boolean
                renewal: {description: Absent if the App Store stated nothing about a renewal., $ref: '#/components/schemas/Renewal'}
            Renewal:
              description: The App Store's latest statement about a subscription's next renewal.
              type: object
              required: [isInBillingRetry, signedDate]
              properties:
                willAutoRenew: {type: boolean}
                autoRenewProduct: {description: The product of the next renewal., type: string}
                isInBillingRetry: {type: boolean}
                gracePeriodExpirationDate: {$ref: '#/components/schemas/PreciseTime'}
                expirationReason:
                  description: >-
                    Apple's `expirationIntent`: 1 cancelled, 2 billing error, 3 price increase declined, 4 product not
                    available, 5 other.
                  type: integer
                renewalDate: {$ref: '#/components/schemas/PreciseTime'}
                price: {description: The price of the next renewal in thousandths of `currency`., type: integer, format: int64}
                currency: {type: string}
                priceIncreaseStatus:
                  description: 0 if the customer was asked for consent and has not answered, 1 if they consented or were notified.
                  type: integer
                offer: {description: The offer that applies to the next renewal., $ref: '#/components/schemas/PurchaseOffer'}
                winBackOffers:
                  description: The win-back offers that the customer may use, the best first.
                  type: array
                  items: {type: string}
                recentStartDate: {description: The beginning of the current run., $ref: '#/components/schemas/PreciseTime'}
                signedDate: {$ref: '#/components/schemas/PreciseTime'}
            PurchaseOffer:
              type: object
              properties:
                type: {description: '1 introductory, 2 promotional, 3 offer code, 4 win-back.', type: integer}
                id: {description: The offer's ID or the reference name of an offer code., type: string}
                discountType:
                  anyOf:
                    - {type: string, enum: [FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME]}
                    - {type: string}
                period: {description: The length of the offer as an ISO 8601 duration., type: string}
            Transfer:
              type: object
              required: [from, to, at]
              properties:
                from: {$ref: '#/components/schemas/UUID'}
                to: {$ref: '#/components/schemas/UUID'}
                at: {description: 'The date of the transfer; of a payment, when the paid period began.', $ref: '#/components/schemas/PreciseTime'}
                by:
                  description: '`payment` if the new owner paid for a period. Absent for other transfers.'
                  anyOf:
                    - {type: string, enum: [payment]}
                    - {type: string}
            ReceiptSummary:
              type: object
              required: [receipt, kind, status, attempts, recordedAt]
              properties:
                receipt: {$ref: '#/components/schemas/ReceiptID'}
                kind: {$ref: '#/components/schemas/ReceiptKind'}
                status: {$ref: '#/components/schemas/ReceiptStatus'}
                reason: {$ref: '#/components/schemas/RejectionReason'}
                remedy: {description: 'What can be done about it, for people to read. Only for a rejected receipt.', type: string}
                bundleID: {description: The app that the client named., type: string}
                attempts: {description: How often the App Store was asked about the receipt., type: integer}
                trouble:
                  description: >-
                    Only for a receipt that waits: why the last attempt got no usable answer. `outage`: the App Store did not
                    answer. `ambiguous`: it did not say whether the receipt is genuine (21002). `refusedCredential`: it refused
                    this server's key or shared secret (21004), which somebody has to correct. `badRequest`: it refused the
                    request as malformed (21000, 21001), which is an error in this server. Absent if the App Store was not asked
                    yet.
                  anyOf:
                    - {type: string, enum: [outage, ambiguous, refusedCredential, badRequest]}
                    - {type: string}
                recordedAt: {$ref: '#/components/schemas/PreciseTime'}
                answeredAt: {$ref: '#/components/schemas/PreciseTime'}
                retryAt: {description: When the App Store is asked again., $ref: '#/components/schemas/PreciseTime'}
            ReceiptKind:
              anyOf:
                - {type: string, enum: [signedTransaction, appReceipt, transactionReceipt, transactionID]}
                - {type: string}
            Spend:
              type: object
              required: [app, environment, currency, amount, balance, idempotencyKey, at]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                currency: {$ref: '#/components/schemas/Currency'}
                amount: {type: integer, format: int64}
                balance: {description: The balance after this change., type: integer, format: int64}
                idempotencyKey: {type: string}
                at: {$ref: '#/components/schemas/PreciseTime'}
            Adjustment:
              type: object
              required: [app, environment, currency, amount, balance, idempotencyKey, actor, reason, at]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                currency: {$ref: '#/components/schemas/Currency'}
                amount: {description: Negative if credits were taken back., type: integer, format: int64}
                balance: {description: The balance after this change., type: integer, format: int64}
                idempotencyKey: {type: string}
                actor: {description: '`admin:` and the name of the token, or `command:` and the name of the user.', type: string}
                reason: {type: string}
                at: {$ref: '#/components/schemas/PreciseTime'}
            GivenProduct:
              description: Access to a product without a purchase.
              type: object
              required: [grant, app, environment, product, idempotencyKey, actor, reason, at]
              properties:
                grant: {description: The ID for taking it back., type: string}
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                product: {description: The product ID., type: string}
                until: {description: When the access ends. Absent if it does not end., $ref: '#/components/schemas/PreciseTime'}
                revokedAt: {description: Absent if it was not taken back., $ref: '#/components/schemas/PreciseTime'}
                idempotencyKey: {type: string}
                actor: {description: '`admin:` and the name of the token, or `command:` and the name of the user.', type: string}
                reason: {type: string}
                at: {$ref: '#/components/schemas/PreciseTime'}
            Posting:
              description: A change of a balance.
              type: object
              required: [app, environment, currency, amount, kind, at]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                currency: {$ref: '#/components/schemas/Currency'}
                amount: {type: integer, format: int64}
                kind:
                  anyOf:
                    - {type: string, enum: [credit, refund, upgraded, spend, adjustment, forgiveness, reset, transfer, correction, starting]}
                    - {type: string}
                product: {description: The product ID., type: string}
                cause: {description: 'The receipt, idempotency key or notification that caused it.', type: string}
                at: {$ref: '#/components/schemas/PreciseTime'}
            ReasonRequest:
              type: object
              required: [reason]
              properties:
                reason: {$ref: '#/components/schemas/Reason'}
            Reason:
              description: The reason, for the audit trail, such as a ticket number. Without control characters.
              type: string
              minLength: 1
              maxLength: 500
            TransferRequest:
              type: object
              required: [to, reason]
              properties:
                to: {description: The account that gets the purchase., $ref: '#/components/schemas/UUID'}
                reason: {$ref: '#/components/schemas/Reason'}
                bundleID: {description: The app. Needed if the server has several., type: [string, 'null']}
            AdjustmentRequest:
              type: object
              required: [currency, amount, reason]
              properties:
                currency: {description: A currency in the app's products or settings., type: string, minLength: 1, maxLength: 64}
                amount: {description: Not 0; negative takes credits back., type: integer, minimum: -1000000000, maximum: 1000000000}
                reason: {$ref: '#/components/schemas/Reason'}
                bundleID: {description: The app. Needed if the server has several., type: [string, 'null']}
                environment: {anyOf: [{$ref: '#/components/schemas/EnvironmentChoice'}, {type: 'null'}]}
            ExtensionRequest:
              type: object
              required: [days, reason]
              properties:
                days: {description: The number of days., type: integer, minimum: 1, maximum: 90}
                reason: {$ref: '#/components/schemas/Reason'}
                bundleID: {description: The app. Needed if the server has several., type: [string, 'null']}
            ExtendedRenewalDate:
              type: object
              required: [app, environment, originalID, days, expirationDate]
              properties:
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                originalID: {description: The original transaction ID., type: string}
                days: {description: The number of days by which the date was extended., type: integer}
                expirationDate: {description: The new renewal date., type: string, format: date-time}
            GrantRequest:
              type: object
              required: [product, reason]
              properties:
                app: {description: The app's bundle ID. Needed if the server has several., type: [string, 'null']}
                environment: {anyOf: [{$ref: '#/components/schemas/EnvironmentChoice'}, {type: 'null'}]}
                product: {description: The ID of a product of the app that gives access., type: string, minLength: 1}
                until: {description: 'When the access ends: a time in the future (RFC 3339). Without it, the access does not end.', type: [string, 'null']}
                reason: {$ref: '#/components/schemas/Reason'}
            Grant:
              type: object
              required: [grant]
              properties:
                grant: {description: The ID for taking it back., type: string}
            UndoTransferRequest:
              type: object
              required: [reason]
              properties:
                reason: {$ref: '#/components/schemas/Reason'}
                bundleID: {description: The app. Needed if the server has several., type: [string, 'null']}
            NewRecoveryCode:
              type: object
              required: [account, recoveryCode]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                recoveryCode: {description: Opens sessions of the account. Not shown again., type: string}
            SandboxResetRequest:
              type: object
              required: [reason]
              properties:
                reason: {$ref: '#/components/schemas/Reason'}
                bundleID: {description: The app. The default is all apps., type: [string, 'null']}
            AdjustedBalance:
              type: object
              required: [account, app, environment, currency, balance]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                currency: {$ref: '#/components/schemas/Currency'}
                balance: {description: After the adjustment., type: integer, format: int64}
            AccountStanding:
              type: object
              required: [account]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                blockedAt: {description: Absent if the account is not blocked., $ref: '#/components/schemas/PreciseTime'}
            TesterStanding:
              type: object
              required: [account]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                testerSince: {description: Absent if the account is not a tester., $ref: '#/components/schemas/PreciseTime'}
            BetaStanding:
              type: object
              required: [account]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                betaSince: {description: Absent if the account is not offered beta versions., $ref: '#/components/schemas/PreciseTime'}
            SandboxReset:
              type: object
              required: [account, forgotten]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                forgotten: {description: How many original transactions were forgotten., type: integer}
            RevokedSessions:
              type: object
              required: [account, revoked]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                revoked: {description: How many sessions were ended., type: integer}

            # Operator: bundles

            VersionDraft:
              type: object
              required: [version, files]
              properties:
                version: {description: 'A semantic version, for example `1.1.0`.', type: string}
                files:
                  type: array
                  items: {$ref: '#/components/schemas/DraftFile'}
                minimumAppVersion: {description: Older apps cannot read it., type: [string, 'null']}
                maximumAppVersion: {description: Newer apps cannot read it., type: [string, 'null']}
                locale: {description: 'The language of its text, as a BCP 47 tag.', type: [string, 'null']}
                patch:
                  description: >-
                    Allows a version lower than the newest one, if it is the highest of those with the same first two numbers.
                  type: [boolean, 'null']
                  default: false
                channel: {anyOf: [{$ref: '#/components/schemas/Channel'}, {type: 'null'}]}
            DraftFile:
              type: object
              required: [path, size, sha256]
              properties:
                path: {description: A relative path with `/` as the separator., type: string}
                size: {description: In bytes., type: integer, format: int64, minimum: 0, maximum: 9223372036854775807}
                sha256: {$ref: '#/components/schemas/SHA256'}
            Channel:
              description: 'To whom the version is offered: to everybody, or only to accounts that an administrator chose.'
              type: string
              enum: [stable, beta]
            AdminBundlePage:
              type: object
              required: [bundles]
              properties:
                bundles: {type: array, items: {$ref: '#/components/schemas/AdminBundle'}}
                next: {description: The value of `after` for the next page. Absent on the last page., type: string}
            AdminBundle:
              type: object
              required: [bundle, versions, drafts, openIn, products]
              properties:
                bundle: {description: The name of the bundle., type: string}
                offered: {description: 'The version that is offered to everybody, regardless of the app''s version. Absent if there is none.', type: string}
                bytes: {description: The total size of that version's files., type: integer, format: int64}
                versions: {description: 'How many versions there are, including drafts and yanked versions.', type: integer}
                drafts: {description: How many of the versions are drafts., type: integer}
                openIn: {description: The bundle IDs of the apps in which every account may download it., type: array, items: {type: string}}
                products:
                  description: The products that give access to the bundle; at most 100.
                  type: array
                  items:
                    type: object
                    required: [app, product]
                    properties:
                      app: {description: The app's bundle ID., type: string}
                      product: {description: The product ID., type: string}
            VersionList:
              type: object
              required: [bundle, versions]
              properties:
                bundle: {description: The name of the bundle., type: string}
                versions:
                  description: The versions, the lowest first.
                  type: array
                  items: {$ref: '#/components/schemas/BundleVersion'}
            BundleVersion:
              type: object
              required: [bundle, version, state, files, bytes]
              properties:
                bundle: {description: The name of the bundle., type: string}
                version: {type: string}
                state:
                  description: >-
                    `draft`: not offered and cannot be downloaded. `published`: offered. `yanked`: not offered, but can be
                    downloaded by its number.
                  anyOf:
                    - {type: string, enum: [draft, published, yanked]}
                    - {type: string}
                publishedAt: {description: 'Absent for a draft, and for a folder that was created by hand.', $ref: '#/components/schemas/PreciseTime'}
                files: {description: The number of files., type: integer}
                bytes: {description: The total size of the files., type: integer, format: int64}
                minimumAppVersion: {type: string}
                maximumAppVersion: {type: string}
                locale: {type: string}
                patch: {description: True if it was published as a patch; otherwise absent., type: boolean}
                channel: {description: Absent if none was stated., $ref: '#/components/schemas/Channel'}
                missing:
                  description: 'Only in the answer to a draft: the hashes of the files that have yet to be uploaded.'
                  type: array
                  items: {$ref: '#/components/schemas/SHA256'}

            # Operator: lists

            Overview:
              type: object
              required: [well, date, alarms]
              properties:
                well: {description: 'Whether nobody must act: no alarm is `bad` or `unknown`.', type: boolean}
                date: {description: When the alarms were read., $ref: '#/components/schemas/PreciseTime'}
                alarms: {description: 'One alarm of each kind, the most costly first.', type: array, items: {$ref: '#/components/schemas/Alarm'}}
            Alarm:
              type: object
              required: [alarm, level, count, detail]
              properties:
                alarm:
                  description: The kind of the alarm.
                  anyOf:
                    - type: string
                      enum:
                        - clockBehind
                        - missingProducts
                        - receiptsWaiting
                        - misplacedPurchases
                        - storeOutage
                        - neverFetched
                        - testNotification
                        - noNotifications
                        - unconfirmedDeliveries
                        - unavailableProducts
                        - doubledPeriods
                        - catalogRefused
                        - auditUnsealed
                    - type: string
                level:
                  description: >-
                    `good`; `waiting`: may wait for a while; `bad`: somebody must act; `unknown`: the server cannot tell.
                  anyOf: [{type: string, enum: [good, waiting, bad, unknown]}, {type: string}]
                count: {description: 'How many purchases, receipts or other things it concerns. Some counts stop at 101.', type: integer, minimum: 0}
                since: {description: Since when. Absent if it is not known or nothing is wrong., $ref: '#/components/schemas/PreciseTime'}
                detail: {description: 'The details, for people to read.', type: string}
                remedy: {description: 'What to do, for people to read. Only if the level is `bad` or `unknown`.', type: string}
            DeliveryList:
              type: object
              required: [deliveries, truncated]
              properties:
                deliveries: {type: array, items: {$ref: '#/components/schemas/Delivery'}}
                neverFetched:
                  description: 'Only with `unconfirmed`: purchases in Production whose manifest was never requested.'
                  type: array
                  items: {$ref: '#/components/schemas/UnfetchedPurchase'}
                truncated: {description: Whether there are more entries., type: boolean}
                next: {description: The value of `after` for the next page of both lists. Absent on the last page., type: string}
            Delivery:
              type: object
              required: [delivery, account, bundle, version, sha256, firstHandedOut, lastHandedOut, count]
              properties:
                delivery: {type: string}
                account: {$ref: '#/components/schemas/UUID'}
                bundle: {description: The name of the bundle., type: string}
                version: {type: string}
                sha256: {description: The SHA-256 of the manifest's payload., $ref: '#/components/schemas/SHA256'}
                firstHandedOut: {description: When the manifest was first issued., $ref: '#/components/schemas/PreciseTime'}
                lastHandedOut: {description: When the manifest was last issued., $ref: '#/components/schemas/PreciseTime'}
                count: {description: 'How often the manifest was issued, not counting repeated requests within an hour.', type: integer}
                confirmed: {description: Absent if the client has not confirmed it., $ref: '#/components/schemas/PreciseTime'}
                linkLifetime:
                  description: The longest lifetime that an app requested for its links, in seconds. Absent if none did.
                  type: integer
                app: {description: The bundle ID of the app whose purchase last paid for it. Absent if no purchase did., type: string}
                transaction: {description: The purchase that last paid for it. Absent if no purchase did., type: string}
            UnfetchedPurchase:
              type: object
              required: [account, bundle, app, product, transaction, delivered]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                bundle: {description: The name of the bundle., type: string}
                app: {description: The app's bundle ID., type: string}
                product: {description: The product ID., type: string}
                transaction: {description: The transaction ID., type: string}
                delivered: {description: When the purchase was delivered., $ref: '#/components/schemas/PreciseTime'}
            NotificationPage:
              type: object
              required: [notifications, gaps]
              properties:
                notifications: {type: array, items: {$ref: '#/components/schemas/ListedNotification'}}
                gaps:
                  description: >-
                    The gaps of more than a day between a notification on the page that arrived and the one that arrived before
                    it.
                  type: array
                  items:
                    type: object
                    required: [from, to]
                    properties:
                      from: {$ref: '#/components/schemas/PreciseTime'}
                      to: {$ref: '#/components/schemas/PreciseTime'}
                silentSince:
                  description: >-
                    When the last notification arrived, if none has for more than a day. Only on the first page. Notifications
                    that the server fetched do not count as arrived.
                  $ref: '#/components/schemas/PreciseTime'
                next: {description: The value of `after` for the next page. Absent on the last page., type: string}
            ListedNotification:
              type: object
              required: [id, type, signedAt, recordedAt]
              properties:
                id: {description: The App Store's ID of the notification., type: string}
                type: {description: Apple's `notificationType`., type: string}
                subtype: {description: Apple's `subtype`., type: string}
                app: {description: The app's bundle ID., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                signedAt: {$ref: '#/components/schemas/PreciseTime'}
                recordedAt: {$ref: '#/components/schemas/PreciseTime'}
                deliveredAt:
                  description: >-
                    When it arrived from the App Store. Absent if the server fetched it because it had not arrived, and for
                    notifications from before the server recorded this.
                  $ref: '#/components/schemas/PreciseTime'
                appliedAt: {description: When it was applied. Absent while the App Store still has to be asked about it., $ref: '#/components/schemas/PreciseTime'}
            TesterPage:
              type: object
              required: [testers]
              properties:
                testers: {type: array, items: {$ref: '#/components/schemas/ListedTester'}}
                next: {description: The value of `after` for the next page. Absent on the last page., type: string}
            ListedTester:
              type: object
              required: [account, testerSince]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                testerSince: {description: When an administrator made the account a tester., $ref: '#/components/schemas/PreciseTime'}
            ReceiptPage:
              type: object
              required: [receipts]
              properties:
                receipts: {type: array, items: {$ref: '#/components/schemas/ListedReceipt'}}
                next: {description: The value of `after` for the next page. Absent on the last page., $ref: '#/components/schemas/ReceiptID'}
            ListedReceipt:
              type: object
              required: [account, receipt, kind, status, attempts, recordedAt]
              properties:
                account: {$ref: '#/components/schemas/UUID'}
                receipt: {$ref: '#/components/schemas/ReceiptID'}
                kind: {$ref: '#/components/schemas/ReceiptKind'}
                status: {$ref: '#/components/schemas/ReceiptStatus'}
                reason: {$ref: '#/components/schemas/RejectionReason'}
                remedy: {description: 'What can be done about it, for people to read. Only for a rejected receipt.', type: string}
                bundleID: {description: The app that the client named., type: string}
                attempts: {description: How often the App Store was asked about the receipt., type: integer}
                trouble:
                  description: >-
                    Only for a receipt that waits: why the last attempt got no usable answer. `outage`: the App Store did not
                    answer. `ambiguous`: it did not say whether the receipt is genuine (21002). `refusedCredential`: it refused
                    this server's key or shared secret (21004), which somebody has to correct. `badRequest`: it refused the
                    request as malformed (21000, 21001), which is an error in this server. Absent if the App Store was not asked
                    yet.
                  anyOf:
                    - {type: string, enum: [outage, ambiguous, refusedCredential, badRequest]}
                    - {type: string}
                recordedAt: {$ref: '#/components/schemas/PreciseTime'}
                answeredAt: {$ref: '#/components/schemas/PreciseTime'}
                retryAt: {description: When the App Store is asked again., $ref: '#/components/schemas/PreciseTime'}
            AuditPage:
              type: object
              required: [rows, next]
              properties:
                rows: {type: array, items: {$ref: '#/components/schemas/AuditRow'}}
                next: {description: The value of `after` for the next page; the same value again if there is nothing newer., type: integer}
            AuditRow:
              type: object
              required: [sequence, at, kind]
              properties:
                sequence: {description: Counts from 1., type: integer, format: int64}
                at: {$ref: '#/components/schemas/PreciseTime'}
                kind: {description: 'What happened, for example `receipt.settled`.', type: string}
                actor: {description: Who did it. Absent if it was the account itself or the App Store., type: string}
                account: {$ref: '#/components/schemas/UUID'}
                subject: {description: 'The receipt, product or key that the row is about.', type: string}
                content: {description: Absent if it was erased., type: object, additionalProperties: true}

            # Operator: reports

            ReportTime:
              type: string
              pattern: '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}))?$'
            ReportGrouping:
              anyOf:
                - {type: string, enum: [day, product, storefront]}
                - {type: string}
            ReportCount: {type: integer, format: int64, minimum: 0}
            ReportCounts:
              type: object
              additionalProperties: {$ref: '#/components/schemas/ReportCount'}
            ReportAmounts:
              description: Sums of prices by currency (ISO 4217), in thousandths. Currencies are not converted.
              type: object
              additionalProperties: {$ref: '#/components/schemas/ReportCount'}
            PurchaseReport:
              type: object
              required: [report, by, from, to, environment, rows, total]
              properties:
                report: {type: string, const: purchases}
                by: {$ref: '#/components/schemas/ReportGrouping'}
                from: {$ref: '#/components/schemas/PreciseTime'}
                to: {$ref: '#/components/schemas/PreciseTime'}
                app: {description: Absent if the report is for all apps., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                rows:
                  description: Only rows that have numbers, sorted by name.
                  type: array
                  items: {$ref: '#/components/schemas/PurchaseReportRow'}
                total: {description: The sums of all rows., $ref: '#/components/schemas/PurchaseReportRow'}
            PurchaseReportRow:
              type: object
              required: [purchases, renewals, units, trials, offers, types, revenue, unpriced]
              properties:
                day: {description: The day in UTC. Present if the rows are by day; never in the total., type: string, format: date}
                product: {description: The product ID. Present if the rows are by product; never in the total., type: string}
                storefront:
                  description: >-
                    The storefront (ISO 3166-1, three letters), or `unknown`. Present if the rows are by storefront; never in the
                    total.
                  type: string
                purchases: {description: 'First purchases: `transactionReason` is `PURCHASE`, or, if no copy states it, the transaction is the original one.', $ref: '#/components/schemas/ReportCount'}
                renewals: {description: 'Periods that the App Store renewed.', $ref: '#/components/schemas/ReportCount'}
                units: {description: 'The sum of the quantities.', $ref: '#/components/schemas/ReportCount'}
                trials: {description: 'Free trials.', $ref: '#/components/schemas/ReportCount'}
                offers: {description: 'Offers by type: `introductory`, `promotional`, `offerCode`, `winBack`, `other`.', $ref: '#/components/schemas/ReportCounts'}
                types: {description: By product type; `unknown` if neither the App Store nor the catalog states it., $ref: '#/components/schemas/ReportCounts'}
                revenue: {description: The prices as the App Store states them; refunds are not subtracted., $ref: '#/components/schemas/ReportAmounts'}
                unpriced: {description: 'Transactions without a price, which `revenue` does not include.', $ref: '#/components/schemas/ReportCount'}
            SubscriptionReport:
              type: object
              required: [report, by, from, to, environment, rows, total]
              properties:
                report: {type: string, const: subscriptions}
                by: {$ref: '#/components/schemas/ReportGrouping'}
                from: {$ref: '#/components/schemas/PreciseTime'}
                to: {$ref: '#/components/schemas/PreciseTime'}
                app: {description: Absent if the report is for all apps., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                rows:
                  description: Only rows that have numbers, sorted by name.
                  type: array
                  items: {$ref: '#/components/schemas/SubscriptionReportRow'}
                total: {description: 'The sums of all rows; with rows by day, also the numbers that belong to no single day.', $ref: '#/components/schemas/SubscriptionReportRow'}
            SubscriptionReportRow:
              type: object
              required: [starts, restarts, upgrades, renewals, trials, conversions, offers, ends]
              properties:
                day: {description: The day in UTC. Present if the rows are by day; never in the total., type: string, format: date}
                product: {description: The product ID. Present if the rows are by product; never in the total., type: string}
                storefront:
                  description: >-
                    The storefront (ISO 3166-1, three letters), or `unknown`. Present if the rows are by storefront; never in the
                    total.
                  type: string
                starts: {description: 'Subscriptions that began.', $ref: '#/components/schemas/ReportCount'}
                restarts: {description: 'Subscriptions that were bought again after they had ended.', $ref: '#/components/schemas/ReportCount'}
                upgrades: {description: 'Purchases of another product while the subscription ran.', $ref: '#/components/schemas/ReportCount'}
                renewals: {description: 'Periods that the App Store renewed.', $ref: '#/components/schemas/ReportCount'}
                trials: {description: 'Free trials.', $ref: '#/components/schemas/ReportCount'}
                conversions: {description: 'Paid periods after a trial of the same original transaction.', $ref: '#/components/schemas/ReportCount'}
                offers: {description: 'Offers by type: `introductory`, `promotional`, `offerCode`, `winBack`, `other`.', $ref: '#/components/schemas/ReportCounts'}
                ends: {description: 'Ends by reason: `cancelled`, `billing`, `priceIncrease`, `unavailable`, `other`, `refunded`; `unknown` if the App Store made no statement about that end.', $ref: '#/components/schemas/ReportCounts'}
                active: {description: 'Subscriptions in a paid or trial period at the end of the report, or now if that is earlier. Absent in rows by day.', $ref: '#/components/schemas/ReportCount'}
            RefundReport:
              type: object
              required: [report, by, from, to, environment, rows, total]
              properties:
                report: {type: string, const: refunds}
                by: {$ref: '#/components/schemas/ReportGrouping'}
                from: {$ref: '#/components/schemas/PreciseTime'}
                to: {$ref: '#/components/schemas/PreciseTime'}
                app: {description: Absent if the report is for all apps., type: string}
                environment: {$ref: '#/components/schemas/Environment'}
                rows:
                  description: Only rows that have numbers, sorted by name.
                  type: array
                  items: {$ref: '#/components/schemas/RefundReportRow'}
                total: {description: The sums of all rows., $ref: '#/components/schemas/RefundReportRow'}
            RefundReportRow:
              type: object
              required: [refunds, full, partial, percentages, reasons, refunded, unpriced]
              properties:
                day: {description: The day in UTC. Present if the rows are by day; never in the total., type: string, format: date}
                product: {description: The product ID. Present if the rows are by product; never in the total., type: string}
                storefront:
                  description: >-
                    The storefront (ISO 3166-1, three letters), or `unknown`. Present if the rows are by storefront; never in the
                    total.
                  type: string
                refunds: {description: 'Refunds, whole and partial.', $ref: '#/components/schemas/ReportCount'}
                full: {description: 'Refunds of the whole price.', $ref: '#/components/schemas/ReportCount'}
                partial: {description: 'Refunds of a share of the price.', $ref: '#/components/schemas/ReportCount'}
                percentages: {description: 'Partial refunds by the refunded share in whole percents, rounded down.', $ref: '#/components/schemas/ReportCounts'}
                reasons: {description: 'By reason: `appIssue`, `other`, `unknown` if none is stated.', $ref: '#/components/schemas/ReportCounts'}
                refunded: {description: 'The refunded shares of the prices, each rounded to the nearest thousandth; halves are rounded down.', $ref: '#/components/schemas/ReportAmounts'}
                unpriced: {description: 'Refunds of transactions without a price, which `refunded` does not include.', $ref: '#/components/schemas/ReportCount'}

            # Monitoring

            KeySet:
              type: object
              required: [keys]
              properties:
                keys: {type: array, items: {$ref: '#/components/schemas/Key'}}
            Key:
              description: An Ed25519 key (RFC 8037).
              type: object
              required: [kty, crv, x, kid, alg, use]
              properties:
                kty: {type: string}
                crv: {type: string}
                x: {type: string}
                kid: {description: The ID of the key., type: string}
                alg: {type: string}
                use: {type: string}
                purpose: {description: '`manifests`; absent for keys of checkpoints.', type: string}
            Health:
              type: object
              required: [status]
              properties:
                status: {type: string, const: alive}
            Readiness:
              type: object
              required: [status, catalog]
              properties:
                status: {type: string, const: ready}
                catalog: {description: The revision of the catalog., type: string}

          # Recorded examples
          examples:
            addTester.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001", "testerSince": "2026-11-18T11:06:40Z"}
            addTester.request:
              value:
                {"reason": "ticket 7"}
            addToBeta.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001", "betaSince": "2026-11-18T11:06:40Z"}
            addToBeta.request:
              value:
                {"reason": "ticket 7"}
            adjustCredits.200:
              value:
                {
                  "account": "0b0e5c1e-0000-4000-8000-000000000001",
                  "app": "com.example.hangman",
                  "balance": 5,
                  "currency": "hints",
                  "environment": "Production"
                }
            adjustCredits.422.unknown_currency:
              value:
                {
                  "code": "unknown_currency",
                  "detail": "Nothing was recorded. Its products and its entry name: hints.",
                  "finish": false,
                  "status": 422,
                  "title": "Unknown currency",
                  "type": "urn:quartermaster:problem:unknown_currency"
                }
            adjustCredits.request:
              value:
                {"amount": 5, "currency": "hints", "reason": "ticket 7"}
            adminGetProduct.200:
              value:
                {"bundles": ["hard-words"], "id": "com.example.hangman.hardwords", "type": "non-consumable"}
            adminListProducts.200:
              value:
                {
                  "app": "com.example.hangman",
                  "products": [
                    {"credits": {"hints": 10}, "id": "com.example.hangman.tenhints", "type": "consumable"},
                    {"credits": {"hints": 100}, "id": "com.example.hangman.hundredhints", "type": "consumable"},
                    {"bundles": ["hard-words"], "id": "com.example.hangman.hardwords", "type": "non-consumable"},
                    {"bundles": ["ios-words"], "id": "com.example.hangman.ioswords", "type": "non-consumable"},
                    {
                      "bundles": ["night-theme"],
                      "duration": "P1M",
                      "id": "com.example.hangman.nighttheme.month",
                      "type": "non-renewing"
                    },
                    {
                      "bundles": ["hard-words", "ios-words", "night-theme"],
                      "group": "club",
                      "id": "com.example.hangman.club.monthly",
                      "type": "auto-renewable"
                    }
                  ],
                  "revision": "08fdd3ba0cc9d94f",
                  "terms": {
                    "com.example.hangman.club.monthly": {
                      "bundles": ["hard-words", "ios-words", "night-theme"],
                      "credits": {},
                      "group": "club",
                      "id": "com.example.hangman.club.monthly",
                      "ownership": "transfer",
                      "type": "auto-renewable"
                    },
                    "com.example.hangman.hardwords": {
                      "bundles": ["hard-words"],
                      "credits": {},
                      "id": "com.example.hangman.hardwords",
                      "ownership": "transfer",
                      "type": "non-consumable"
                    },
                    "com.example.hangman.hundredhints": {
                      "bundles": [],
                      "credits": {"hints": 100},
                      "id": "com.example.hangman.hundredhints",
                      "ownership": "keep",
                      "redownloadHours": 24,
                      "type": "consumable"
                    },
                    "com.example.hangman.ioswords": {
                      "bundles": ["ios-words"],
                      "credits": {},
                      "id": "com.example.hangman.ioswords",
                      "ownership": "transfer",
                      "type": "non-consumable"
                    },
                    "com.example.hangman.nighttheme.month": {
                      "bundles": ["night-theme"],
                      "credits": {},
                      "duration": "P1M",
                      "id": "com.example.hangman.nighttheme.month",
                      "ownership": "transfer",
                      "type": "non-renewing"
                    },
                    "com.example.hangman.tenhints": {
                      "bundles": [],
                      "credits": {"hints": 10},
                      "id": "com.example.hangman.tenhints",
                      "ownership": "keep",
                      "redownloadHours": 24,
                      "type": "consumable"
                    }
                  }
                }
            blockAccount.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001", "blockedAt": "2026-11-18T11:06:40Z"}
            blockAccount.request:
              value:
                {"reason": "ticket 7"}
            confirmDelivery.200:
              value:
                {"confirmed": "2026-11-18T11:06:40Z", "delivery": "d_…"}
            confirmDelivery.422:
              value:
                {
                  "code": "delivery_mismatch",
                  "detail": "Get the manifest again, and what differs.",
                  "finish": false,
                  "status": 422,
                  "title": "The confirmation does not match the issued manifest",
                  "type": "urn:quartermaster:problem:delivery_mismatch"
                }
            confirmDelivery.request:
              value:
                {"sha256": "8ee89711330c1ccf39a2e65ad12bbd7df4a4a2ee857f53b4823f00fecb7bd252"}
            createAccount.201:
              value:
                {"accessToken": "…", "account": "0b0e5c1e-0000-4000-8000-000000000001", "recoveryCode": "KX4M-…"}
            createSession.201:
              value:
                {"accessToken": "…", "account": "0b0e5c1e-0000-4000-8000-000000000001"}
            createSession.401:
              value:
                {
                  "code": "invalid_credentials",
                  "finish": false,
                  "status": 401,
                  "title": "No account has this recovery code",
                  "type": "urn:quartermaster:problem:invalid_credentials"
                }
            createSession.request:
              value:
                {"recoveryCode": "KX4M-…"}
            deleteApp.409.app_in_use:
              value:
                {
                  "code": "app_in_use",
                  "detail": "Its catalog entry has 6 products; remove them first.",
                  "finish": false,
                  "status": 409,
                  "title": "The app cannot be removed",
                  "type": "urn:quartermaster:problem:app_in_use"
                }
            downloadContent.403:
              value:
                {
                  "code": "invalid_grant",
                  "finish": false,
                  "status": 403,
                  "title": "The download link is invalid or has expired",
                  "type": "urn:quartermaster:problem:invalid_grant"
                }
            draftBundleVersion.201:
              value:
                {
                  "bundle": "hard-words",
                  "bytes": 4,
                  "files": 1,
                  "missing": ["8ee89711330c1ccf39a2e65ad12bbd7df4a4a2ee857f53b4823f00fecb7bd252"],
                  "state": "draft",
                  "version": "1.1.0"
                }
            draftBundleVersion.422.invalid_bundle:
              value:
                {
                  "code": "invalid_bundle",
                  "detail": "the bundle's name: differs from \"hard-words\" only by case or Unicode normalization",
                  "finish": false,
                  "status": 422,
                  "title": "The version cannot be published",
                  "type": "urn:quartermaster:problem:invalid_bundle"
                }
            draftBundleVersion.request:
              value:
                {
                  "files": [
                    {
                      "path": "words.txt",
                      "sha256": "8ee89711330c1ccf39a2e65ad12bbd7df4a4a2ee857f53b4823f00fecb7bd252",
                      "size": 4
                    }
                  ],
                  "version": "1.1.0"
                }
            extendRenewalDate.200:
              value:
                {
                  "app": "com.example.hangman",
                  "days": 7,
                  "environment": "Production",
                  "expirationDate": "2026-12-25T11:06:40Z",
                  "originalID": "2000000000000001"
                }
            extendRenewalDate.409:
              value:
                {
                  "code": "extension_refused",
                  "detail": "4030005 SubscriptionMaxExtension",
                  "finish": false,
                  "status": 409,
                  "title": "The store does not extend the renewal date",
                  "type": "urn:quartermaster:problem:extension_refused"
                }
            extendRenewalDate.request:
              value:
                {"days": 7, "reason": "ticket 7"}
            findAccounts.200:
              value:
                {
                  "accounts": [
                    {
                      "account": "0b0e5c1e-0000-4000-8000-000000000001",
                      "app": "com.example.hangman",
                      "environment": "Production",
                      "originalID": "2000000000000001"
                    }
                  ],
                  "unclaimed": []
                }
            getAccount.200:
              value:
                {
                  "account": "0b0e5c1e-0000-4000-8000-000000000001",
                  "adjustments": [],
                  "appTransactions": [],
                  "balances": [],
                  "betaSince": "2026-11-18T11:06:40Z",
                  "createdAt": "2026-11-18T11:06:40Z",
                  "entitlements": [
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["hard-words"],
                      "environment": "Production",
                      "product": "com.example.hangman.hardwords",
                      "type": "non-consumable"
                    }
                  ],
                  "grants": [],
                  "lines": [
                    {
                      "app": "com.example.hangman",
                      "basis": "presented",
                      "environment": "Production",
                      "moves": [],
                      "originalID": "2000000000000001",
                      "owner": "0b0e5c1e-0000-4000-8000-000000000001"
                    }
                  ],
                  "postings": [],
                  "receipts": [
                    {
                      "answeredAt": "2026-11-18T11:06:40Z",
                      "attempts": 0,
                      "kind": "signedTransaction",
                      "receipt": "r_…",
                      "recordedAt": "2026-11-18T11:06:40Z",
                      "status": "verified"
                    }
                  ],
                  "refunds": {"purchases": 1, "refunded": 0},
                  "sessions": [{"openedAt": "2026-11-18T11:06:40Z"}],
                  "spends": [],
                  "transactions": [
                    {
                      "app": "com.example.hangman",
                      "creditedTo": "0b0e5c1e-0000-4000-8000-000000000001",
                      "environment": "Production",
                      "id": "2000000000000001",
                      "isUpgraded": false,
                      "originalID": "2000000000000001",
                      "originalPurchaseDate": "2026-11-18T11:06:40Z",
                      "owner": "0b0e5c1e-0000-4000-8000-000000000001",
                      "ownershipType": "PURCHASED",
                      "product": "com.example.hangman.hardwords",
                      "productType": "non-consumable",
                      "purchaseDate": "2026-11-18T11:06:40Z",
                      "quantity": 1,
                      "signedDate": "2026-11-18T11:06:40Z",
                      "terms": {
                        "bundles": ["hard-words"],
                        "credits": {},
                        "id": "com.example.hangman.hardwords",
                        "ownership": "transfer",
                        "type": "non-consumable"
                      }
                    }
                  ],
                  "truncated": []
                }
            getApp.200:
              value:
                {"appAppleID": 1234567890, "bundleID": "com.example.hangman"}
            getEntitlements.200:
              value:
                {
                  "account": "0b0e5c1e-0000-4000-8000-000000000001",
                  "at": "2026-11-18T11:06:40Z",
                  "balances": {"hints": 10},
                  "entitlements": [
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["hard-words"],
                      "environment": "Production",
                      "product": "com.example.hangman.hardwords",
                      "type": "non-consumable"
                    },
                    {
                      "access": "denied",
                      "app": "com.example.hangman",
                      "bundles": [],
                      "environment": "Production",
                      "product": "com.example.hangman.tenhints",
                      "reason": "consumed",
                      "type": "consumable"
                    },
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["night-theme"],
                      "environment": "Production",
                      "product": "com.example.hangman.theme",
                      "type": "non-renewing",
                      "until": "2026-12-18T11:06:40Z"
                    }
                  ]
                }
            getHealth.200:
              value:
                {"status": "alive"}
            getManifest.200:
              value:
                {
                  "bundle": "hard-words",
                  "delivery": "d_…",
                  "expires": "2026-11-18T11:21:40Z",
                  "files": [
                    {
                      "encodings": [
                        {
                          "encoding": "zstd",
                          "sha256": "8ee89711330c1ccf39a2e65ad12bbd7df4a4a2ee857f53b4823f00fecb7bd252",
                          "size": 8211
                        },
                        {
                          "encoding": "gzip",
                          "sha256": "553295e4b848bee781c30a0c86a5b731330806eaaca214de195e48761b8a61ee",
                          "size": 8455
                        },
                        {
                          "encoding": "dcz",
                          "from": "fd0fe62cd20e6923c737ebc8ddf03e8fa25cf201c3b5fbf15659ab22a3a08d7c",
                          "sha256": "c03a8b8fb97996492099484e49f1ebe4cb6f10cd2ca37ae70920e70c1a14c0d3",
                          "size": 93
                        }
                      ],
                      "patches": [
                        {
                          "encoding": "zstd-patch",
                          "from": "fd0fe62cd20e6923c737ebc8ddf03e8fa25cf201c3b5fbf15659ab22a3a08d7c",
                          "sha256": "1fe700bc3cb6885eb37de560ff2965c688bc3b0aee78780187a585fb0c45ec71",
                          "size": 53,
                          "url": "/v1/content/1fe700bc3cb6885eb37de560ff2965c688bc3b0aee78780187a585fb0c45ec71?grant=…"
                        }
                      ],
                      "path": "words.txt",
                      "sha256": "12d4bb3da5785963f27f012db3f9a453d0c420e3952bc9516631e7348fcbeda4",
                      "size": 16341,
                      "url": "/v1/content/12d4bb3da5785963f27f012db3f9a453d0c420e3952bc9516631e7348fcbeda4?grant=…"
                    }
                  ],
                  "fresh": "eyJ…",
                  "previousVersions": ["1.0.0"],
                  "signed": "eyJ…",
                  "version": "1.1.0"
                }
            getManifest.403.not_entitled:
              value:
                {
                  "code": "not_entitled",
                  "finish": false,
                  "reason": "expired",
                  "status": 403,
                  "title": "The account is not entitled to this bundle",
                  "type": "urn:quartermaster:problem:not_entitled"
                }
            getReadiness.200:
              value:
                {"catalog": "08fdd3ba0cc9d94f", "status": "ready"}
            getReceipt.200:
              value:
                {
                  "balances": {"hints": 300},
                  "duplicate": false,
                  "entitlements": [
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["hard-words"],
                      "environment": "Production",
                      "product": "com.example.hangman.hardwords",
                      "type": "non-consumable"
                    },
                    {
                      "access": "denied",
                      "app": "com.example.hangman",
                      "bundles": [],
                      "environment": "Production",
                      "product": "com.example.hangman.hundredhints",
                      "reason": "consumed",
                      "type": "consumable"
                    },
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["night-theme"],
                      "environment": "Production",
                      "product": "com.example.hangman.nighttheme.month",
                      "type": "non-renewing",
                      "until": "2026-12-20T11:06:40Z"
                    }
                  ],
                  "finish": true,
                  "receipt": "r_…",
                  "status": "verified",
                  "transactions": [
                    {
                      "environment": "Production",
                      "finish": true,
                      "id": "2000000000000001",
                      "originalID": "2000000000000001",
                      "outcome": "delivered",
                      "product": "com.example.hangman.hundredhints"
                    }
                  ]
                }
            giveProduct.201:
              value:
                {"grant": "g_…"}
            giveProduct.422.unknown_product:
              value:
                {
                  "code": "unknown_product",
                  "detail": "Nothing was recorded. The app has no product with this ID.",
                  "finish": false,
                  "status": 422,
                  "title": "Unknown product",
                  "type": "urn:quartermaster:problem:unknown_product"
                }
            giveProduct.request:
              value:
                {
                  "app": "com.example.hangman",
                  "environment": "Production",
                  "product": "com.example.hangman.hardwords",
                  "reason": "ticket 7",
                  "until": "2026-11-18T12:06:40Z"
                }
            listApps.200:
              value:
                {
                  "apps": [
                    {
                      "bundleID": "com.example.hangman",
                      "products": 1,
                      "settings": {"bundleID": "com.example.hangman"}
                    },
                    {"bundleID": "com.example.chess", "products": 2, "settings": {"bundleID": "com.example.chess"}}
                  ],
                  "revision": "2d711642b726b044"
                }
            listAuditRows.200:
              value:
                {
                  "next": 3,
                  "rows": [
                    {
                      "actor": "command:root",
                      "at": "2026-11-18T11:06:40Z",
                      "content": {"role": "write"},
                      "kind": "adminToken.created",
                      "sequence": 1,
                      "subject": "alice"
                    },
                    {
                      "account": "0b0e5c1e-0000-4000-8000-000000000001",
                      "at": "2026-11-18T11:06:40Z",
                      "content": {},
                      "kind": "account.created",
                      "sequence": 2
                    },
                    {
                      "account": "0b0e5c1e-0000-4000-8000-000000000001",
                      "at": "2026-11-18T11:06:40Z",
                      "content": {},
                      "kind": "session.opened",
                      "sequence": 3
                    }
                  ]
                }
            listAdminBundles.200:
              value:
                {
                  "bundles": [
                    {
                      "bundle": "hard-words",
                      "bytes": 16,
                      "drafts": 0,
                      "offered": "1.0.0",
                      "openIn": [],
                      "products": [{"app": "com.example.hangman", "product": "com.example.hangman.hardwords"}],
                      "versions": 2
                    }
                  ],
                  "next": "hard-words"
                }
            listBundleVersions.200:
              value:
                {
                  "bundle": "hard-words",
                  "versions": [
                    {"bundle": "hard-words", "bytes": 16, "files": 1, "state": "published", "version": "1.0.0"},
                    {
                      "bundle": "hard-words",
                      "bytes": 17,
                      "channel": "beta",
                      "files": 1,
                      "publishedAt": "2026-11-18T11:06:40Z",
                      "state": "published",
                      "version": "1.1.0"
                    }
                  ]
                }
            listBundles.200:
              value:
                {
                  "bundles": [
                    {
                      "bundle": "hard-words",
                      "publishedAt": "2026-11-18T11:06:40Z",
                      "size": 16564,
                      "version": "1.0.0",
                      "versions": ["1.0.0"]
                    }
                  ]
                }
            listDeliveries.200:
              value:
                {
                  "deliveries": [
                    {
                      "account": "0b0e5c1e-0000-4000-8000-000000000001",
                      "bundle": "hard-words",
                      "confirmed": "2026-11-18T12:06:40Z",
                      "count": 1,
                      "delivery": "d_…",
                      "firstHandedOut": "2026-11-18T12:06:40Z",
                      "lastHandedOut": "2026-11-18T12:06:40Z",
                      "sha256": "8ee89711330c1ccf39a2e65ad12bbd7df4a4a2ee857f53b4823f00fecb7bd252",
                      "version": "1.0.0"
                    }
                  ],
                  "truncated": false
                }
            listKeys.200:
              value:
                {
                  "keys": [
                    {"alg": "EdDSA", "crv": "Ed25519", "kid": "…", "kty": "OKP", "use": "sig", "x": "…"},
                    {
                      "alg": "EdDSA",
                      "crv": "Ed25519",
                      "kid": "…",
                      "kty": "OKP",
                      "purpose": "manifests",
                      "use": "sig",
                      "x": "…"
                    }
                  ]
                }
            listNotifications.200:
              value:
                {
                  "gaps": [{"from": "2026-11-18T11:06:40Z", "to": "2026-11-20T11:06:40Z"}],
                  "notifications": [
                    {
                      "app": "com.example.hangman",
                      "appliedAt": "2026-11-20T11:06:40Z",
                      "environment": "Production",
                      "id": "0b0e5c1e-0000-4000-8000-000000000001",
                      "recordedAt": "2026-11-20T11:06:40Z",
                      "signedAt": "2026-11-20T11:06:40Z",
                      "type": "REFUND"
                    },
                    {
                      "app": "com.example.hangman",
                      "appliedAt": "2026-11-18T11:06:40Z",
                      "environment": "Production",
                      "id": "0b0e5c1e-0000-4000-8000-000000000002",
                      "recordedAt": "2026-11-18T11:06:40Z",
                      "signedAt": "2026-11-18T11:06:40Z",
                      "type": "ONE_TIME_CHARGE"
                    }
                  ]
                }
            listPostings.200:
              value:
                {
                  "postings": [
                    {"amount": -3, "at": "2026-11-18T11:06:40Z", "idempotencyKey": "round 1", "kind": "spend"},
                    {"amount": 10, "at": "2026-11-18T11:06:40Z", "kind": "credit", "product": "com.example.hangman.tenhints"}
                  ]
                }
            listProducts.200:
              value:
                {
                  "productIDs": ["z", "new", "tv", "a"],
                  "products": [
                    {
                      "bundles": [],
                      "id": "z",
                      "metadata": {"icon": "z.png", "ranks": [1, 2.5, null, true]},
                      "type": "consumable"
                    },
                    {"bundles": [], "id": "new", "metadata": {}, "type": "consumable"},
                    {"bundles": [], "id": "tv", "metadata": {}, "type": "consumable"},
                    {
                      "bundles": ["ios-words", "hard-words"],
                      "contents": [
                        {"bundle": "ios-words", "size": 18332, "version": "1.0.0"},
                        {"bundle": "hard-words", "size": 16564, "version": "1.0.0"}
                      ],
                      "id": "a",
                      "metadata": {},
                      "type": "non-consumable"
                    }
                  ],
                  "revision": "5d2273777a23a7e5"
                }
            listProducts.404.unknown_app:
              value:
                {
                  "code": "unknown_app",
                  "finish": false,
                  "status": 404,
                  "title": "Unknown app",
                  "type": "urn:quartermaster:problem:unknown_app"
                }
            listPurchases.200:
              value:
                {
                  "next": "1795000060000-2000000000000002",
                  "purchases": [
                    {
                      "originalTransaction": "2000000000000002",
                      "ownershipType": "PURCHASED",
                      "product": "com.example.hangman.tenhints",
                      "purchasedAt": "2026-11-18T11:07:40Z",
                      "quantity": 2,
                      "refundPercentage": 50000,
                      "refundedAt": "2026-11-18T11:07:40Z",
                      "state": "partlyRefunded",
                      "transaction": "2000000000000002"
                    }
                  ]
                }
            listReceipts.200:
              value:
                {
                  "next": "r_…",
                  "receipts": [
                    {
                      "account": "0b0e5c1e-0000-4000-8000-000000000001",
                      "answeredAt": "2026-11-18T11:06:40Z",
                      "attempts": 0,
                      "kind": "transactionID",
                      "reason": "unsupported",
                      "receipt": "r_…",
                      "recordedAt": "2026-11-18T11:06:40Z",
                      "status": "rejected"
                    },
                    {
                      "account": "0b0e5c1e-0000-4000-8000-000000000001",
                      "answeredAt": "2026-11-18T11:06:40Z",
                      "attempts": 0,
                      "kind": "transactionID",
                      "reason": "unsupported",
                      "receipt": "r_…",
                      "recordedAt": "2026-11-18T11:06:40Z",
                      "status": "rejected"
                    }
                  ]
                }
            listUnavailableProducts.200:
              value:
                {
                  "products": [
                    {
                      "addresses": 3,
                      "app": "com.example.hangman",
                      "day": "2026-11-18",
                      "product": "com.example.hangman.tenhints"
                    }
                  ]
                }
            previewProducts.200:
              value:
                {
                  "at": "2026-11-20T00:00:00Z",
                  "list": {
                    "placement": {"metadata": {"test": "B"}, "name": "outOfHints"},
                    "productIDs": ["b", "a"],
                    "products": [
                      {"bundles": [], "id": "b", "metadata": {"n": 1}, "type": "consumable"},
                      {"bundles": [], "id": "a", "metadata": {}, "type": "consumable"}
                    ],
                    "revision": "5d2273777a23a7e5"
                  }
                }
            promoteBundleVersion.200:
              value:
                {
                  "bundle": "hard-words",
                  "bytes": 17,
                  "channel": "stable",
                  "files": 1,
                  "publishedAt": "2026-11-18T11:06:40Z",
                  "state": "published",
                  "version": "1.1.0"
                }
            publishBundleVersion.200:
              value:
                {
                  "bundle": "hard-words",
                  "bytes": 30,
                  "files": 3,
                  "locale": "en",
                  "minimumAppVersion": "2.1.0",
                  "publishedAt": "2026-11-18T11:06:40Z",
                  "state": "published",
                  "version": "1.1.0"
                }
            publishBundleVersion.409.content_missing:
              value:
                {
                  "code": "content_missing",
                  "detail": "Upload them, then publish again.",
                  "finish": false,
                  "missing": [
                    "8ee89711330c1ccf39a2e65ad12bbd7df4a4a2ee857f53b4823f00fecb7bd252",
                    "553295e4b848bee781c30a0c86a5b731330806eaaca214de195e48761b8a61ee",
                    "fd0fe62cd20e6923c737ebc8ddf03e8fa25cf201c3b5fbf15659ab22a3a08d7c"
                  ],
                  "status": 409,
                  "title": "The version has missing files",
                  "type": "urn:quartermaster:problem:content_missing"
                }
            putApp.201:
              value:
                {"appAppleID": 1234567890, "bundleID": "com.example.chess", "startingCredits": {"moves": 3}}
            putApp.422.invalid_app:
              value:
                {
                  "code": "invalid_app",
                  "detail": "colour: unknown member",
                  "finish": false,
                  "status": 422,
                  "title": "The settings of the app are invalid",
                  "type": "urn:quartermaster:problem:invalid_app"
                }
            putApp.request:
              value:
                {"appAppleID": 1234567890, "startingCredits": {"moves": 3}}
            putProduct.201:
              value:
                {"credits": {"hints": 5}, "id": "com.example.hangman.fivehints", "type": "consumable"}
            putProduct.422.invalid_product:
              value:
                {
                  "code": "invalid_product",
                  "detail": "id: a name has a control character",
                  "finish": false,
                  "status": 422,
                  "title": "The product entry is invalid",
                  "type": "urn:quartermaster:problem:invalid_product"
                }
            putProduct.request:
              value:
                {"credits": {"hints": 5}, "id": "com.example.hangman.fivehints", "type": "consumable"}
            readOverview.200:
              value:
                {
                  "alarms": [
                    {
                      "alarm": "clockBehind",
                      "count": 0,
                      "detail": "Not behind the App Store's, as far as it was asked.",
                      "level": "good"
                    },
                    {
                      "alarm": "missingProducts",
                      "count": 0,
                      "detail": "Every product that was bought is known.",
                      "level": "good"
                    },
                    {"alarm": "receiptsWaiting", "count": 0, "detail": "Nobody waits.", "level": "good"},
                    {
                      "alarm": "misplacedPurchases",
                      "count": 0,
                      "detail": "No earlier version left one.",
                      "level": "good"
                    },
                    {
                      "alarm": "storeOutage",
                      "count": 0,
                      "detail": "The App Store answers, as far as it was asked.",
                      "level": "good"
                    },
                    {"alarm": "neverFetched", "count": 0, "detail": "None for a day or longer.", "level": "good"},
                    {
                      "alarm": "testNotification",
                      "count": 0,
                      "detail": "None was asked for in 30 days.",
                      "level": "good"
                    },
                    {
                      "alarm": "noNotifications",
                      "count": 0,
                      "detail": "None for a day, and no purchase either.",
                      "level": "good"
                    },
                    {
                      "alarm": "unconfirmedDeliveries",
                      "count": 1,
                      "detail": "hard-words 1.0.0 is the oldest.",
                      "level": "waiting",
                      "since": "2026-11-19T11:06:40Z"
                    },
                    {"alarm": "unavailableProducts", "count": 0, "detail": "No app reported one.", "level": "good"},
                    {"alarm": "doubledPeriods", "count": 0, "detail": "No earlier version left one.", "level": "good"},
                    {"alarm": "catalogRefused", "count": 0, "detail": "Served as it is.", "level": "good"},
                    {
                      "alarm": "auditUnsealed",
                      "count": 1,
                      "detail": "Rows wait for their seal.",
                      "level": "bad",
                      "remedy": "Look at the log: the server that seals the audit trail is not running, or refuses to.",
                      "since": "2026-11-18T11:06:40Z"
                    }
                  ],
                  "date": "2026-11-20T11:06:40Z",
                  "well": false
                }
            receiveNotification.422:
              value:
                {
                  "code": "notification_rejected",
                  "finish": false,
                  "reason": "signature",
                  "status": 422,
                  "title": "This is not from the App Store",
                  "type": "urn:quartermaster:problem:notification_rejected"
                }
            receiveNotification.request:
              value:
                {"signedPayload": "eyJ…"}
            removeFromBeta.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001"}
            removeFromBeta.request:
              value:
                {"reason": "ticket 7"}
            removeTester.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001"}
            removeTester.request:
              value:
                {"reason": "ticket 7"}
            reportPurchases.200:
              value:
                {
                  "by": "day",
                  "environment": "Production",
                  "from": "2026-11-01T00:00:00Z",
                  "report": "purchases",
                  "rows": [
                    {
                      "day": "2026-11-01",
                      "offers": {},
                      "purchases": 2,
                      "renewals": 0,
                      "revenue": {
                        "EUR": 1990,
                        "USD": 2990
                      },
                      "trials": 0,
                      "types": {
                        "consumable": 2
                      },
                      "units": 2,
                      "unpriced": 0
                    }
                  ],
                  "to": "2026-12-01T00:00:00Z",
                  "total": {
                    "offers": {},
                    "purchases": 2,
                    "renewals": 0,
                    "revenue": {
                      "EUR": 1990,
                      "USD": 2990
                    },
                    "trials": 0,
                    "types": {
                      "consumable": 2
                    },
                    "units": 2,
                    "unpriced": 0
                  }
                }
            reportRefunds.200:
              value:
                {
                  "by": "product",
                  "environment": "Production",
                  "from": "2026-11-01T00:00:00Z",
                  "report": "refunds",
                  "rows": [
                    {
                      "full": 0,
                      "partial": 1,
                      "percentages": {
                        "40": 1
                      },
                      "product": "hints",
                      "reasons": {
                        "appIssue": 1
                      },
                      "refunded": {
                        "USD": 1196
                      },
                      "refunds": 1,
                      "unpriced": 0
                    }
                  ],
                  "to": "2026-12-01T00:00:00Z",
                  "total": {
                    "full": 0,
                    "partial": 1,
                    "percentages": {
                      "40": 1
                    },
                    "reasons": {
                      "appIssue": 1
                    },
                    "refunded": {
                      "USD": 1196
                    },
                    "refunds": 1,
                    "unpriced": 0
                  }
                }
            reportSubscriptions.200:
              value:
                {
                  "app": "hangman",
                  "by": "storefront",
                  "environment": "Production",
                  "from": "2026-11-01T00:00:00Z",
                  "report": "subscriptions",
                  "rows": [
                    {
                      "active": 1,
                      "conversions": 0,
                      "ends": {},
                      "offers": {},
                      "renewals": 0,
                      "restarts": 0,
                      "starts": 1,
                      "storefront": "DEU",
                      "trials": 0,
                      "upgrades": 0
                    }
                  ],
                  "to": "2026-12-01T00:00:00Z",
                  "total": {
                    "active": 1,
                    "conversions": 0,
                    "ends": {},
                    "offers": {},
                    "renewals": 0,
                    "restarts": 0,
                    "starts": 1,
                    "trials": 0,
                    "upgrades": 0
                  }
                }
            reportUnavailableProducts.request:
              value:
                {"productIDs": ["com.example.hangman.tenhints"]}
            resetSandbox.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001", "forgotten": 0}
            resetSandbox.request:
              value:
                {"reason": "ticket 7"}
            restoreBundleVersion.200:
              value:
                {
                  "bundle": "hard-words",
                  "bytes": 30,
                  "files": 3,
                  "publishedAt": "2026-11-18T11:06:40Z",
                  "state": "published",
                  "version": "1.1.0"
                }
            restorePurchases.200:
              value:
                {
                  "account": "0b0e5c1e-0000-4000-8000-000000000001",
                  "at": "2026-11-18T11:07:40Z",
                  "balances": {},
                  "entitlements": [
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["ios-words"],
                      "environment": "Production",
                      "product": "com.example.hangman.ioswords",
                      "type": "non-consumable"
                    }
                  ],
                  "receipts": [{"finish": false, "receipt": "r_…", "remedy": "transfer", "status": "verified"}]
                }
            restorePurchases.request:
              value:
                {"mayTransfer": false, "receipts": ["MII…"]}
            replaceRecoveryCode.201:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001", "recoveryCode": "KX4M-0000-0000-0000-0000-0000"}
            replaceRecoveryCode.request:
              value:
                {"reason": "ticket 7"}
            retryReceipt.200:
              value:
                {
                  "attempts": 0,
                  "kind": "transactionID",
                  "receipt": "r_00000000000000000000000001",
                  "recordedAt": "2026-11-18T11:06:40Z",
                  "retryAt": "2026-11-18T11:06:40Z",
                  "status": "pending"
                }
            retryReceipt.request:
              value:
                {"reason": "ticket 7"}
            revokeSessions.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001", "revoked": 0}
            revokeSessions.request:
              value:
                {"reason": "ticket 7"}
            sendReceipt.200:
              value:
                {
                  "balances": {},
                  "duplicate": false,
                  "entitlements": [
                    {
                      "access": "granted",
                      "app": "com.example.hangman",
                      "bundles": ["hard-words", "ios-words", "night-theme"],
                      "environment": "Production",
                      "product": "com.example.hangman.club.monthly",
                      "type": "auto-renewable",
                      "until": "2027-02-21T11:22:40Z"
                    }
                  ],
                  "finish": true,
                  "receipt": "r_…",
                  "status": "verified",
                  "transactions": [
                    {
                      "environment": "Production",
                      "finish": true,
                      "id": "2000000000000001",
                      "originalID": "2000000000000001",
                      "outcome": "delivered",
                      "product": "com.example.hangman.club.monthly"
                    }
                  ]
                }
            sendReceipt.202:
              value:
                {"finish": false, "receipt": "r_…", "status": "pending"}
            sendReceipt.409:
              value:
                {
                  "code": "owned_by_another_account",
                  "finish": false,
                  "reason": "ownedByAnotherAccount",
                  "receipt": "r_…",
                  "remedy": "transfer",
                  "status": 409,
                  "title": "The purchase belongs to another account",
                  "type": "urn:quartermaster:problem:owned_by_another_account"
                }
            sendReceipt.422:
              value:
                {
                  "code": "receipt_rejected",
                  "finish": false,
                  "reason": "signature",
                  "receipt": "r_…",
                  "status": 422,
                  "title": "The receipt was rejected",
                  "type": "urn:quartermaster:problem:receipt_rejected"
                }
            sendReceipt.request:
              value:
                {
                  "deviceIdentifier": "0b0e5c1e-0000-4000-8000-000000000001",
                  "deviceVerificationID": "0b0e5c1e-0000-4000-8000-000000000001",
                  "mayTransfer": true,
                  "receipt": "MII…"
                }
            signOffer.200:
              value:
                {"kind": "promotional", "signature": "…"}
            signOffer.request:
              value:
                {"kind": "promotional", "offer": "welcome-back", "product": "com.example.hangman.club.monthly"}
            setConsumptionConsent.request:
              value:
                {"consents": true}
            spendCredits.200:
              value:
                {"balance": 3, "currency": "hints"}
            spendCredits.409:
              value:
                {
                  "code": "insufficient_balance",
                  "detail": "Nothing was spent.",
                  "finish": false,
                  "status": 409,
                  "title": "The balance is too small",
                  "type": "urn:quartermaster:problem:insufficient_balance"
                }
            spendCredits.request:
              value:
                {"amount": 7, "bundleID": "com.example.hangman"}
            testNotification.200:
              value:
                {
                  "app": "com.example.hangman",
                  "environment": "Production",
                  "requestedAt": "2026-11-18T11:06:40Z",
                  "token": "0b0e5c1e-0000-4000-8000-000000000001_1795000000000"
                }
            testNotification.409.test_refused:
              value:
                {
                  "code": "test_refused",
                  "detail": "4040007 ServerNotificationURLNotFound",
                  "finish": false,
                  "reason": "noURL",
                  "status": 409,
                  "title": "The store sends no test notification",
                  "type": "urn:quartermaster:problem:test_refused"
                }
            testNotification.request:
              value:
                {"reason": "ticket 7"}
            takeProductBack.request:
              value:
                {"reason": "ticket 7"}
            transferOriginalTransaction.200:
              value:
                {
                  "app": "com.example.hangman",
                  "basis": "administrator",
                  "environment": "Production",
                  "moves": [
                    {
                      "at": "2026-11-18T11:06:40Z",
                      "from": "0b0e5c1e-0000-4000-8000-000000000002",
                      "to": "0b0e5c1e-0000-4000-8000-000000000001"
                    }
                  ],
                  "originalID": "2000000000000001",
                  "owner": "0b0e5c1e-0000-4000-8000-000000000001"
                }
            transferOriginalTransaction.request:
              value:
                {"reason": "ticket 7", "to": "0b0e5c1e-0000-4000-8000-000000000001"}
            undoTransfer.200:
              value:
                {
                  "app": "com.example.hangman",
                  "basis": "administrator",
                  "environment": "Production",
                  "moves": [
                    {
                      "at": "2026-11-18T11:06:40Z",
                      "from": "0b0e5c1e-0000-4000-8000-000000000001",
                      "to": "0b0e5c1e-0000-4000-8000-000000000002"
                    },
                    {
                      "at": "2026-11-18T11:06:40Z",
                      "from": "0b0e5c1e-0000-4000-8000-000000000002",
                      "to": "0b0e5c1e-0000-4000-8000-000000000001"
                    }
                  ],
                  "originalID": "2000000000000001",
                  "owner": "0b0e5c1e-0000-4000-8000-000000000001"
                }
            undoTransfer.409:
              value:
                {
                  "code": "not_transferred",
                  "detail": "Nothing was changed.",
                  "finish": false,
                  "status": 409,
                  "title": "The purchase was never transferred",
                  "type": "urn:quartermaster:problem:not_transferred"
                }
            undoTransfer.request:
              value:
                {"reason": "ticket 7"}
            unblockAccount.200:
              value:
                {"account": "0b0e5c1e-0000-4000-8000-000000000001"}
            unblockAccount.request:
              value:
                {"reason": "ticket 7"}
            yankBundleVersion.200:
              value:
                {
                  "bundle": "hard-words",
                  "bytes": 30,
                  "files": 3,
                  "publishedAt": "2026-11-18T11:06:40Z",
                  "state": "yanked",
                  "version": "1.1.0"
                }

        """#
}
