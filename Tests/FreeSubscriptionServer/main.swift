import FreeSubscription
import QuartermasterServer

await Server.main(handlers: Server.standardHandlers + [FreeSubscription.self])
