(* The table, against the standard library's. *)

module Against_stdlib (Key : Keys.KEY) = struct
  module Table = Weft_containers.Hash_table.Make (Key)

  let same_contents t model =
    Table.check t;
    if Table.length t <> Hashtbl.length model then
      Alcotest.failf "length %d, expected %d" (Table.length t) (Hashtbl.length model);
    let seen = ref 0 in
    let see k v =
      incr seen;
      if Hashtbl.find_opt model k <> Some v then Alcotest.failf "wrong binding of %d" k
    in
    Table.iter see t;
    Seq.iter (fun (k, v) -> see k v) (Table.to_seq t);
    let n = Table.fold (fun _ _ n -> n + 1) t 0 in
    if !seen <> 2 * n || n <> Hashtbl.length model then Alcotest.fail "iter, to_seq and fold differ"

  let expect what a b = if a <> b then Alcotest.failf "%s: a wrong answer" what

  let step rand range t model i =
    let k = Keys.key_of rand ~range in
    let bound = Hashtbl.find_opt model k in
    match Random.State.int rand 8 with
    | 0 -> expect "mem" (Table.mem t k) (bound <> None)
    | 1 -> expect "find" (Table.find_opt t k) bound
    | 2 | 3 | 4 ->
        Table.add t k i;
        Hashtbl.replace model k i
    | 5 | 6 ->
        expect "remove" (Table.remove t k) (bound <> None);
        Hashtbl.remove model k
    | _ -> (
        let f = function
          | None -> if i land 1 = 0 then Some i else None
          | Some v -> if v land 1 = 0 then None else Some i
        in
        expect "update" (Table.update t k f) bound;
        match f bound with None -> Hashtbl.remove model k | Some v -> Hashtbl.replace model k v)

  let program rand =
    let t = Table.create () and model = Hashtbl.create 16 in
    let range = 1 + Random.State.int rand 300 in
    for i = 1 to Random.State.int rand 1000 do
      step rand range t model i
    done;
    same_contents t model;
    true

  (* The table grows to hundreds of thousands of keys and shrinks to none: so it passes all sizes twice. *)
  let many () =
    let rand = Random.State.make [| 11 |] in
    let t = Table.create () and model = Hashtbl.create 16 in
    for i = 1 to Testing.Effort.few 700_000 do
      step rand 1_000_000 t model i
    done;
    same_contents t model;
    Seq.iter (fun (k, _) -> expect "remove" (Table.remove t k) true) (Hashtbl.to_seq (Hashtbl.copy model));
    Hashtbl.reset model;
    same_contents t model;
    for i = 1 to Testing.Effort.few 300_000 do
      step rand 5000 t model i
    done;
    same_contents t model
end

module Ints = Weft_containers.Hash_table.Make (Keys.Identity)

let orders () =
  let n = 20_000 in
  let try_keys name key =
    let t = Ints.create () in
    for i = 0 to n - 1 do
      Ints.add t (key i) i
    done;
    Ints.check t;
    for i = 0 to n - 1 do
      if Ints.find_opt t (key i) <> Some i then Alcotest.failf "%s: lost" name
    done;
    for i = 0 to n - 1 do
      if not (Ints.remove t (key i)) then Alcotest.failf "%s: not removed" name
    done;
    Ints.check t;
    if Ints.length t <> 0 then Alcotest.failf "%s: something is left" name
  in
  try_keys "ascending" Fun.id;
  try_keys "descending" (fun i -> n - i);
  try_keys "from min_int" (fun i -> min_int + i);
  try_keys "to max_int" (fun i -> max_int - i);
  try_keys "far apart" (fun i -> i lsl 40);
  let t = Ints.create () in
  for i = 1 to n do
    Ints.add t 0 i
  done;
  if Ints.length t <> 1 || Ints.find_opt t 0 <> Some n then Alcotest.fail "one key many times"

(* Regular keys must not crowd in few buckets: that would make look-ups slow, and the number of calls of
   [equal] shows it. *)
let spreads () =
  let calls = ref 0 in
  let module Table = Weft_containers.Hash_table.Make (struct
    type t = int

    let equal (a : int) b =
      incr calls;
      a = b

    let hash k = k
  end) in
  let try_step step =
    let t = Table.create () in
    for i = 0 to 99_999 do
      Table.add t (i * step) i
    done;
    Table.check t;
    let longest = Table.longest_chain t in
    if longest > 24 then Alcotest.failf "step %d: a chain of %d" step longest
  in
  List.iter try_step [ 1; 3; 64; 1 lsl 20; 1 lsl 40; 1 lsl 46; 0x9e3779b1; 0x4f1bbcdcbfa53e0b ];
  if !calls > 0 then Alcotest.failf "equal was called %d times for different hashes" !calls

let reachable t = Obj.reachable_words (Obj.repr t)

let shrinks () =
  let t = Ints.create () in
  let fresh = reachable t in
  for i = 1 to 100_000 do
    Ints.add t i i
  done;
  let full = reachable t in
  if full > 100_000 * 12 then Alcotest.failf "%d words for 100000 bindings" full;
  for i = 1 to 99_000 do
    ignore (Ints.remove t i)
  done;
  if reachable t > 20_000 then Alcotest.failf "%d words for 1000 bindings" (reachable t);
  for i = 99_001 to 100_000 do
    ignore (Ints.remove t i)
  done;
  if reachable t > fresh then Alcotest.failf "%d words when empty again, %d at first" (reachable t) fresh

let of_seq () =
  let t = Ints.of_seq (List.to_seq [ (1, "a"); (2, "b"); (1, "c") ]) in
  if List.sort compare (List.of_seq (Ints.to_seq t)) <> [ (1, "c"); (2, "b") ] then Alcotest.fail "of_seq"

let tests =
  let of_key (name, (module Key : Keys.KEY)) =
    let module A = Against_stdlib (Key) in
    Keys.check_seed ("random programs, hash: " ^ name) A.program
  in
  let module A = Against_stdlib (Keys.Identity) in
  List.map of_key Keys.all
  @ [
      Testing.Watchdog.case "many operations" A.many;
      Testing.Watchdog.case "hostile keys" orders;
      Testing.Watchdog.case "regular keys spread" spreads;
      Testing.Watchdog.case "shrinks" shrinks;
      Testing.Watchdog.case "of_seq" of_seq;
    ]
