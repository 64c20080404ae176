// QuartermasterServer
