type role = Baseline | Beside | Contender
type missing = { name : string; reason : string; benchmarks : string list }
type t = { name : string; doc : string; role : role; inside : 'a. domains:int -> (unit -> 'a) -> 'a }

let equal a b = String.equal a.name b.name
let is_plain = function Baseline | Beside -> true | Contender -> false
