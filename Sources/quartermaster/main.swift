import QuartermasterServer

await Server.main()
