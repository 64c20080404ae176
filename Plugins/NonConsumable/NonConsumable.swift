// NonConsumable
