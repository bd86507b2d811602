let within ~why:_ f x = f x
