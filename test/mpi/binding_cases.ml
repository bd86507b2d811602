open Weft_mpi
open Bigarray
open Check
module Comm = Mpi.Comm

let next c = (Comm.rank c + 1) mod Comm.size c
let before c = (Comm.rank c + Comm.size c - 1) mod Comm.size c

(* --- messages --- *)

(* Sends of one fiber, receives of another: so a rank may send to itself. *)
let both f g = ignore (Weft.par f g : unit * unit)

let ring kind of_int n c =
  let a = Array1.init kind c_layout n (fun i -> of_int ((100 * Comm.rank c) + i)) in
  let b = Array1.create kind c_layout n in
  Array1.fill b (of_int 0);
  both
    (fun () -> Mpi.send c ~tag:7 ~dest:(next c) a)
    (fun () ->
      let s = Mpi.recv c ~tag:7 ~source:(before c) b in
      same "status" s { source = before c; tag = 7; count = n });
  same "contents" (list b) (List.init n (fun i -> of_int ((100 * before c) + i)))

let kinds c =
  ring float32 float 5 c;
  ring float64 float 5 c;
  ring int8_signed (fun i -> i land 0x7f) 5 c;
  ring int8_unsigned (fun i -> i land 0xff) 5 c;
  ring int16_signed Fun.id 5 c;
  ring int16_unsigned Fun.id 5 c;
  ring int32 Int32.of_int 5 c;
  ring int64 Int64.of_int 5 c;
  ring int Fun.id 5 c;
  ring nativeint Nativeint.of_int 5 c;
  ring char (fun i -> Char.chr (i land 0xff)) 5 c;
  ring complex64 (fun i -> { Complex.re = float i; im = 1. }) 5 c;
  ring complex32 (fun i -> { Complex.re = float i; im = 1. }) 5 c;
  ring int Fun.id 0 c;
  ring float64 float 300_000 c

let exchanged c =
  let a = ints 4 (fun i -> Comm.rank c + i) and b = ints 9 (fun _ -> -1) in
  let s = Mpi.exchange c ~dest:(next c) a ~source:(before c) b in
  same "exchange: status" s { source = before c; tag = 0; count = 4 };
  same "exchange" (list b) (List.init 9 (fun i -> if i < 4 then before c + i else -1))

(* More elements than a type may count, by a type made for them; the true limit is 2^31 - 1. *)
let parts c n =
  let size = Comm.size c and me = Comm.rank c in
  let value from to_ i = (1000 * from) + (100 * to_) + i in
  let all = ints (n * size) (fun _ -> -1) in
  let mine = ints n (value me 0) in
  let gathered = List.concat (List.init size (fun from -> List.init n (value from 0))) in
  Mpi.all_gather c mine all;
  same "all_gather" (list all) gathered;
  let b = ints (n * size) (fun _ -> -1) in
  Mpi.gather c ~root:(size - 1) mine b;
  if me = size - 1 then same "gather" (list b) gathered;
  let part = ints n (fun _ -> -1) in
  Mpi.scatter c ~root:0 all part;
  same "scatter" (list part) (List.init n (value me 0));
  let out = ints (n * size) (fun i -> value me (i / n) (i mod n)) in
  Mpi.all_to_all c out b;
  same "all_to_all" (list b) (List.concat (List.init size (fun from -> List.init n (value from me))))

let many c =
  Mpi.Private.set_max_count 7;
  List.iter
    (fun n ->
      ring int Fun.id n c;
      parts c n)
    [ 6; 7; 8; 14; 15; 50 ];
  Mpi.Private.set_max_count (1 lsl 30)

let heap c =
  let n = 1000 in
  let a = Array.init n (fun i -> float (i + Comm.rank c)) and b = Array.make (n + 5) nan in
  let x = Bytes.init n (fun i -> Char.chr ((i + Comm.rank c) land 0xff)) and y = Bytes.make (n + 5) '?' in
  both
    (fun () ->
      Mpi.Floats.send c ~dest:(next c) a;
      Mpi.Bytes.send c ~dest:(next c) ~tag:2 x)
    (fun () ->
      let s = Mpi.Floats.recv c ~tag:Mpi.any_tag ~source:(before c) b in
      same "floats: status" s { source = before c; tag = 0; count = n };
      let s = Mpi.Bytes.recv c ~tag:Mpi.any_tag y in
      same "bytes: status" s { source = before c; tag = 2; count = n });
  same "floats" (Array.sub b 0 n) (Array.init n (fun i -> float (i + before c)));
  same "floats behind" (Float.is_nan b.(n)) true;
  same "bytes" (Bytes.sub y 0 n) (Bytes.init n (fun i -> Char.chr ((i + before c) land 0xff)));
  same "bytes behind" (Bytes.get y n) '?'

