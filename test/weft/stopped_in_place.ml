(* Functions that change an argument in place are stopped wherever they can be: at each call of the user's
   function in turn, at some moment by a failing side or a time-out, at the end of a stack. Afterwards the
   argument holds its elements: functions that move them keep each once; functions that replace them leave
   the old or the new one. *)

open Support
module A = Weft.Array
module F = Weft.Floatarray
module B = Weft.Bigarray
module Cancel = Weft.Cancel
module Full_stack = Testing_pools.Full_stack

(* Every call of a user's function comes here. *)
let at_call = Atomic.make ignore
let called () = (Atomic.get at_call) ()

(* [check x returned] says what is wrong. *)
type change =
  | Change : {
      name : string;  (** the function's name, and after a comma details *)
      make : unit -> 'a;
      act : 'a -> unit;
      check : 'a -> bool -> string option;
    }
      -> change

let unless holds what = if holds then None else Some what

(* --- elements that are moved --- *)

(* A hash that does not depend on the order of the elements, and hardly ever agrees for other elements. *)
let fingerprint l =
  let add sum x =
    let h = Hashtbl.hash x + 1 in
    sum + (h * h * h)
  in
  (List.length l, List.fold_left add 0 l)

let moves name ?(is_done = fun _ -> true) make to_list act =
  let elements x = fingerprint (to_list x) in
  let expected = elements (make ()) in
  let check x returned =
    if elements x <> expected then Some "elements were lost"
    else unless ((not returned) || is_done (to_list x)) "it is not done"
  in
  Change { name; make; act; check }

let key i = i * 7919 mod 101
let by_key (x, _) (y, _) = compare (x : int) y

let comparing cmp x y =
  called ();
  cmp x y

let rec is_sorted = function x :: (y :: _ as rest) -> compare x y <= 0 && is_sorted rest | _ -> true

type sort = { sort : 'a. ('a -> 'a -> int) -> 'a array -> unit }

(* All elements differ; the comparison takes those of one key for equal, and they keep their order. *)
let sorts ?(which = fun _ -> true) name { sort } n =
  let ints = Array.init n (fun i -> (key i * 1_000_000) + i) in
  let copy a () = Array.copy a in
  let of_kind kind a cmp =
    moves (name ^ ", " ^ kind) (copy a) Array.to_list ~is_done:is_sorted (sort (comparing cmp))
  in
  List.filteri
    (fun i _ -> which i)
    [
      of_kind "pairs" (Array.init n (fun i -> (key i, i))) by_key;
      of_kind "integers" ints (fun (x : int) y -> compare x y);
      of_kind "floats" (Array.map float ints) Float.compare;
      of_kind "falling" (Array.init n (fun i -> -i)) (fun (x : int) y -> compare x y);
    ]

let only_pairs i = i = 0

type keyed = { keyed : 'a. ('a -> int) -> 'a array -> unit }

(* By keys that several elements have, which keep their order. *)
let keyed ?(which = fun _ -> true) name { keyed } n =
  let of_kind kind a key =
    let key x =
      called ();
      key x
    in
    moves
      (Printf.sprintf "%s, %s, %d" name kind n)
      (fun () -> Array.copy a)
      Array.to_list ~is_done:is_sorted (keyed key)
  in
  let ints = Array.init n (fun i -> (key i * 1_000_000) + i) in
  List.filteri
    (fun i _ -> which i)
    [
      of_kind "pairs" (Array.init n (fun i -> (key i, i))) fst;
      of_kind "integers" ints Fun.id;
      of_kind "a part" ints (fun x -> x / 1_000_000);
      of_kind "floats" (Array.map float ints) int_of_float;
    ]

let reversals =
  let of_kind kind a =
    let n = Array.length a in
    moves
      (Printf.sprintf "rev_inplace, %s, %d" kind n)
      (fun () -> Array.copy a)
      Array.to_list
      ~is_done:(fun l -> l = List.rev (Array.to_list a))
      (fun a -> A.rev_inplace a)
  in
  let ints n = Array.init n Fun.id in
  [
    of_kind "pairs" (Array.init 13 (fun i -> (i, i)));
    of_kind "pairs" (Array.init 20_000 (fun i -> (i, i)));
    of_kind "integers" (ints 20_000);
    of_kind "floats" (Array.map float (ints 20_000));
  ]

let of_floats a = Array.to_list (Array.map int_of_float (F.to_array a))
let scattered n = Array.init n (fun i -> i * 7919 mod n)
let floats n () = F.of_array (Array.map float (scattered n))
let shuffles name shuffle n = moves name (fun () -> scattered n) Array.to_list (shuffle (Weft.Random.make 5))

(* --- elements that are replaced --- *)

(* The elements of the range become [after i]. *)
let replaces name ?(pos = 0) ?len make to_array after act =
  let before = to_array (make ()) in
  let len = Option.value len ~default:(Array.length before - pos) in
  let check x returned =
    let now = to_array x in
    let fits i v =
      let replaced = pos <= i && i < pos + len && v = after i in
      if returned && pos <= i && i < pos + len then replaced else replaced || v = before.(i)
    in
    let wrong = ref None in
    Array.iteri (fun i v -> if not (fits i v) then wrong := Some (Printf.sprintf "element %d is %d" i v)) now;
    if Array.length now <> Array.length before then Some "the length has changed" else !wrong
  in
  Change { name; make; act; check }

(* A function that was applied twice would show. *)
let next x =
  called ();
  x + 1_000_000

let next_float x =
  called ();
  x +. 1e6

let arrays n =
  let name what = Printf.sprintf "%s, %d" what n in
  let ints () = Array.init n Fun.id and pos = n / 3 and len = n / 2 in
  let floats () = Array.init n float in
  let as_ints = Array.map int_of_float in
  let source = Array.init n (fun i -> -i) in
  [
    replaces (name "map_inplace") ints Fun.id (fun i -> i + 1_000_000) (A.map_inplace next);
    replaces (name "map_inplace, floats") floats as_ints (fun i -> i + 1_000_000) (A.map_inplace next_float);
    replaces (name "map_inplace_sub") ~pos ~len ints Fun.id
      (fun i -> i + 1_000_000)
      (A.map_inplace_sub ~pos ~len next);
    replaces (name "mapi_inplace_sub") ~pos ~len ints Fun.id
      (fun i -> i + 1_000_000)
      (A.mapi_inplace_sub ~pos ~len (fun i x -> if i = x then next x else -1));
    replaces (name "mapi_inplace") ints Fun.id
      (fun i -> i + 1_000_000)
      (A.mapi_inplace (fun i x -> if i = x then next x else -1));
    replaces (name "fill") ~pos ~len ints Fun.id (fun _ -> -7) (fun a -> A.fill a pos len (-7));
    replaces (name "blit") ~pos ~len ints Fun.id (fun i -> -(i - pos)) (fun a -> A.blit source 0 a pos len);
    replaces (name "blit, overlapping") ~pos ~len ints Fun.id
      (fun i -> i - pos)
      (fun a -> A.blit a 0 a pos len);
  ]

(* Sums of the range are recognised, since elements are 1. *)
let scans n =
  let name what = Printf.sprintf "%s, %d" what n in
  let ones () = Array.make n 1 and pos = n / 3 and len = n / 2 in
  let add x y =
    called ();
    x + y
  in
  [
    replaces (name "scan_inplace") ones Fun.id (fun i -> i + 1) (A.scan_inplace add);
    replaces (name "scan_inplace, a part") ~pos ~len ones Fun.id
      (fun i -> i - pos + 1)
      (A.scan_inplace ~pos ~len add);
    replaces (name "scan_exclusive_inplace") ones Fun.id
      (fun i -> i + 7)
      (fun a -> ignore (A.scan_exclusive_inplace add 7 a : int));
  ]

let floatarrays n =
  let name what = Printf.sprintf "%s, %d" what n in
  let floats () = F.init n float and pos = n / 3 and len = n / 2 in
  let as_ints a = Array.map int_of_float (F.to_array a) in
  let source = F.init n (fun i -> float (-i)) in
  [
    replaces (name "map_inplace") floats as_ints (fun i -> i + 1_000_000) (F.map_inplace next_float);
    replaces (name "mapi_inplace") floats as_ints
      (fun i -> i + 1_000_000)
      (F.mapi_inplace (fun i x -> if float i = x then next_float x else -1.));
    replaces (name "fill") ~pos ~len floats as_ints (fun _ -> -7) (fun a -> F.fill a pos len (-7.));
    replaces (name "blit") ~pos ~len floats as_ints (fun i -> -(i - pos)) (fun a -> F.blit source 0 a pos len);
    replaces (name "blit, overlapping") ~pos ~len floats as_ints
      (fun i -> i - pos)
      (fun a -> F.blit a 0 a pos len);
  ]

(* [reshape] makes an array of one dimension that shares the memory. *)
let bigarrays_of what generic init fill blit map_inplace =
  let to_array b =
    let a = Bigarray.reshape_1 (generic b) 20_000 in
    Array.init 20_000 (fun i -> a.{i})
  in
  let numbered sign =
    let b = init () in
    let a = Bigarray.reshape_1 (generic b) 20_000 in
    for i = 0 to 19_999 do
      a.{i} <- sign * i
    done;
    b
  in
  let name f = Printf.sprintf "%s, %s" f what and make () = numbered 1 in
  let source = numbered (-1) in
  [
    replaces (name "fill") make to_array (fun _ -> -7) (fun b -> fill b (-7));
    replaces (name "blit") make to_array (fun i -> -i) (fun b -> blit source b);
    replaces (name "map_inplace") make to_array (fun i -> i + 1_000_000) (map_inplace next);
  ]

let bigarrays =
  let open Bigarray in
  bigarrays_of "one dimension" genarray_of_array1
    (fun () -> Array1.create Int C_layout 20_000)
    B.Array1.fill B.Array1.blit B.Array1.map_inplace
  @ bigarrays_of "two dimensions" genarray_of_array2
      (fun () -> Array2.create Int C_layout 200 100)
      B.Array2.fill B.Array2.blit B.Array2.map_inplace
  @ bigarrays_of "three dimensions" genarray_of_array3
      (fun () -> Array3.create Int C_layout 20 10 100)
      B.Array3.fill B.Array3.blit B.Array3.map_inplace

(* --- what tasks add up, bind and hand on --- *)

let reducers =
  let module W = Weft.Local.Worker_local in
  let make () = (W.create (fun () -> 0), Atomic.make 0) in
  let each f = Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:40 ~body:(fun _ -> f ()) () in
  let add l n =
    called ();
    n + l
  in
  let counts name add =
    let act (l, returned) =
      each (fun () ->
          add l;
          Atomic.incr returned)
    in
    let check (l, returned) _ = unless (W.fold ( + ) 0 l = Atomic.get returned) "another sum" in
    Change { name; make; act; check }
  in
  [
    counts "update" (fun l -> W.update l (add 1));
    counts "set" (fun l ->
        let n = W.get l in
        W.set l (add 1 n));
    Change
      {
        name = "with_value";
        make = (fun () -> Weft.Local.Task_local.create ~default:0);
        act = (fun key -> Weft.Local.Task_local.with_value key 1 (fun () -> each called));
        check = (fun key _ -> unless (Weft.Local.Task_local.get key = 0) "it is still bound");
      };
  ]

(* Each item passes each stage once, in order where that is promised. If the call
   was stopped, items may be missing. *)
let pipelines =
  let items = 30 in
  let act (produced, passed, written) =
    let produce () =
      called ();
      if !produced = items then None
      else begin
        incr produced;
        Some !produced
      end
    in
    let pass i =
      called ();
      Atomic.incr passed.(i);
      i
    in
    let write i =
      called ();
      written := i :: !written
    in
    Weft.pipeline ~tokens:4 produce Weft.Stage.(parallel pass >>> serial pass >>> in_order write)
  in
  let check (produced, passed, written) returned =
    let passes i = Atomic.get passed.(i) in
    let written = List.rev !written in
    let all = List.init items succ in
    if List.sort_uniq compare written <> written then Some "an item was written twice, or out of order"
    else if List.exists (fun i -> passes i <> 2) written then Some "an item has not passed each stage once"
    else if List.exists (fun i -> passes i > 2 || (passes i > 0 && i > !produced)) all then
      Some "an item has passed a stage twice"
    else unless ((not returned) || written = all) "items are missing"
  in
  let make () = (ref 0, Array.init (items + 1) (fun _ -> Atomic.make 0), ref []) in
  [ Change { name = "pipeline"; make; act; check } ]

(* --- stopping --- *)

let rec overflow n = 1 + overflow (n + Sys.opaque_identity 1)

(* The time-out has been seen, or has had time to be. *)
let late () =
  let until = Weft.now () +. 0.0005 in
  let rec wait () =
    match Cancel.check () with
    | () -> if Weft.now () < until then wait ()
    | exception (Cancel.Timeout | Cancel.Cancelled _) -> ()
  in
  wait ()

(* What happens at a call, and what is around the whole; it is tried at one in so many calls. *)
let ways =
  let raising exn () = ((fun () -> raise exn), fun f -> f ()) in
  [
    ("exception", 1, raising (Planned 0));
    ( "cancellation",
      1,
      fun () ->
        let token = Cancel.create () in
        ((fun () -> Cancel.cancel token), Cancel.within token) );
    ("stack overflow", 2, raising Stack_overflow);
    ("full stack", 4, fun () -> ((fun () -> ignore (overflow 0 : int)), fun f -> f ()));
    ("time-out", 8, fun () -> (late, Cancel.with_timeout 0.0003));
  ]

let attempt (Change c) where stop =
  let x = c.make () in
  let returned =
    match stop (fun () -> c.act x) with
    | () -> true
    | exception (Planned _ | Stack_overflow | Cancel.Cancelled _ | Cancel.Timeout) -> false
  in
  Atomic.set at_call ignore;
  Option.iter (Alcotest.failf "%s, %s: %s" c.name (where ())) (c.check x returned)

let calls_of change =
  let count = Atomic.make 0 in
  attempt change
    (fun () -> "not stopped")
    (fun f ->
      Atomic.set at_call (fun () -> Atomic.incr count);
      f ());
  Atomic.get count

(* Calls [at ()] at call [k] of [f]. *)
let stopping_at k at f =
  let count = Atomic.make 0 in
  Atomic.set at_call (fun () -> if Atomic.fetch_and_add count 1 = k then at ());
  f ()

let at_calls change ~calls domains =
  let one_way (how, rarity, way) =
    let stop_at k =
      let at, run = way () in
      let where () = Printf.sprintf "%s at call %d of %d, %d domains" how k calls domains in
      attempt change where (fun f -> run (fun () -> stopping_at k at f))
    in
    let step = Int.max 1 (calls * rarity / Testing.Effort.count ~quick:4 ~usual:16 ~long:1_000) in
    let rec from k =
      if k < calls - 1 then begin
        stop_at k;
        from (k + step)
      end
    in
    from 0;
    if calls > 0 then stop_at (calls - 1)
  in
  List.iter one_way ways

(* The function is stopped wherever it is when the time is up, or when the other side of a fork fails: at
   moments up to about its running time. *)
let from_beside change domains =
  let n = Testing.Effort.count ~quick:3 ~usual:10 ~long:100 in
  let before = Weft.now () in
  attempt change (fun () -> "not stopped") (fun f -> f ());
  let most = (Weft.now () -. before) *. 1.2 in
  for k = 0 to n do
    let seconds = most *. float k /. float n in
    let where how () = Printf.sprintf "%s after %.7f s, %d domains" how seconds domains in
    attempt change (where "time-out") (Cancel.with_timeout seconds);
    if domains > 1 then
      attempt change (where "failure beside it") (fun f ->
          let fail () =
            spin (int_of_float (seconds *. 1e9));
            raise (Planned 1)
          in
          fst (Weft.par f fail))
  done

(* The function is stopped in what follows a call. *)
let after_calls change ~calls domains =
  for i = 0 to Testing.Effort.count ~quick:2 ~usual:10 ~long:100 do
    let k = i mod calls and nanoseconds = i * 10_000 in
    let where () = Printf.sprintf "cancellation %d ns after call %d, %d domains" nanoseconds k domains in
    let token = Cancel.create () in
    let cancel_soon () =
      let cancel () =
        spin nanoseconds;
        Cancel.cancel token
      in
      ignore (Cancel.shield (fun () -> Weft.async cancel) : unit Weft.promise)
    in
    attempt change where (fun f -> Cancel.within token (fun () -> stopping_at k cancel_soon f))
  done

let at_ends_of_stacks (Change c) domains =
  let check x returned =
    let where = Full_stack.where () in
    Option.iter (Alcotest.failf "%s, %s, %d domains: %s" c.name where domains) (c.check x returned)
  in
  Full_stack.at_each_room ~step:(Testing.Effort.count ~quick:23 ~usual:11 ~long:1) ~make:c.make ~check c.act

let stopped changes () =
  let stop domains change =
    let calls = calls_of change in
    at_calls change ~calls domains;
    if calls > 0 && domains > 1 then after_calls change ~calls domains;
    from_beside change domains;
    if domains < 8 then at_ends_of_stacks change domains
  in
  Full_stack.with_limit @@ fun () ->
  List.iter
    (fun domains ->
      Weft.Pool.with_pool ~domains (fun pool ->
          Weft.Pool.run pool (fun () -> List.iter (stop domains) changes)))
    (Testing.Effort.some ~quick:[ 3 ] [ 1; 2; 8 ])

(* --- all of them --- *)

let sort = { sort = (fun cmp a -> A.sort cmp a) }

(* Sorted halves need no merge: after one comparison the sort copies for long. It is stopped there. *)
let sort_of_halves =
  let n = 40_000 in
  let pairs = Array.init n (fun i -> (((i * 7919 mod (n / 2)) + if i < n / 2 then 0 else n), i)) in
  moves "sort, halves"
    (fun () -> Array.copy pairs)
    Array.to_list ~is_done:is_sorted
    (A.sort (fun x y ->
         if fst x < n <> (fst y < n) then called ();
         by_key x y))

let integer_sort = { keyed = (fun key a -> A.integer_sort ~key a) }
let sort_by_key = { keyed = (fun key a -> A.sort_by_key ~key Int.compare a) }
let counting_sort = { keyed = (fun key a -> ignore (A.counting_sort ~buckets:101 ~key a : int array)) }

let of_arrays =
  sorts "sort" sort 13 @ sorts "sort" sort 3_000
  @ sorts "stable_sort" ~which:only_pairs { sort = (fun cmp a -> A.stable_sort cmp a) } 100
  @ sorts "fast_sort" ~which:only_pairs { sort = (fun cmp a -> A.fast_sort cmp a) } 100
  @ [ sort_of_halves; shuffles "shuffle" A.shuffle 100; shuffles "shuffle, in buckets" A.shuffle 20_000 ]
  @ reversals @ scans 13 @ scans 5_000 @ keyed "integer_sort" integer_sort 13
  @ keyed "integer_sort" integer_sort 3_000
  @ keyed "integer_sort" integer_sort 20_000 ~which:(fun i -> i > 0)
  @ keyed "sort_by_key" sort_by_key 2_000
  @ keyed "counting_sort" counting_sort 2_000 ~which:only_pairs
  @ arrays 20 @ arrays 20_000

let of_floatarrays =
  [
    moves "sort" (floats 13) of_floats F.sort;
    moves "sort_floats" (floats 300) of_floats F.sort_floats;
    moves "sort, long" (floats 20_000) of_floats F.sort ~is_done:is_sorted;
    moves "stable_sort" (floats 13) of_floats (F.stable_sort (comparing Float.compare));
    moves "stable_sort, long" (floats 20_000) of_floats
      (F.stable_sort (comparing Float.compare))
      ~is_done:is_sorted;
    moves "fast_sort" (floats 1_000) of_floats (F.fast_sort (comparing Float.compare));
    moves "shuffle" (floats 100) of_floats
      (F.shuffle ~rand:(fun n ->
           called ();
           n / 2));
  ]
  @ floatarrays 20 @ floatarrays 20_000

let of_randoms = [ shuffles "shuffle" Weft.Random.shuffle 20_000 ]

let groups =
  [
    ("Array", of_arrays, Interfaces.arrays, [ "iter"; "iteri"; "iter2"; "iter_sub"; "iteri_sub" ]);
    ( "Floatarray",
      of_floatarrays,
      Interfaces.floatarrays,
      [ "iter"; "iteri"; "iter2"; "iter_sub"; "iteri_sub" ] );
    ("Bigarray", bigarrays, Interfaces.bigarrays, [ "iter"; "iteri" ]);
    ("Random", of_randoms, Interfaces.randoms, []);
  ]

(* A store is not an operation that could be stopped. *)
let stores = [ "set"; "unsafe_set" ]

let none_is_missing () =
  List.iter
    (fun (name, changes, interface, reads) ->
      let stopped = List.map (fun (Change c) -> List.hd (String.split_on_char ',' c.name)) changes in
      let known = stores @ reads @ stopped in
      match List.filter (fun f -> not (List.mem f known)) (Testing.Growth.procedures interface) with
      | [] -> ()
      | missing -> Alcotest.failf "nothing stops these of Weft.%s: %s" name (String.concat ", " missing))
    groups

let tests =
  List.map (fun (name, changes, _, _) -> case (name ^ ", stopped") (stopped changes)) groups
  @ [
      case "reducers and bindings, stopped" (stopped reducers);
      case "pipelines, stopped" (stopped pipelines);
      case "none is missing" none_is_missing;
    ]
