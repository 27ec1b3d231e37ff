"""Makes the yardsticks: positions with exact values out of seeded games. `ludotheque.arena.yardstick` reads them."""