(* Many fibers at a time, each with a tag of its own, while the collector moves what is young. *)
let crowd c =
  let n = 64 in
  let send i = Mpi.Floats.send c ~tag:i ~dest:(next c) (Array.make 50 (float i)) in
  let recv i =
    let a = Array.make 50 0. in
    ignore (Mpi.Floats.recv c ~tag:i ~source:(before c) a : Mpi.status);
    if i mod 16 = 0 then Gc.full_major ();
    same "crowd" a (Array.make 50 (float i))
  in
  both
    (fun () -> Weft.parallel_for ~start:0 ~finish:(n - 1) ~body:send ())
    (fun () -> ignore (Weft.all (List.init n (fun i () -> recv (n - 1 - i))) : unit list));
  until_none_pending ()

(* --- collectives --- *)

let reductions c =
  let n = Comm.size c and me = Comm.rank c in
  let a = ints 3 (fun i -> me + i) and b = ints 3 (fun _ -> -1) in
  let sum i = (n * (n - 1) / 2) + (n * i) in
  Mpi.all_reduce c Sum a b;
  same "all_reduce" (list b) (List.init 3 sum);
  Mpi.all_reduce c Max a b;
  same "max" (list b) (List.init 3 (fun i -> n - 1 + i));
  Mpi.all_reduce c Min a a;
  same "min, in place" (list a) [ 0; 1; 2 ];
  let a = ints 3 (fun i -> me + i) and b = ints 3 (fun _ -> -1) in
  Mpi.reduce c Sum ~root:(n - 1) a b;
  same "reduce" (list b) (if me = n - 1 then List.init 3 sum else [ -1; -1; -1 ]);
  Mpi.scan c Sum a b;
  same "scan" b.{0} (me * (me + 1) / 2);
  Mpi.scan_exclusive c Sum a b;
  if me > 0 then same "scan_exclusive" b.{1} ((me * (me - 1) / 2) + me);
  let f = [| float me; 1. |] in
  Mpi.Floats.all_reduce c Sum f;
  same "floats" f [| float (n * (n - 1) / 2); float n |]

let moves c =
  let n = Comm.size c and me = Comm.rank c in
  let a = floats 4 (fun i -> if me = n - 1 then float i else nan) in
  Mpi.broadcast c ~root:(n - 1) a;
  same "broadcast" (list a) [ 0.; 1.; 2.; 3. ];
  let a = ints 2 (fun i -> (10 * me) + i) and b = ints (2 * n) (fun _ -> -1) in
  let all = List.concat (List.init n (fun i -> [ 10 * i; (10 * i) + 1 ])) in
  Mpi.gather c ~root:0 a b;
  same "gather" (list b) (if me = 0 then all else List.init (2 * n) (fun _ -> -1));
  Mpi.all_gather c a b;
  same "all_gather" (list b) all;
  let part = ints 2 (fun _ -> -1) in
  Mpi.scatter c ~root:0 b part;
  same "scatter" (list part) [ 10 * me; (10 * me) + 1 ];
  let mine = ints n (fun i -> (10 * me) + i) and got = ints n (fun _ -> -1) in
  Mpi.all_to_all c mine got;
  same "all_to_all" (list got) (List.init n (fun i -> (10 * i) + me));
  let lengths = Array.init n (fun i -> i) in
  let a = ints me (fun _ -> me) and b = ints (n * (n - 1) / 2) (fun _ -> -1) in
  Mpi.all_gather_parts c ~lengths a b;
  same "parts" (list b) (List.concat (List.init n (fun i -> List.init i (fun _ -> i))));
  let f = Array.make 3 (if me = 0 then 2. else 0.) and x = Bytes.make 3 (if me = 0 then 'x' else '-') in
  Mpi.Floats.broadcast c ~root:0 f;
  Mpi.Bytes.broadcast c ~root:0 x;
  same "floats and bytes" (f, Bytes.to_string x) ([| 2.; 2.; 2. |], "xxx");
  Mpi.barrier c

