external read : 'record -> int = "%atomic_load"

let[@inline] write r (n : int) = ignore (First_field.exchange r n : int)
