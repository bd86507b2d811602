type t = { name : string; doc : string; baseline : bool; inside : 'a. domains:int -> (unit -> 'a) -> 'a }

let equal a b = String.equal a.name b.name