let pieces c =
  Mpi.Private.set_max_count 4;
  let a = ints 11 (fun i -> i + Comm.rank c) and b = ints 11 (fun _ -> 0) in
  Mpi.all_reduce c Min a b;
  same "all_reduce in pieces" (list b) (List.init 11 Fun.id);
  Mpi.broadcast c ~root:0 a;
  same "broadcast in pieces" (list a) (List.init 11 Fun.id);
  let lengths = Array.make (Comm.size c) 11 and all = ints (11 * Comm.size c) Fun.id in
  raises "too many" is_misuse (fun () -> Mpi.all_gather_parts c ~lengths a all);
  Mpi.Private.set_max_count (1 lsl 30)

(* --- values --- *)

type tree = Leaf | Node of tree * string * tree

let rec tree n = if n = 0 then Leaf else Node (tree (n - 1), string_of_int n, tree (n - 1))
let value_of size rank = (rank, List.init size (fun i -> (i, rank)), tree (Int.min 8 size))

let values c size =
  let n = Comm.size c and me = Comm.rank c in
  let mine = value_of size me in
  both
    (fun () -> Mpi.Value.send c ~dest:(next c) mine)
    (fun () -> same "recv" (fst (Mpi.Value.recv c ~source:(before c))) (value_of size (before c)));
  let all = Array.init n (value_of size) in
  same "broadcast" (Mpi.Value.broadcast c ~root:(n - 1) (if me = n - 1 then Some mine else None)) all.(n - 1);
  same "gather" (Mpi.Value.gather c ~root:0 mine) (if me = 0 then Some all else None);
  same "all_gather" (Mpi.Value.all_gather c mine) all;
  same "scatter" (Mpi.Value.scatter c ~root:0 (if me = 0 then Some all else None)) all.(me);
  let to_all = Array.init n (fun i -> (me, i, mine)) in
  same "all_to_all" (Mpi.Value.all_to_all c to_all) (Array.init n (fun i -> (i, me, all.(i))))

