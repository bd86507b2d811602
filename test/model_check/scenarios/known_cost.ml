let none = 0
let of_code = ignore
