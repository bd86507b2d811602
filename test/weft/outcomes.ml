module Ints = Set.Make (Int)

type t = { values : Ints.t; failures : Ints.t }

exception Too_many

let none = Ints.empty
let most = 10_000
let returns n = { values = Ints.singleton n; failures = none }
let fails n = { values = none; failures = Ints.singleton n }
let map f t = { t with values = Ints.map f t.values }

let products f a b =
  if Ints.cardinal a * Ints.cardinal b > most then raise Too_many;
  Ints.fold (fun x all -> Ints.fold (fun y all -> Ints.add (f x y) all) b all) a none

let map2 f a b = { values = products f a.values b.values; failures = Ints.union a.failures b.failures }

let in_turn f a b =
  let failures = if Ints.is_empty a.values then a.failures else Ints.union a.failures b.failures in
  { values = products f a.values b.values; failures }

let either a b = { values = Ints.union a.values b.values; failures = Ints.union a.failures b.failures }
let catch f t = { values = Ints.union t.values (Ints.map f t.failures); failures = none }
let is_exact t = Ints.cardinal t.values + Ints.cardinal t.failures = 1
let mem outcome t = match outcome with Ok n -> Ints.mem n t.values | Error n -> Ints.mem n t.failures

let print t =
  let list s = String.concat ", " (List.map string_of_int (Ints.elements s)) in
  Printf.sprintf "returns one of [%s] or fails with one of [%s]" (list t.values) (list t.failures)
