open Weft_bench_harness

let found = '\001'
let not_found = '\000'

exception Wrong of Benchmark.wrong

let wrong expected got = raise (Wrong { expected; got })

(* {1 One key} *)

type key = {
  key : int;
  before : bool;
  mutable adds : int;
  mutable removals : int;
  mutable removed : int;
  mutable searches : int;
  mutable hits : int;
}

let describe k =
  Printf.sprintf "key %d (%sbound before, %d adds, %d removals)" k.key
    (if k.before then "" else "not ")
    k.adds k.removals

(* [check_key ~is_value k final] raises [Wrong] unless the answers noted in [k] are possible. [final] is the
   value that the key is bound to in the end; [is_value v] tells whether [v] may be that value. *)
let check_key ~is_value k final =
  let begun = k.adds + Bool.to_int k.before in
  let ended = k.removed + Bool.to_int (Option.is_some final) in
  let removed_least = Bool.to_int (k.before && k.removals > 0) in
  if k.removed < removed_least || k.removed > begun then
    wrong
      (Printf.sprintf "%s: %d to %d removals that find it" (describe k) removed_least begun)
      (string_of_int k.removed);
  if ended > begun then wrong (describe k ^ ": not bound in the end") "bound";
  if begun > 0 && ended = 0 then wrong (describe k ^ ": bound in the end") "not bound";
  if k.before && k.removals = 0 && k.hits < k.searches then
    wrong (Printf.sprintf "%s: found by %d searches" (describe k) k.searches) (string_of_int k.hits);
  if begun = 0 && k.hits > 0 then wrong (describe k ^ ": found by no search") (string_of_int k.hits);
  match final with
  | Some v when not (is_value v) -> wrong (describe k ^ ": bound to what was added to it") (string_of_int v)
  | _ -> ()

(* {1 All keys} *)

(* [look contents] is a pair of functions. The first, called with ascending keys, returns the value of a
   key. The second is called after the last key, with the number of keys found, and checks that there are no
   others. *)
let look = function
  | Subject.Asked { length; find_opt } ->
      ( find_opt,
        fun count ->
          if count <> length then
            wrong (Printf.sprintf "a map of length %d" count) (Printf.sprintf "one of length %d" length) )
  | Listed { keys; values } ->
      let order = Keys.order keys in
      let n = Array.length keys in
      let next = ref 0 in
      let stranger () =
        wrong "only keys that were bound or added, each once" (Printf.sprintf "key %d" keys.(order.(!next)))
      in
      ( (fun key ->
          if !next < n && keys.(order.(!next)) < key then stranger ();
          if !next < n && keys.(order.(!next)) = key then (
            incr next;
            Some values.(order.(!next - 1)))
          else None),
        fun _ -> if !next < n then stranger () )

let check ~replaces ({ before; operations } : Workload.t) answers contents =
  let n = Array.length operations in
  let order = Keys.order (Array.map Workload.key_of operations) in
  let key_at j = Workload.key_of operations.(order.(j)) in
  let look, finish = look contents in
  let count = ref 0 in
  let note k j =
    let i = order.(j) in
    let yes = Bool.to_int (Bytes.get answers i = found) in
    match Workload.kind_of operations.(i) with
    | Search ->
        k.searches <- k.searches + 1;
        k.hits <- k.hits + yes
    | Add -> k.adds <- k.adds + 1
    | Remove ->
        k.removals <- k.removals + 1;
        k.removed <- k.removed + yes
  in
  let is_value k v =
    let of_add =
      v >= 0 && v < n && Workload.kind_of operations.(v) = Add && Workload.key_of operations.(v) = k.key
    in
    of_add || (k.before && v = Workload.value_before k.key && not (replaces && k.adds > 0))
  in
  (* Most keys have no operation: this is their fast path. *)
  let untouched key =
    match look key with
    | Some v when v = Workload.value_before key -> incr count
    | final ->
        let k = { key; before = true; adds = 0; removals = 0; removed = 0; searches = 0; hits = 0 } in
        check_key ~is_value:(fun v -> v = Workload.value_before key) k final
  in
  let rec from i j =
    if i < Array.length before && (j = n || before.(i) < key_at j) then (
      untouched before.(i);
      from (i + 1) j)
    else if j < n then (
      let key = key_at j in
      let before = i < Array.length before && before.(i) = key in
      let k = { key; before; adds = 0; removals = 0; removed = 0; searches = 0; hits = 0 } in
      let rec notes j =
        if j < n && key_at j = key then (
          note k j;
          notes (j + 1))
        else j
      in
      let j = notes j in
      let final = look key in
      if Option.is_some final then incr count;
      check_key ~is_value:(is_value k) k final;
      from (if k.before then i + 1 else i) j)
  in
  match
    from 0 0;
    finish !count
  with
  | () -> Ok ()
  | exception Wrong wrong -> Error wrong