(* Two fibers receive long values with the same tag: neither gets parts of the other's. *)
let together c =
  let value i = List.init 20_000 (fun k -> (i, k)) in
  let recv () =
    let (v : (int * int) list), _ = Mpi.Value.recv c ~source:(before c) in
    same "a value of one piece" v (value (fst (List.hd v)))
  in
  let send i () = Mpi.Value.send c ~dest:(next c) (value i) in
  ignore (Weft.all [ send 1; recv; send 2; recv; send 3; recv ] : unit list)

let values_of_sizes c =
  List.iter (values c) [ 0; 3; 500; 20_000 ];
  Mpi.Private.set_max_count 10_000;
  List.iter (values c) [ 3; 20_000 ];
  Mpi.Private.set_max_count (1 lsl 30);
  together c;
  let f = Mpi.Value.broadcast ~closures:true c ~root:0 (if Comm.rank c = 0 then Some (( + ) 1) else None) in
  same "a function" (f 2) 3;
  raises "a function" is_misuse (fun () -> Mpi.Value.send c ~dest:(next c) Fun.id)

let types c =
  both
    (fun () -> List.iter (fun ty -> Mpi.Value.send c ~dest:(next c) ?ty 1) [ Some "int"; None; Some "int" ])
    (fun () ->
      let is_wrong = function Mpi.Value.Wrong_type { source; _ } -> source = before c | _ -> false in
      let recv ty () : int = fst (Mpi.Value.recv c ~source:(before c) ~ty) in
      raises "another type" is_wrong (recv "float");
      raises "no type" is_wrong (recv "int");
      same "the same type" (recv "int" ()) 1)

(* The last rank names another type: it sees that, and so do those that get its value. *)
let types_of_collectives c =
  let last = Comm.size c - 1 and me = Comm.rank c in
  let ty = if me = last then "float" else "int" in
  let check what source f =
    match source with
    | Some source when last > 0 -> raises what (( = ) (Mpi.Value.Wrong_type { source; wanted = ty })) f
    | Some _ | None -> f ()
  in
  let at_last = if me = last then Some 0 else None and at_root = if me = 0 then Some last else None in
  let at_all = Some (if me = last then 0 else last) in
  let long = List.init 2000 Fun.id in
  let vs = Array.make (last + 1) long in
  check "broadcast" at_last (fun () ->
      same "broadcast" (Mpi.Value.broadcast ~ty c ~root:0 (if me = 0 then Some long else None)) long);
  check "gather" at_root (fun () -> ignore (Mpi.Value.gather ~ty c ~root:0 long : int list array option));
  check "all_gather" at_all (fun () -> same "all_gather" (Mpi.Value.all_gather ~ty c long) vs);
  check "scatter" at_last (fun () ->
      same "scatter" (Mpi.Value.scatter ~ty c ~root:0 (if me = 0 then Some vs else None)) long);
  check "all_to_all" at_all (fun () -> same "all_to_all" (Mpi.Value.all_to_all ~ty c vs) vs);
  (* An empty name is a name. *)
  let ty = if me = last && last > 0 then Some "" else None in
  let is_wrong = function Mpi.Value.Wrong_type { wanted; _ } -> wanted = "" | _ -> false in
  let all_gather () = ignore (Mpi.Value.all_gather ?ty c me : int array) in
  if last > 0 then raises "an empty name" is_wrong all_gather else all_gather ();
  let ty = "int list" in
  same "afterwards" (Mpi.Value.all_gather ~ty c long) vs;
  same "afterwards" (Mpi.Value.all_to_all ~ty c vs) vs;
  same "afterwards" (Mpi.Value.gather ~ty c ~root:0 long) (if me = 0 then Some vs else None)

(* --- communicators, windows --- *)

let communicators c =
  let n = Comm.size c and me = Comm.rank c in
  let d = Comm.duplicate c in
  same "duplicate" (Comm.rank d, Comm.size d) (me, n);
  let half = Comm.split c (me mod 2) in
  same "split" (Comm.rank half) (me / 2);
  let turned = Comm.split c ~key:(n - me) 0 in
  same "key" (Comm.rank turned) (n - 1 - me);
  let one = Comm.try_split c (if me = 0 then Some 0 else None) in
  same "none" (Option.map Comm.size one) (if me = 0 then Some 1 else None);
  same "node" (Comm.size (Comm.split_by_node c)) n;
  (* A message on one is not seen on the other. A send may wait for its receive, as MPICH's to oneself do. *)
  let a = ints 1 (fun _ -> 1) and b = ints 1 (fun _ -> 2) and x = ints 1 (fun _ -> 0) in
  let receive () =
    ignore (Mpi.recv d x : Mpi.status);
    same "on d" x.{0} 2;
    ignore (Mpi.recv c x : Mpi.status);
    same "on c" x.{0} 1
  in
  let send comm a () = Mpi.send comm ~dest:(next comm) a in
  ignore (Weft.all [ send c a; send d b; receive ] : unit list);
  Option.iter Comm.free one;
  List.iter Comm.free [ turned; half; d ];
  raises "freed" is_misuse (fun () -> Mpi.barrier d);
  raises "world" is_misuse (fun () -> Comm.free (Comm.world ()))

let windows c =
  let n = Comm.size c in
  let w = Mpi.Window.create c ~slots:3 in
  let drawn = List.init 100 (fun _ -> Mpi.Window.fetch_add w ~rank:0 ~slot:1 1) in
  Mpi.barrier c;
  same "all were drawn" (Mpi.Window.read w ~rank:0 ~slot:1) (100 * n);
  let all = List.sort compare (List.concat (Array.to_list (Mpi.Value.all_gather c drawn))) in
  same "each once" all (List.init (100 * n) Fun.id);
  same "slot 2" (Mpi.Window.exchange w ~rank:(next c) ~slot:2 5) 0;
  Mpi.barrier c;
  same "slot 2 then" (Mpi.Window.fetch_add w ~rank:(Comm.rank c) ~slot:2 (-7)) 5;
  same "slot 2 in the end" (Mpi.Window.read w ~rank:(Comm.rank c) ~slot:2) (-2);
  raises "slot 3" is_misuse (fun () -> Mpi.Window.read w ~rank:0 ~slot:3);
  raises "rank" is_misuse (fun () -> Mpi.Window.read w ~rank:n ~slot:0);
  Mpi.Window.free w;
  raises "freed" is_misuse (fun () -> Mpi.Window.read w ~rank:0 ~slot:0)

let run w =
  let c = comm w in
  kinds c;
  exchanged c;
  many c;
  heap c;
  crowd c;
  reductions c;
  moves c;
  pieces c;
  values_of_sizes c;
  types c;
  types_of_collectives c;
  communicators c;
  windows c;
  say w "binding: done"
