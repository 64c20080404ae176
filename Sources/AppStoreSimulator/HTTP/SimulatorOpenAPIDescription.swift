// swift-format-ignore-file
// Copied from docs/openapi-simulator.yaml by `make api-docs`. Change that file, not this one.

/// The description of the simulated App Store's HTTP interface in OpenAPI 3.1.
enum SimulatorOpenAPIDescription {
    /// The text of `docs/openapi-simulator.yaml`.
    static let text = #"""
        # The HTTP interface of the simulated App Store, as OpenAPI 3.1. For development only; docs/openapi.yaml describes the
        # server itself.
        #
        # Written by hand, except for what follows the line "Recorded examples", which scripts/openapi/examples.py copies from
        # the exchanges of a test run. Layout and extensions are those of docs/openapi.yaml.
        openapi: 3.1.0
        info:
          title: Quartermaster's simulated App Store
          version: 0.1.0
          summary: Sells, refunds, renews and fails on request. For development only.
          license: {name: Apache-2.0, identifier: Apache-2.0}
          description: |
            The interface of `quartermaster serve --simulator` and `quartermaster simulator` on port 8090. `/simulator/v1` does
            what customers and the staff of the App Store would do; `/production` and `/sandbox` are Apple's `verifyReceipt` and
            App Store Server API.

            Requests from web pages of other origins are refused with 403 `foreign_origin`. Requests whose `Host` is not
            loopback, an address of this machine or a name in `simulatorHost` are refused with 403 `foreign_host`. A JSON body
            over 64 KiB is refused with 413 `too_large`, one that is not JSON with 400 `invalid_request`. A method that the path
            does not support is refused with 405 `method_not_allowed`; `Allow` lists those that it supports. While 1,024 changes
            wait to be stored, every route may answer 503 `too_busy`: send the request again. Every answer has `X-Request-Id`.
        servers:
          - url: http://127.0.0.1:8090
            description: The simulator of a server that was started with `make run`.
        tags:
          - name: Customers
            description: What customers do.
          - name: Subscriptions
            description: |
              Acts on subscriptions. The following happens by itself, unless the subscription was bought with `"renews": false`:
              at the end of its period by the simulator's clock, a subscription renews; it ends then if it was cancelled or if a
              price increase waits for consent. If renewal fails, the grace period ends by itself, and after 60 days so does the
              subscription. In the sandbox, a subscription ends after 12 renewals. The server is notified of each event.
          - name: Refunds
            description: Acts on single transactions. The server is notified of each.
          - name: Trouble
            description: Time, outages and lost notifications.
          - name: Keys
            description: What a server needs to trust this App Store.
          - name: Apple
            description: |
              Apple's own interfaces, for each environment. Apple describes their bodies:
              [verifyReceipt](https://developer.apple.com/documentation/appstorereceipts/verifyreceipt), [App Store Server
              API](https://developer.apple.com/documentation/appstoreserverapi).
        paths:
          /simulator/openapi.yaml:
            get:
              operationId: getDescription
              tags: [Keys]
              summary: Get this description
              responses:
                '200':
                  description: This description, YAML in UTF-8.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/yaml: {schema: {type: object, required: [openapi, info, paths]}}}
                '403': {$ref: '#/components/responses/Forbidden'}

          # Customers

