// Consumable
