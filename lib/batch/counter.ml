module Sequential = Weft_containers.Counter

module Operations = struct
  type ('v, 'a) op =
    | Get : ('v, int) op
    | Set : int -> ('v, unit) op
    | Add : int -> ('v, unit) op
    | Fetch_add : int -> ('v, int) op

  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed
end

include Operations

let apply (type v a) t : (v, a) op -> a = function
  | Get -> Sequential.get t
  | Set n -> Sequential.set t n
  | Add n -> Sequential.add t n
  | Fetch_add n -> Sequential.fetch_add t n

let apply_range t ops first last =
  for i = first to last do
    let (Op (op, cell)) = Array.unsafe_get ops i in
    Cell.resolve cell (apply t op)
  done

(* How a part of the batch changes the value: adds [n] to it, or makes it [n]. *)
type change = { sets : bool; n : int }

let after value { sets; n } = if sets then n else value + n
let followed_by a b = if b.sets then b else { a with n = a.n + b.n }

let change_of_range ops first last =
  let sets = ref false and n = ref 0 in
  for i = first to last do
    match Array.unsafe_get ops i with
    | Op (Get, _) -> ()
    | Op (Add m, _) -> n := !n + m
    | Op (Fetch_add m, _) -> n := !n + m
    | Op (Set m, _) ->
        sets := true;
        n := m
  done;
  { sets = !sets; n = !n }

(* Up to so many operations are done one after the other. *)
let part = 4096

type tree = Part of change | Both of change * tree * tree

let whole = function Part e | Both (e, _, _) -> e
let middle first last = first + ((last - first) / 2)

let rec up ops first last =
  if last - first < part then Part (change_of_range ops first last)
  else
    let m = middle first last in
    let a, b = Weft.par (fun () -> up ops first m) (fun () -> up ops (m + 1) last) in
    Both (followed_by (whole a) (whole b), a, b)

let rec down tree ops first last value =
  match tree with
  | Part _ -> apply_range (Sequential.create ~value ()) ops first last
  | Both (_, a, b) ->
      let m = middle first last in
      let (), () =
        Weft.par
          (fun () -> down a ops first m value)
          (fun () -> down b ops (m + 1) last (after value (whole a)))
      in
      ()

let run_batch t ops =
  let last = Array.length ops - 1 in
  if last < part then apply_range t ops 0 last
  else begin
    let tree = up ops 0 last in
    let value = Sequential.get t in
    (* The counter is set before any operation has a result. *)
    Sequential.set t (after value (whole tree));
    down tree ops 0 last value
  end

module Batched = Batched.Make_generic (struct
  type 'v t = Sequential.t
  type ('v, 'a) op = ('v, 'a) Operations.op
  type 'v packed = 'v Operations.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  let apply = apply
  let run = Some run_batch
end)

include Batched

type t = unit Batched.t

let create ?limit ?cutoff ?value () =
  Misuse.check "Weft_batch.Counter.create" ?limit ?cutoff ();
  create ?limit ?cutoff (Sequential.create ?value ())

let get t = exec t Get
let set t n = exec t (Set n)
let add t n = exec t (Add n)
let fetch_add t n = exec t (Fetch_add n)
let incr t = exec t (Add 1)
let decr t = exec t (Add (-1))