          /simulator/v1/purchases:
            post:
              operationId: purchase
              tags: [Customers]
              summary: Buy a product
              description: |
                Buys a product for a customer, and sends the notification that the App Store would send. Members that the
                request leaves out are taken from the product information, if there is any.
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/PurchaseRequest'}
                    examples: {recorded: {$ref: '#/components/examples/purchase.request'}}
              responses:
                '201':
                  description: The purchase, in every form of receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Purchase'}
                      examples: {recorded: {$ref: '#/components/examples/purchase.201'}}
                '202':
                  description: The purchase waits for approval.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/PendingPurchase'}}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '402':
                  description: 'The payment was declined, or the customer cancelled, as requested.'
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    payment_declined: The payment was declined.
                    purchase_cancelled: The customer cancelled the purchase.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '403':
                  description: >-
                    The request comes from a web page of another origin, its `Host` is not accepted, or the offer is not signed
                    for this customer.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    foreign_host: '`Host` names neither this machine nor a host that `simulatorHost` names.'
                    foreign_origin: '`Origin` is that of another site.'
                    invalid_offer_signature: >-
                      The signature is not of this offer, product, app and customer by the app's key, is older than a day, or was
                      used before (StoreKit, `invalidOfferSignature`).
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/purchases/{id}/approve:
            post:
              operationId: approvePurchase
              tags: [Customers]
              summary: Approve a pending purchase
              description: |
                Completes the purchase now (Ask to Buy).
              parameters:
                - {$ref: '#/components/parameters/PurchasePath'}
              responses:
                '201':
                  description: The purchase, in every form of receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Purchase'}}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '409':
                  description: The current state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    already_decided: It was approved or declined before.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          /simulator/v1/purchases/{id}/decline:
            post:
              operationId: declinePurchase
              tags: [Customers]
              summary: Decline a pending purchase
              parameters:
                - {$ref: '#/components/parameters/PurchasePath'}
              responses:
                '200':
                  description: The purchase was declined and will never be made.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/PendingPurchase'}}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '409':
                  description: The current state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    already_decided: It was approved or declined before.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          /simulator/v1/products:
            put:
              operationId: setProducts
              tags: [Customers]
              summary: Set product information
              description: |
                Sets the information about products in App Store Connect: names, prices, periods, offers. Replaces earlier
                information about the same products.
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: '#/components/schemas/ProductInformation'}}}
              responses:
                '204':
                  description: The information was stored.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}
            get:
              operationId: getProducts
              tags: [Customers]
              summary: Get product information
              description: |
                The information that StoreKit gives the app. Unknown products are left out.
              parameters:
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - name: ids
                  in: query
                  description: Product IDs, separated by commas. The default is all products.
                  schema: {type: string}
                - name: storefront
                  in: query
                  description: The country whose prices to return, ISO 3166-1 alpha-3.
                  schema: {type: string, pattern: '^[A-Z]{3}$', default: USA}
              responses:
                '200':
                  description: The products, by ID.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Products'}}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/customers/{customer}/receipt:
            get:
              operationId: getAppReceipt
              tags: [Customers]
              summary: Get a customer's app receipt
              description: |
                The app receipt with the customer's current purchases, newly signed.
              parameters:
                - {$ref: '#/components/parameters/CustomerPath'}
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - {$ref: '#/components/parameters/EnvironmentQuery'}
                - {$ref: '#/components/parameters/DeviceQuery'}
              responses:
                '200':
                  description: The app receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AppReceipt'}
                      examples: {recorded: {$ref: '#/components/examples/getAppReceipt.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '422': {$ref: '#/components/responses/Invalid'}
            post:
              operationId: refreshAppReceipt
              tags: [Customers]
              summary: Refresh a customer's app receipt
              description: |
                Restores what the customer bought, as StoreKit does when an app refreshes its receipt. In the app receipt each
                purchase, and each period of a subscription, has a new transaction ID; the original transaction, the
                `webOrderLineItemId` and the dates are those of the purchase. Consumables are left out. Each request is another
                refresh. `verifyReceipt`, the App Store Server API and `…/refund` know the new IDs as those of restored copies;
                later app receipts name the purchases as before.
              parameters:
                - {$ref: '#/components/parameters/CustomerPath'}
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - {$ref: '#/components/parameters/EnvironmentQuery'}
                - {$ref: '#/components/parameters/DeviceQuery'}
              responses:
                '200':
                  description: The refreshed app receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/AppReceipt'}
                      examples: {recorded: {$ref: '#/components/examples/refreshAppReceipt.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/customers/{customer}/transactions:
            get:
              operationId: listTransactions
              tags: [Customers]
              summary: Get a customer's transactions
              description: |
                The newest copy of each transaction, newly signed, the unfinished ones first.
              parameters:
                - {$ref: '#/components/parameters/CustomerPath'}
                - {$ref: '#/components/parameters/BundleIDQuery'}
                - {$ref: '#/components/parameters/EnvironmentQuery'}
                - {$ref: '#/components/parameters/DeviceQuery'}
              responses:
                '200':
                  description: The transactions.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedTransactions'}
                      examples: {recorded: {$ref: '#/components/examples/listTransactions.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/transactions/{id}/finish:
            post:
              operationId: finishPurchase
              tags: [Customers]
              summary: Finish a transaction
              description: |
                Finishes it as the app does on the device. A finished consumable is no longer in the app receipt and the list of
                transactions.
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The transaction.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/SignedAnswer'}}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          /simulator/v1/transactions/{id}/restore:
            post:
              operationId: restoreTransaction
              tags: [Customers]
              summary: Restore a purchase
              description: |
                Creates a copy with its own ID and purchase date and the same original transaction, as StoreKit does on another
                device of the customer.
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content: {application/json: {schema: {$ref: '#/components/schemas/CopyRequest'}}}
              responses:
                '201':
                  description: The copy, in every form of receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Purchase'}}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '409':
                  description: The current state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_restorable: A consumable is never restored.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/transactions/{id}/share:
            post:
              operationId: shareTransaction
              tags: [Customers]
              summary: Share a purchase with a family member
              description: |
                Creates a copy with its own IDs and the ownership type `FAMILY_SHARED`. The copy renews and ends with the
                purchaser's transaction; a refund to the purchaser revokes it. `…/revoke` of the copy ends the sharing. At most
                5 members.
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: '#/components/schemas/ShareRequest'}}}
              responses:
                '201':
                  description: The copy, in every form of receipt.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Purchase'}}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '409':
                  description: The current state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_shareable: It is not the purchaser's own non-consumable or subscription, or the family is complete.
                  content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          # Subscriptions

          /simulator/v1/subscriptions/{id}/renew:
            post:
              operationId: renewSubscription
              tags: [Subscriptions]
              summary: Start the next period
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content: {application/json: {schema: {$ref: '#/components/schemas/Renewal'}}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/renewSubscription.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/grace:
            post:
              operationId: enterGracePeriod
              tags: [Subscriptions]
              summary: Fail to renew, with a grace period
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content: {application/json: {schema: {$ref: '#/components/schemas/GracePeriod'}}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/enterGracePeriod.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/billing-retry:
            post:
              operationId: enterBillingRetry
              tags: [Subscriptions]
              summary: Fail to renew, without a grace period
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content: {application/json: {schema: {$ref: '#/components/schemas/BillingRetry'}}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/enterBillingRetry.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/grace-period-expired:
            post:
              operationId: endGracePeriod
              tags: [Subscriptions]
              summary: End the grace period
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/endGracePeriod.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          /simulator/v1/subscriptions/{id}/revoke:
            post:
              operationId: revokeSubscription
              tags: [Subscriptions]
              summary: Revoke the subscription
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/revokeSubscription.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          /simulator/v1/subscriptions/{id}/cancel:
            post:
              operationId: cancelSubscription
              tags: [Subscriptions]
              summary: Turn automatic renewal off
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/cancelSubscription.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          /simulator/v1/subscriptions/{id}/reenable:
            post:
              operationId: reenableSubscription
              tags: [Subscriptions]
              summary: Turn automatic renewal on
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/reenableSubscription.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          /simulator/v1/subscriptions/{id}/expire:
            post:
              operationId: expireSubscription
              tags: [Subscriptions]
              summary: Let the subscription expire
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Expiry'}
                    examples: {recorded: {$ref: '#/components/examples/expireSubscription.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/expireSubscription.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/upgrade:
            post:
              operationId: upgradeSubscription
              tags: [Subscriptions]
              summary: Upgrade now
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ProductChange'}
                    examples: {recorded: {$ref: '#/components/examples/upgradeSubscription.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/upgradeSubscription.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/downgrade:
            post:
              operationId: downgradeSubscription
              tags: [Subscriptions]
              summary: Downgrade at the next renewal
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ProductChange'}
                    examples: {recorded: {$ref: '#/components/examples/downgradeSubscription.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/downgradeSubscription.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/crossgrade:
            post:
              operationId: crossgradeSubscription
              tags: [Subscriptions]
              summary: Change to another product of the same level
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ProductChange'}
                    examples: {recorded: {$ref: '#/components/examples/crossgradeSubscription.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/crossgradeSubscription.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/resubscribe:
            post:
              operationId: resubscribe
              tags: [Subscriptions]
              summary: Subscribe again after the end
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Resubscription'}
                    examples: {recorded: {$ref: '#/components/examples/resubscribe.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/resubscribe.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/price-increase:
            post:
              operationId: increasePrice
              tags: [Subscriptions]
              summary: Increase the price
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/PriceIncrease'}
                    examples: {recorded: {$ref: '#/components/examples/increasePrice.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/increasePrice.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/extend:
            post:
              operationId: extendSubscription
              tags: [Subscriptions]
              summary: Extend the renewal date
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/RenewalExtension'}
                    examples: {recorded: {$ref: '#/components/examples/extendSubscription.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/extendSubscription.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/redeem-offer:
            post:
              operationId: redeemOffer
              tags: [Subscriptions]
              summary: Redeem an offer
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Redemption'}
                    examples: {recorded: {$ref: '#/components/examples/redeemOffer.request'}}
              responses:
                '200':
                  description: The newest transaction of the subscription.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/redeemOffer.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/subscriptions/{id}/plan:
            post:
              operationId: planActs
              tags: [Subscriptions]
              summary: Plan acts
              description: |
                Each act happens by itself at its time by the simulator's clock, before a renewal at the same time. A
                subscription can have at most 1,000 planned acts at a time.
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: '#/components/schemas/Plan'}}}
              responses:
                '202':
                  description: The acts were planned.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Planned'}}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          # Refunds

          /simulator/v1/transactions/{id}/refund:
            post:
              operationId: refund
              tags: [Refunds]
              summary: Refund a purchase
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Refund'}
                    examples: {recorded: {$ref: '#/components/examples/refund.request'}}
              responses:
                '200':
                  description: The refunded transaction.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/refund.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/transactions/{id}/refund-reversed:
            post:
              operationId: reverseRefund
              tags: [Refunds]
              summary: Reverse a refund
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The transaction.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/reverseRefund.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '409':
                  description: The current state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_refunded: There is no refund to reverse.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/reverseRefund.409'}}

          /simulator/v1/transactions/{id}/refund-declined:
            post:
              operationId: declineRefund
              tags: [Refunds]
              summary: Decline a refund
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The transaction.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/declineRefund.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          /simulator/v1/transactions/{id}/revoke:
            post:
              operationId: revokeTransaction
              tags: [Refunds]
              summary: End Family Sharing of a purchase
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The transaction.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/revokeTransaction.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '409':
                  description: The current state does not allow this.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  x-codes:
                    not_family_shared: The purchase was not shared by the family; refund it instead.
                  content:
                    application/problem+json:
                      schema: {$ref: '#/components/schemas/Problem'}
                      examples: {recorded: {$ref: '#/components/examples/revokeTransaction.409'}}

          /simulator/v1/transactions/{id}/consumption-request:
            post:
              operationId: requestConsumption
              tags: [Refunds]
              summary: Ask the server for consumption information
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: false
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ConsumptionQuestion'}
                    examples: {recorded: {$ref: '#/components/examples/requestConsumption.request'}}
              responses:
                '200':
                  description: The transaction.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/SignedAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/requestConsumption.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/transactions/{id}/consumption:
            get:
              operationId: getConsumption
              tags: [Refunds]
              summary: Get the consumption information that the server sent
              parameters:
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: The consumption information, exactly as the server sent it.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getConsumption.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}

          # Trouble

          /simulator/v1/clock:
            get:
              operationId: getClock
              tags: [Trouble]
              summary: Get the time
              responses:
                '200':
                  description: The time of the simulated App Store.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Clock'}
                      examples: {recorded: {$ref: '#/components/examples/getClock.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
            post:
              operationId: setClock
              tags: [Trouble]
              summary: Change the time
              description: |
                Changes the time for the simulated App Store and for the server that runs it. Exactly one of the two members is
                required.
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/ClockChange'}
                    examples: {recorded: {$ref: '#/components/examples/setClock.request'}}
              responses:
                '200':
                  description: The new time.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Clock'}
                      examples: {recorded: {$ref: '#/components/examples/setClock.200'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}
            delete:
              operationId: resetClock
              tags: [Trouble]
              summary: Go back to the real time
              responses:
                '200':
                  description: The new time.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Clock'}
                      examples: {recorded: {$ref: '#/components/examples/resetClock.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}

          /simulator/v1/faults:
            post:
              operationId: setFault
              tags: [Trouble]
              summary: Make Apple's interfaces fail
              description: |
                Replaces the fault for the same path. At most 64 paths.
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Fault'}
                    examples: {recorded: {$ref: '#/components/examples/setFault.request'}}
              responses:
                '204':
                  description: The fault is in force.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}
            delete:
              operationId: clearFaults
              tags: [Trouble]
              summary: Remove all faults
              responses:
                '204':
                  description: The faults were removed.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '403': {$ref: '#/components/responses/Forbidden'}

          /simulator/v1/notification-url:
            put:
              operationId: setNotificationURL
              tags: [Trouble]
              summary: Set the URL for notifications
              description: |
                Sets it for one app, one environment, or all.
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/NotificationAddress'}
                    examples: {recorded: {$ref: '#/components/examples/setNotificationURL.request'}}
              responses:
                '204':
                  description: The URL was set.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}
            get:
              operationId: getNotificationURL
              tags: [Trouble]
              summary: Get the URL for notifications
              parameters:
                - {$ref: '#/components/parameters/AppQuery'}
                - {$ref: '#/components/parameters/OptionalEnvironmentQuery'}
              responses:
                '200':
                  description: The URL and the version, without the password.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/NotificationAddress'}
                      examples: {recorded: {$ref: '#/components/examples/getNotificationURL.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NotFound'}
                '422': {$ref: '#/components/responses/Invalid'}
            delete:
              operationId: clearNotificationURL
              tags: [Trouble]
              summary: Remove the URL for notifications
              parameters:
                - {$ref: '#/components/parameters/AppQuery'}
                - {$ref: '#/components/parameters/OptionalEnvironmentQuery'}
              responses:
                '204':
                  description: The URL was removed.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/notification-faults:
            post:
              operationId: setNotificationFault
              tags: [Trouble]
              summary: Lose, repeat, delay or reorder notifications
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/NotificationFault'}
                    examples: {recorded: {$ref: '#/components/examples/setNotificationFault.request'}}
              responses:
                '204':
                  description: The fault is in force.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/NotJSON'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '413': {$ref: '#/components/responses/TooLarge'}
                '422': {$ref: '#/components/responses/Invalid'}
            delete:
              operationId: clearNotificationFaults
              tags: [Trouble]
              summary: Send notifications as usual again
              responses:
                '204':
                  description: The fault was removed.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '403': {$ref: '#/components/responses/Forbidden'}

          # Keys

          /simulator/v1/api-key:
            get:
              operationId: getAPIKey
              tags: [Keys]
              summary: Get the key for the App Store Server API
              description: |
                The key is created at the first request for the app.
              parameters:
                - {$ref: '#/components/parameters/BundleIDQuery'}
              responses:
                '200':
                  description: The key.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/APIKey'}
                      examples: {recorded: {$ref: '#/components/examples/getAPIKey.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '422': {$ref: '#/components/responses/Invalid'}

          /simulator/v1/root.cer:
            get:
              operationId: getRootCertificate
              tags: [Keys]
              summary: Get the root certificate of signed data
              description: |
                An ECDSA certificate, in DER.
              responses:
                '200':
                  description: The certificate.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/pkix-cert: {schema: {$ref: '#/components/schemas/Bytes'}}}
                '403': {$ref: '#/components/responses/Forbidden'}

          /simulator/v1/receipt-root.cer:
            get:
              operationId: getReceiptRootCertificate
              tags: [Keys]
              summary: Get the root certificate of app receipts
              description: |
                An RSA certificate, in DER.
              responses:
                '200':
                  description: The certificate.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content: {application/pkix-cert: {schema: {$ref: '#/components/schemas/Bytes'}}}
                '403': {$ref: '#/components/responses/Forbidden'}

          # Apple

          /{store}/verifyReceipt:
            post:
              operationId: verifyReceipt
              tags: [Apple]
              summary: Verify a receipt
              description: |
                Answers 200 with a `status`, as Apple does; for methods other than POST, it is 21000.
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
              requestBody:
                required: false
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Anything'}
                    examples: {recorded: {$ref: '#/components/examples/verifyReceipt.request'}}
              responses:
                '200':
                  description: The answer, whose `status` has the result.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/VerifyReceiptAnswer'}
                      examples: {recorded: {$ref: '#/components/examples/verifyReceipt.200'}}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NoStore'}
                '413': {$ref: '#/components/responses/TooLarge'}

          /{store}/inApps/v1/transactions/{id}:
            get:
              operationId: getTransactionInfo
              tags: [Apple]
              summary: Get Transaction Info
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getTransactionInfo.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/transactions/appTransactions/{id}:
            get:
              operationId: getAppTransactionInfo
              tags: [Apple]
              summary: Get App Transaction Info
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getAppTransactionInfo.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/transactions/{id}/appAccountToken:
            put:
              operationId: setAppAccountToken
              tags: [Apple]
              summary: Set App Account Token
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Anything'}
                    examples: {recorded: {$ref: '#/components/examples/setAppAccountToken.request'}}
              responses:
                '200':
                  description: As described by Apple. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}
                '413': {$ref: '#/components/responses/TooLarge'}

          /{store}/inApps/v1/transactions/{id}/finish:
            post:
              operationId: finishTransaction
              tags: [Apple]
              summary: Finish a transaction
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple. No body.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/transactions/consumption/{id}:
            put:
              operationId: sendConsumptionV1
              tags: [Apple]
              summary: Send Consumption Information V1
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Anything'}
                    examples: {recorded: {$ref: '#/components/examples/sendConsumptionV1.request'}}
              responses:
                '202':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}
                '413': {$ref: '#/components/responses/TooLarge'}

          /{store}/inApps/v2/transactions/consumption/{id}:
            put:
              operationId: sendConsumption
              tags: [Apple]
              summary: Send Consumption Information
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Anything'}
                    examples: {recorded: {$ref: '#/components/examples/sendConsumption.request'}}
              responses:
                '202':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}
                '413': {$ref: '#/components/responses/TooLarge'}

          /{store}/inApps/v1/history/{id}:
            get:
              operationId: getHistoryV1
              tags: [Apple]
              summary: Get Transaction History V1
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getHistoryV1.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v2/history/{id}:
            get:
              operationId: getHistory
              tags: [Apple]
              summary: Get Transaction History
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getHistory.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/subscriptions/{id}:
            get:
              operationId: getSubscriptionStatuses
              tags: [Apple]
              summary: Get All Subscription Statuses
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getSubscriptionStatuses.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/subscriptions/extend/{id}:
            put:
              operationId: extendRenewalDate
              tags: [Apple]
              summary: Extend a Subscription Renewal Date
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Anything'}
                    examples: {recorded: {$ref: '#/components/examples/extendRenewalDate.request'}}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/extendRenewalDate.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/ServerAPIForbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}
                '413': {$ref: '#/components/responses/TooLarge'}

          /{store}/inApps/v1/refund/lookup/{id}:
            get:
              operationId: getRefundHistoryV1
              tags: [Apple]
              summary: Get Refund History V1
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getRefundHistoryV1.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v2/refund/lookup/{id}:
            get:
              operationId: getRefundHistory
              tags: [Apple]
              summary: Get Refund History
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getRefundHistory.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/lookup/{id}:
            get:
              operationId: lookUpOrder
              tags: [Apple]
              summary: Look Up Order ID
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/lookUpOrder.200'}}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/NoOrders'}

          /{store}/inApps/v1/notifications/history:
            post:
              operationId: getNotificationHistory
              tags: [Apple]
              summary: Get Notification History
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Anything'}
                    examples: {recorded: {$ref: '#/components/examples/getNotificationHistory.request'}}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getNotificationHistory.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}
                '413': {$ref: '#/components/responses/TooLarge'}

          /{store}/inApps/v1/notifications/test:
            post:
              operationId: requestTestNotification
              tags: [Apple]
              summary: Request a Test Notification
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/requestTestNotification.200'}}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

          /{store}/inApps/v1/notifications/test/{id}:
            get:
              operationId: getTestNotificationStatus
              tags: [Apple]
              summary: Get Test Notification Status
              parameters:
                - {$ref: '#/components/parameters/StorePath'}
                - {$ref: '#/components/parameters/IDPath'}
              responses:
                '200':
                  description: As described by Apple.
                  headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Anything'}
                      examples: {recorded: {$ref: '#/components/examples/getTestNotificationStatus.200'}}
                '400': {$ref: '#/components/responses/ServerAPIError'}
                '401': {$ref: '#/components/responses/NoToken'}
                '403': {$ref: '#/components/responses/Forbidden'}
                '404': {$ref: '#/components/responses/ServerAPIError'}

        components:
          parameters:
            CustomerPath:
              name: customer
              in: path
              required: true
              description: The `customer` of the purchases, or their `appAccountToken`.
              schema: {type: string}
            IDPath:
              name: id
              in: path
              required: true
              description: The ID of the transaction; for a subscription, of any of its transactions.
              schema: {type: string}
            PurchasePath:
              name: id
              in: path
              required: true
              description: The `purchase` of the answer that said that the purchase is pending.
              schema: {type: string}
            StorePath:
              name: store
              in: path
              required: true
              schema: {type: string, enum: [production, sandbox]}
            BundleIDQuery:
              name: bundleID
              in: query
              required: true
              schema: {$ref: '#/components/schemas/Name'}
            AppQuery:
              name: bundleID
              in: query
              description: The app. The default is all apps.
              schema: {$ref: '#/components/schemas/Name'}
            EnvironmentQuery:
              name: environment
              in: query
              schema: {$ref: '#/components/schemas/Environment'}
            OptionalEnvironmentQuery:
              name: environment
              in: query
              description: The environment. The default is all environments.
              schema: {type: string, enum: [Production, Sandbox]}
            DeviceQuery:
              name: device
              in: query
              description: The device for which the receipt or the transactions are signed.
              schema: {type: string, format: uuid}

          headers:
            X-Request-Id:
              description: The ID of the request.
              required: true
              schema: {type: string}

          responses:
            NotJSON:
              description: The body is not JSON.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_request: The body is not JSON.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            Forbidden:
              description: The request comes from a web page of another origin, or its `Host` is not accepted.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                foreign_host: '`Host` names neither this machine nor a host that `simulatorHost` names.'
                foreign_origin: '`Origin` is that of another site.'
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            NotFound:
              description: There is no such resource.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                not_found: There is no such transaction, subscription, URL or answer.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            TooLarge:
              description: The body is too large.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                too_large: Over 64 KiB; of `verifyReceipt` over 3 MiB.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            Invalid:
              description: The request is wrong.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                invalid_request: A member or parameter is missing or wrong; `detail` says which.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            NoToken:
              description: No valid token of the app's key. No body.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
            ServerAPIError:
              description: As described by Apple; a problem document if the environment in the path does not exist.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              content:
                application/json: {schema: {$ref: '#/components/schemas/ServerAPIError'}}
                application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}
            ServerAPIForbidden:
              description: >-
                As described by Apple; a problem document if the request comes from a web page of another origin, or its `Host`
                is not accepted.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              content:
                application/json: {schema: {$ref: '#/components/schemas/ServerAPIError'}}
                application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}
            NoOrders:
              description: The environment in the path does not exist, or is `sandbox`, which has no orders.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                not_found: There is no such URL, and no order in the sandbox.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
            NoStore:
              description: The environment in the path is neither `production` nor `sandbox`.
              headers: {X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}}
              x-codes:
                not_found: There is no such URL.
              content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}

          schemas:
            Name: {type: string, minLength: 1, maxLength: 255}
            Environment: {type: string, enum: [Production, Sandbox], default: Production}
            Anything: {description: Described by Apple., type: object, additionalProperties: true}
            Bytes: {type: string, format: binary}
            Problem:
              description: A problem document (RFC 9457).
              type: object
              required: [type, title, status, detail, code]
              properties:
                type: {type: string}
                title: {type: string}
                status: {type: integer}
                detail: {type: string}
                code: {type: string}
            ServerAPIError:
              type: object
              required: [errorCode, errorMessage]
              properties:
                errorCode: {type: integer}
                errorMessage: {type: string}
            VerifyReceiptAnswer:
              type: object
              required: [status]
              properties:
                status: {type: integer}
              additionalProperties: true
            Country: {description: 'A country, ISO 3166-1 alpha-3.', type: string, pattern: '^[A-Z]{3}$'}
            Currency: {description: ISO 4217., type: string, pattern: '^[A-Z]{3}$'}
            Price: {description: 'In milliunits: 4.99 is 4990.', type: integer, minimum: 0, maximum: 1000000000000}
            Offer:
              type: object
              required: [type]
              properties:
                type: {description: '1 introductory, 2 promotional, 3 offer code, 4 win-back.', type: integer, minimum: 1, maximum: 4}
                id: {type: [string, 'null'], minLength: 1, maxLength: 255}
                discountType: {type: [string, 'null'], enum: [FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME, null]}
                period: {description: 'The length of a period under the offer, as an ISO 8601 duration.', type: [string, 'null']}
                periods: {description: 'The number of periods, for `PAY_AS_YOU_GO`.', type: [integer, 'null'], minimum: 1, maximum: 100}
                price: {description: 'The price of a period under the offer, in milliunits; a free trial costs nothing.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000}
            SignedOffer:
              type: object
              required: [type]
              properties:
                type: {description: '1 introductory, 2 promotional, 3 offer code, 4 win-back.', type: integer, minimum: 1, maximum: 4}
                id: {type: [string, 'null'], minLength: 1, maxLength: 255}
                signature: {$ref: '#/components/schemas/OfferSignature'}
                discountType: {type: [string, 'null'], enum: [FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME, null]}
                period: {description: 'The length of a period under the offer, as an ISO 8601 duration.', type: [string, 'null']}
                periods: {description: 'The number of periods, for `PAY_AS_YOU_GO`.', type: [integer, 'null'], minimum: 1, maximum: 100}
                price: {description: 'The price of a period under the offer, in milliunits; a free trial costs nothing.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000}
            LocalPrice:
              type: object
              required: [price, currency]
              properties:
                price: {$ref: '#/components/schemas/Price'}
                currency: {$ref: '#/components/schemas/Currency'}
            StoreProduct:
              type: object
              required: [id, type]
              properties:
                id: {$ref: '#/components/schemas/Name'}
                type: {type: string, enum: [consumable, non-consumable, non-renewing, auto-renewable]}
                displayName: {type: [string, 'null']}
                description: {type: [string, 'null']}
                price: {description: 'The price in the storefront USA, in milliunits.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000, default: 990}
                currency: {type: [string, 'null'], pattern: '^[A-Z]{3}$', default: USD}
                storefronts: {description: 'Prices of other storefronts, by country.', type: [object, 'null'], additionalProperties: {$ref: '#/components/schemas/LocalPrice'}}
                isFamilyShareable: {type: [boolean, 'null'], default: false}
                period: {description: 'For auto-renewable subscriptions: the period, as an ISO 8601 duration.', type: [string, 'null']}
                group: {description: The subscription group., type: [string, 'null'], minLength: 1, maxLength: 255}
                level: {description: The rank within the group; 1 is the highest., type: [integer, 'null']}
                offers: {type: [array, 'null'], items: {$ref: '#/components/schemas/Offer'}}
            ProductInformation:
              type: object
              required: [bundleID, products]
              properties:
                bundleID: {$ref: '#/components/schemas/Name'}
                products: {type: array, items: {$ref: '#/components/schemas/StoreProduct'}}
            Products:
              type: object
              required: [products]
              properties:
                products:
                  type: array
                  items:
                    type: object
                    required: [id, type, displayName, description, price, currency, displayPrice, isFamilyShareable]
                    properties:
                      id: {$ref: '#/components/schemas/Name'}
                      type: {type: string, enum: [consumable, non-consumable, non-renewing, auto-renewable]}
                      displayName: {type: string}
                      description: {type: string}
                      price: {$ref: '#/components/schemas/Price'}
                      currency: {$ref: '#/components/schemas/Currency'}
                      displayPrice: {description: 'The price for people to read, for example `$4.99`.', type: string}
                      isFamilyShareable: {type: boolean}
                      period: {type: string}
                      group: {type: string}
                      level: {type: integer}
                      offers: {type: array, items: {$ref: '#/components/schemas/Offer'}}
            PendingPurchase:
              type: object
              required: [purchase]
              properties:
                purchase: {description: The ID for approving or declining it., type: string}
            CopyRequest:
              type: object
              properties:
                customer: {description: The customer who gets the copy. The default is the purchaser., type: [string, 'null'], minLength: 1, maxLength: 255}
                device: {description: The device for which the receipts are signed., type: [string, 'null'], format: uuid}
            ShareRequest:
              type: object
              required: [customer]
              properties:
                customer: {description: The family member., type: string, minLength: 1, maxLength: 255}
                device: {description: The device for which the receipts are signed., type: [string, 'null'], format: uuid}
            GracePeriod:
              type: object
              properties:
                days: {description: 'The billing grace period; at most 6 days if the periods are a week or shorter.', type: [integer, 'null'], enum: [3, 16, 28, null], default: 16}
                recoversAfter: {description: 'After which time the customer can be charged again, as an ISO 8601 duration. The default is never.', type: [string, 'null']}
            BillingRetry:
              type: object
              properties:
                recoversAfter: {description: 'After which time the customer can be charged again, as an ISO 8601 duration. The default is never.', type: [string, 'null']}
            Plan:
              type: object
              required: [acts]
              properties:
                acts:
                  type: array
                  items:
                    description: Either `at` or `after` is required.
                    type: object
                    required: [act]
                    properties:
                      act: {description: 'The last part of the path of a route for subscriptions, or `refund`, which refunds the newest transaction.', type: string}
                      at: {description: A time in the future (RFC 3339)., type: [string, 'null'], format: date-time}
                      after: {description: 'The time from now, as an ISO 8601 duration.', type: [string, 'null']}
                      body: {description: The request body of the act's route., type: [object, 'null'], additionalProperties: true}
            Planned:
              type: object
              required: [planned]
              properties:
                planned: {description: How many acts are planned for the subscription., type: integer}
            PurchaseRequest:
              type: object
              required: [bundleID, productID]
              properties:
                bundleID: {$ref: '#/components/schemas/Name'}
                productID: {$ref: '#/components/schemas/Name'}
                type: {description: Required unless there is product information., type: [string, 'null'], enum: [consumable, non-consumable, non-renewing, auto-renewable, null]}
                quantity: {type: [integer, 'null'], minimum: 1, maximum: 10, default: 1}
                appAccountToken: {description: The account's ID., type: [string, 'null'], format: uuid}
                environment: {type: [string, 'null'], enum: [Production, Sandbox, null], default: Production}
                purchaseDate: {description: RFC 3339. The default is now., type: [string, 'null'], format: date-time}
                customer: {description: The customer whose app receipt contains the purchase. The default is the `appAccountToken`., type: [string, 'null'], minLength: 1, maxLength: 255}
                ownershipType: {type: [string, 'null'], enum: [PURCHASED, FAMILY_SHARED, ASSIGNED, null], default: PURCHASED}
                period: {description: 'For auto-renewable subscriptions: the period, as an ISO 8601 duration.', type: [string, 'null'], default: P1M}
                device: {description: The device for which the receipts are signed., type: [string, 'null'], format: uuid}
                price: {description: 'The price of one unit, or of a period without the offer, in milliunits.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000, default: 990}
                currency: {description: ISO 4217. The default is the storefront's currency., type: [string, 'null'], pattern: '^[A-Z]{3}$'}
                storefront: {description: 'The country, ISO 3166-1 alpha-3.', type: [string, 'null'], pattern: '^[A-Z]{3}$', default: USA}
                renews: {description: Whether a subscription renews and ends by itself., type: [boolean, 'null'], default: true}
                accelerated: {description: 'Whether the periods of a subscription are as short as in Apple''s sandbox.', type: [boolean, 'null'], default: false}
                outcome: {description: '`pending`: somebody else must approve the purchase.', type: [string, 'null'], enum: [bought, pending, declined, cancelled, null], default: bought}
                offer: {description: 'The offer, instead of the five members below.', oneOf: [{$ref: '#/components/schemas/SignedOffer'}, {type: 'null'}]}
                offerType: {description: '1 introductory, 2 promotional, 3 offer code, 4 win-back.', type: integer, minimum: 1, maximum: 4}
                offerIdentifier: {type: [string, 'null'], minLength: 1, maxLength: 255}
                offerDiscountType: {type: [string, 'null'], enum: [FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT, ONE_TIME, null]}
                offerPeriod: {description: 'The length of a period under the offer, as an ISO 8601 duration.', type: [string, 'null']}
                offerSignature: {$ref: '#/components/schemas/OfferSignature'}
            OfferSignature:
              description: |
                The JWS that the app's server signed for a promotional offer, or for eligibility for an introductory one. Without
                it the offer is sold to everybody.
              type: [string, 'null']
            SignedAnswer:
              type: object
              required: [transactionID, originalTransactionID, signedTransaction]
              properties:
                transactionID: {type: string}
                originalTransactionID: {type: string}
                signedTransaction: {description: A JWS., type: string}
                signedRenewalInfo: {description: A JWS. Only for auto-renewable subscriptions., type: string}
            Purchase:
              type: object
              required: [transactionID, originalTransactionID, signedTransaction, appReceipt, transactionReceipt]
              properties:
                transactionID: {type: string}
                originalTransactionID: {type: string}
                signedTransaction: {description: A JWS., type: string}
                signedRenewalInfo: {description: A JWS. Only for auto-renewable subscriptions., type: string}
                appReceipt: {description: 'PKCS#7 in base64, with all purchases of the customer.', type: string}
                transactionReceipt: {description: 'A transaction receipt of iOS 6, in base64.', type: string}
                orderID: {description: The order ID in the customer's e-mail receipt., type: string}
            AppReceipt:
              type: object
              required: [appReceipt]
              properties:
                appReceipt: {type: string}
            SignedTransactions:
              type: object
              required: [transactions, unfinished]
              properties:
                transactions: {type: array, items: {type: string}}
                unfinished: {description: How many transactions at the beginning of the list are unfinished., type: integer, minimum: 0}
            Expiry:
              type: object
              properties:
                reason: {type: [string, 'null'], enum: [voluntary, billing-retry, price-increase, product-not-for-sale, other, null], default: voluntary}
            ProductChange:
              type: object
              required: [productID]
              properties:
                productID: {$ref: '#/components/schemas/Name'}
                appAccountToken: {description: 'The account that pays; by default that of the period before.', type: [string, 'null'], format: uuid}
                period: {description: An ISO 8601 duration., type: [string, 'null']}
                price: {description: 'The price of a period, in milliunits.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000}
                offer: {oneOf: [{$ref: '#/components/schemas/Offer'}, {type: 'null'}]}
            Renewal:
              type: object
              properties:
                early: {description: Whether the next period begins when the current one ends. By default it begins now., type: [boolean, 'null'], default: false}
            Resubscription:
              type: object
              properties:
                appAccountToken: {description: 'The account that pays; by default that of the period before.', type: [string, 'null'], format: uuid}
                productID: {description: Another product of the group., type: [string, 'null'], minLength: 1, maxLength: 255}
                price: {description: 'The price of a period without the offer, in milliunits.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000}
                offer: {description: A win-back offer has type 4., oneOf: [{$ref: '#/components/schemas/Offer'}, {type: 'null'}]}
                offerType: {type: [integer, 'null'], minimum: 1, maximum: 4}
            PriceIncrease:
              type: object
              properties:
                consent: {type: [string, 'null'], enum: [pending, accepted, refused, null], default: pending}
                price: {description: 'The price from the next renewal on, in milliunits.', type: [integer, 'null'], minimum: 0, maximum: 1000000000000}
            RenewalExtension:
              type: object
              required: [days]
              properties:
                days: {type: integer, minimum: 1, maximum: 90}
            Redemption:
              description: Either `offer` or `offerType` is required.
              type: object
              properties:
                offer: {oneOf: [{$ref: '#/components/schemas/Offer'}, {type: 'null'}]}
                offerType: {type: integer, minimum: 1, maximum: 4}
                offerIdentifier: {type: [string, 'null'], minLength: 1, maxLength: 255}
                productID: {description: Another product of the group., type: [string, 'null'], minLength: 1, maxLength: 255}
                change: {description: '`downgrade` for a downgrade; otherwise it is an upgrade.', type: [string, 'null']}
            Refund:
              type: object
              properties:
                percentage: {description: 'The refunded share of the price, in thousandths of a percent. The default is all of it.', type: [integer, 'null'], minimum: 0, maximum: 100000}
                reason: {description: '1: an issue with the app.', type: [integer, 'null'], minimum: 0, maximum: 1, default: 0}
            ConsumptionQuestion:
              type: object
              properties:
                reason: {type: [string, 'null'], enum: [UNINTENDED_PURCHASE, FULFILLMENT_ISSUE, UNSATISFIED_WITH_PURCHASE, LEGAL, OTHER, null], default: OTHER}
            Clock:
              type: object
              required: [now, offsetSeconds]
              properties:
                now: {type: string, format: date-time}
                offsetSeconds: {type: number}
            ClockChange:
              type: object
              properties:
                offsetSeconds: {description: The offset from the real time., type: [number, 'null']}
                advanceSeconds: {description: By how much to move the current time., type: [number, 'null']}
            Fault:
              description: >-
                At least one of `status`, `http`, `errorCode`, `delaySeconds`, `drop`, `garbage` and `retryAfterSeconds` is
                required.
              type: object
              properties:
                status: {description: The `status` in the answer of `verifyReceipt`., type: [integer, 'null'], minimum: 0, maximum: 99999}
                http: {description: The HTTP status., type: [integer, 'null'], minimum: 200, maximum: 599}
                errorCode: {description: The error code of the App Store Server API. Determines the HTTP status if `http` is left out., type: [integer, 'null'], minimum: 4000000, maximum: 5999999}
                delaySeconds: {description: The delay before anything else happens., type: [number, 'null'], minimum: 0, maximum: 600}
                drop: {description: Closes the connection without an answer., type: [boolean, 'null']}
                garbage: {description: Answers 200 with bytes that are not JSON., type: [boolean, 'null']}
                retryAfterSeconds: {description: How far from now the time in `Retry-After` is. The HTTP status is 429 unless `http` or `errorCode` gives another., type: [number, 'null'], minimum: 0, maximum: 86400}
                count: {description: The number of calls to which the fault applies. The default is all., type: [integer, 'null'], minimum: 1, maximum: 1000000}
                path: {description: 'The beginning of the path of the calls to which the fault applies, with or without the environment. The default is all calls.', type: [string, 'null'], minLength: 1, maxLength: 255}
            NotificationAddress:
              type: object
              required: [url]
              properties:
                url: {type: string, format: uri, maxLength: 2048}
                version: {description: The version of the notifications., type: [integer, 'null'], minimum: 1, maximum: 2, default: 2}
                password: {description: 'The shared secret, which notifications of version 1 contain.', type: [string, 'null']}
                bundleID: {description: The app. The default is all apps., type: [string, 'null']}
                environment: {description: The environment. The default is all environments., type: [string, 'null'], enum: [Production, Sandbox, null]}
            NotificationFault:
              description: At least one of the members is required.
              type: object
              properties:
                duplicate: {description: The number of notifications that are sent twice., type: [integer, 'null'], minimum: 1, maximum: 1000000}
                late: {description: The number of seconds between the signing of a notification and the first attempt to send it., type: [number, 'null'], minimum: 0, maximum: 1000000}
                reorder: {description: Whether the second of every two notifications is sent first., type: [boolean, 'null']}
                drop: {description: The number of attempts that are lost., type: [integer, 'null'], minimum: 1, maximum: 1000000}
            APIKey:
              type: object
              required: [issuerID, keyID, privateKey]
              properties:
                issuerID: {type: string, format: uuid}
                keyID: {type: string}
                privateKey: {description: 'The private key, in PEM.', type: string}

          # Recorded examples
          examples:
            cancelSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            crossgradeSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            crossgradeSubscription.request:
              value:
                {"period": "P1Y", "productID": "other"}
            declineRefund.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            downgradeSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            downgradeSubscription.request:
              value:
                {"period": "P1Y", "productID": "basic"}
            endGracePeriod.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            enterBillingRetry.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            enterGracePeriod.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            expireSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            expireSubscription.request:
              value:
                {"reason": "other"}
            extendRenewalDate.200:
              value:
                {
                  "effectiveDate": 1953927420000,
                  "originalTransactionId": "2000000000000001",
                  "success": true,
                  "webOrderLineItemId": "2000000000000002"
                }
            extendRenewalDate.request:
              value:
                {"extendByDays": 1, "extendReasonCode": 1, "requestIdentifier": "c"}
            extendSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            extendSubscription.request:
              value:
                {"days": 1}
            getAPIKey.200:
              value:
                {
                  "issuerID": "0b0e5c1e-0000-4000-8000-000000000001",
                  "keyID": "…",
                  "privateKey": "-----BEGIN PRIVATE KEY-----…"
                }
            getAppReceipt.200:
              value:
                {"appReceipt": "MII…"}
            getAppTransactionInfo.200:
              value:
                {"signedAppTransactionInfo": "eyJ…"}
            getClock.200:
              value:
                {"now": "2026-11-20T21:37:00Z", "offsetSeconds": 0}
            getConsumption.200:
              value:
                {"customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": false}
            getHistory.200:
              value:
                {
                  "appAppleId": 42,
                  "bundleId": "com.example.hangman",
                  "environment": "Production",
                  "hasMore": false,
                  "revision": "1_2000000000000001",
                  "signedTransactions": ["eyJ…", "eyJ…", "eyJ…", "eyJ…", "eyJ…"]
                }
            getHistoryV1.200:
              value:
                {
                  "bundleId": "com.example.hangman",
                  "environment": "Production",
                  "hasMore": false,
                  "revision": "5_2000000000000001",
                  "signedTransactions": ["eyJ…", "eyJ…", "eyJ…"]
                }
            getNotificationHistory.200:
              value:
                {
                  "hasMore": false,
                  "notificationHistory": [
                    {
                      "sendAttempts": [{"attemptDate": 1795210620000, "sendAttemptResult": "SUCCESS"}],
                      "signedPayload": "eyJ…"
                    }
                  ]
                }
            getNotificationHistory.request:
              value:
                {"endDate": 1795297020000, "notificationType": "SUBSCRIBED", "startDate": 1795124220000}
            getNotificationURL.200:
              value:
                {"url": "https://localhost/one", "version": 2}
            getRefundHistory.200:
              value:
                {"hasMore": false, "revision": "42_2000000000000001", "signedTransactions": ["eyJ…"]}
            getRefundHistoryV1.200:
              value:
                {"signedTransactions": ["eyJ…", "eyJ…"]}
            getSubscriptionStatuses.200:
              value:
                {
                  "bundleId": "com.example.hangman",
                  "data": [
                    {
                      "lastTransactions": [
                        {
                          "originalTransactionId": "2000000000000001",
                          "signedRenewalInfo": "eyJ…",
                          "signedTransactionInfo": "eyJ…",
                          "status": 2
                        }
                      ],
                      "subscriptionGroupIdentifier": "2000000000000002"
                    }
                  ],
                  "environment": "Production"
                }
            getTestNotificationStatus.200:
              value:
                {
                  "sendAttempts": [{"attemptDate": 1795210620000, "sendAttemptResult": "SUCCESS"}],
                  "signedPayload": "eyJ…"
                }
            getTransactionInfo.200:
              value:
                {"signedTransactionInfo": "eyJ…"}
            increasePrice.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            increasePrice.request:
              value:
                {"consent": "refused"}
            listTransactions.200:
              value:
                {"transactions": ["eyJ…", "eyJ…", "eyJ…"], "unfinished": 3}
            lookUpOrder.200:
              value:
                {"signedTransactions": ["eyJ…"], "status": 0}
            purchase.201:
              value:
                {
                  "appReceipt": "MII…",
                  "orderID": "MK…",
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001",
                  "transactionReceipt": "ewoJ…"
                }
            purchase.request:
              value:
                {
                  "bundleID": "com.example.hangman",
                  "offerDiscountType": "FREE_TRIAL",
                  "offerPeriod": "P1W",
                  "offerType": 1,
                  "productID": "club",
                  "type": "auto-renewable"
                }
            redeemOffer.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            redeemOffer.request:
              value:
                {"change": "downgrade", "offerType": 3, "productID": "b"}
            reenableSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            refreshAppReceipt.200:
              value:
                {"appReceipt": "MII…"}
            refund.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            refund.request:
              value:
                {"percentage": 50000, "reason": 1}
            renewSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000002"
                }
            requestConsumption.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            requestConsumption.request:
              value:
                {"reason": "LEGAL"}
            requestTestNotification.200:
              value:
                {"testNotificationToken": "0b0e5c1e-0000-4000-8000-000000000001_1795210620000"}
            resetClock.200:
              value:
                {"now": "2026-11-20T21:37:00Z", "offsetSeconds": 0}
            resubscribe.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000002"
                }
            resubscribe.request:
              value:
                {"productID": "gold"}
            reverseRefund.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            reverseRefund.409:
              value:
                {
                  "code": "not_refunded",
                  "detail": "There is no refund to reverse.",
                  "status": 409,
                  "title": "Conflict",
                  "type": "about:blank"
                }
            revokeSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            revokeTransaction.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000001"
                }
            revokeTransaction.409:
              value:
                {
                  "code": "not_family_shared",
                  "detail": "Only what Family Sharing gave is revoked; a purchase is refunded.",
                  "status": 409,
                  "title": "Conflict",
                  "type": "about:blank"
                }
            sendConsumption.request:
              value:
                {"customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": false}
            sendConsumptionV1.request:
              value:
                {"customerConsented": true, "deliveryStatus": 0, "sampleContentProvided": false}
            setAppAccountToken.request:
              value:
                {"appAccountToken": "0b0e5c1e-0000-4000-8000-000000000001"}
            setClock.200:
              value:
                {"now": "2026-11-20T21:38:00Z", "offsetSeconds": 60}
            setClock.request:
              value:
                {"offsetSeconds": 60}
            setFault.request:
              value:
                {"count": 1, "status": 21100}
            setNotificationFault.request:
              value:
                {"drop": 1}
            setNotificationURL.request:
              value:
                {"password": "…", "url": "http://localhost:2/all", "version": 1}
            upgradeSubscription.200:
              value:
                {
                  "originalTransactionID": "2000000000000001",
                  "signedRenewalInfo": "eyJ…",
                  "signedTransaction": "eyJ…",
                  "transactionID": "2000000000000002"
                }
            upgradeSubscription.request:
              value:
                {"productID": "gold"}
            verifyReceipt.200:
              value:
                {
                  "auto_renew_product_id": "club",
                  "auto_renew_status": 0,
                  "expiration_intent": "1",
                  "is_in_billing_retry_period": "0",
                  "latest_expired_receipt_info": {
                    "bid": "com.example.hangman",
                    "bvrs": "1.0",
                    "expires_date": "1795297020000",
                    "expires_date_formatted": "2026-11-21 21:37:00 Etc/GMT",
                    "expires_date_formatted_pst": "2026-11-21 13:37:00 America/Los_Angeles",
                    "is_in_intro_offer_period": "false",
                    "is_trial_period": "false",
                    "original_purchase_date": "2026-11-20 21:37:00 Etc/GMT",
                    "original_purchase_date_ms": "1795210620000",
                    "original_purchase_date_pst": "2026-11-20 13:37:00 America/Los_Angeles",
                    "original_transaction_id": "2000000000000001",
                    "product_id": "club",
                    "purchase_date": "2026-11-21 21:37:00 Etc/GMT",
                    "purchase_date_ms": "1795297020000",
                    "purchase_date_pst": "2026-11-21 13:37:00 America/Los_Angeles",
                    "quantity": "1",
                    "transaction_id": "2000000000000002",
                    "unique_identifier": "d9eb9e66d0bcd4a9e2edb9361a7a7efb",
                    "unique_vendor_identifier": "0b0e5c1e-0000-4000-8000-000000000001",
                    "web_order_line_item_id": "2000000000000003"
                  },
                  "receipt": {
                    "bid": "com.example.hangman",
                    "bvrs": "1.0",
                    "expires_date": "1795297020000",
                    "expires_date_formatted": "2026-11-21 21:37:00 Etc/GMT",
                    "expires_date_formatted_pst": "2026-11-21 13:37:00 America/Los_Angeles",
                    "is_in_intro_offer_period": "false",
                    "is_trial_period": "false",
                    "original_purchase_date": "2026-11-20 21:37:00 Etc/GMT",
                    "original_purchase_date_ms": "1795210620000",
                    "original_purchase_date_pst": "2026-11-20 13:37:00 America/Los_Angeles",
                    "original_transaction_id": "2000000000000001",
                    "product_id": "club",
                    "purchase_date": "2026-11-20 21:37:00 Etc/GMT",
                    "purchase_date_ms": "1795210620000",
                    "purchase_date_pst": "2026-11-20 13:37:00 America/Los_Angeles",
                    "quantity": "1",
                    "transaction_id": "2000000000000001",
                    "unique_identifier": "d9eb9e66d0bcd4a9e2edb9361a7a7efb",
                    "unique_vendor_identifier": "0b0e5c1e-0000-4000-8000-000000000001",
                    "web_order_line_item_id": "2000000000000004"
                  },
                  "status": 21006
                }
            verifyReceipt.request:
              value:
                {"receipt-data": "MII…"}

        """#
}
