let read r : int = First_field.get r
let write r (n : int) = ignore (First_field.exchange r n : int)
