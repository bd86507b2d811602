open Weft_mpi
open Check
module Comm = Mpi.Comm

let next c = (Comm.rank c + 1) mod Comm.size c
let before c = (Comm.rank c + Comm.size c - 1) mod Comm.size c

(* --- misuse, and what MPI reports --- *)

let misuse c =
  let a = ints 3 Fun.id and b = ints 2 Fun.id in
  let each what f = raises what is_misuse f in
  each "dest" (fun () -> Mpi.send c ~dest:(Comm.size c) a);
  each "source" (fun () -> Mpi.recv c ~source:(-1) a);
  each "tag" (fun () -> Mpi.send c ~tag:40_000 ~dest:0 a);
  each "any tag" (fun () -> Mpi.send c ~tag:Mpi.any_tag ~dest:0 a);
  each "lengths" (fun () -> Mpi.all_reduce c Sum a b);
  each "gather" (fun () -> Mpi.all_gather c a b);
  each "parts" (fun () -> Mpi.all_gather_parts c ~lengths:[||] a a);
  each "root" (fun () -> Mpi.broadcast c ~root:(-1) a);
  each "scatter" (fun () -> Mpi.Value.scatter c ~root:(Comm.rank c) (Some [||]));
  each "all_to_all" (fun () -> Mpi.Value.all_to_all c (Array.make (Comm.size c + 1) ()));
  each "color" (fun () -> Comm.split c (-2));
  each "slots" (fun () -> Mpi.Window.create c ~slots:(-1))

let errors c =
  let is_error call = function Mpi.Error e -> e.call = call && e.text <> "" | _ -> false in
  let long = ints 1000 Fun.id and short = ints 10 Fun.id in
  let send () = Mpi.send c ~dest:(next c) long in
  let recv () = raises "truncated" (is_error "MPI_Imrecv") (fun () -> Mpi.recv c short) in
  ignore (Weft.par send recv : unit * unit);
  let a = Bigarray.(Array1.init complex64 c_layout 2 (fun _ -> Complex.one)) in
  raises "an operation" (is_error "MPI_Iallreduce") (fun () -> Mpi.all_reduce c Min a a);
  (* The communicator is as good as before. *)
  Mpi.barrier c

(* --- cancellation at each wait --- *)

let is_timeout = function Weft.Cancel.Timeout -> true | _ -> false
let within f () = Weft.Cancel.with_timeout 0.02 f

let pass c k =
  let a = ints 3 (fun i -> k + i) and b = ints 3 (fun _ -> -1) in
  ignore
    (Weft.par (fun () -> Mpi.send c ~dest:(next c) a) (fun () -> ignore (Mpi.recv c b : Mpi.status))
      : unit * unit);
  same "the message afterwards" (list b) [ k; k + 1; k + 2 ]

(* A receive that is given up takes no message. *)
let cancelled_receives c =
  let b = ints 3 (fun _ -> -1) in
  raises "recv" is_timeout (within (fun () -> Mpi.recv c b));
  raises "floats" is_timeout (within (fun () -> Mpi.Floats.recv c (Array.make 3 0.)));
  raises "value" is_timeout (within (fun () -> Mpi.Value.recv c));
  until_none_pending ();
  Mpi.barrier c;
  pass c 10;
  same "the array that was given up" (list b) [ -1; -1; -1 ];
  let cancel = Weft.Cancel.create () in
  let waits () =
    raises "cancel" (fun _ -> true) (fun () -> Weft.Cancel.within cancel (fun () -> Mpi.recv c b))
  in
  ignore (Weft.par waits (fun () -> Weft.Cancel.cancel cancel) : unit * unit);
  Mpi.barrier c;
  pass c 20

(* Cancelled once MPI has its request: if it were earlier, the call would not begin. *)
let given_up what f =
  let cancel = Weft.Cancel.create () and before = Mpi.Private.pending () in
  let rec once_pending () =
    if Mpi.Private.pending () > before then Weft.Cancel.cancel cancel
    else begin
      Weft.sleep 0.001;
      once_pending ()
    end
  in
  let is_cancelled = function Weft.Cancel.Cancelled _ -> true | _ -> false in
  let waits () = raises what is_cancelled (fun () -> Weft.Cancel.within cancel f) in
  ignore (Weft.par waits once_pending : unit * unit)

(* A send that is given up goes on: the message comes. Its memory is kept meanwhile. *)
let cancelled_sends c =
  let n = 300_000 in
  let send () =
    let a = floats n float in
    given_up "send" (fun () -> Mpi.send c ~dest:(next c) a)
  in
  send ();
  given_up "value" (fun () -> Mpi.Value.send c ~tag:1 ~dest:(next c) (List.init 9000 Fun.id));
  Gc.full_major ();
  ignore (floats n (fun _ -> nan));
  (* Nobody receives before all have given up. *)
  Mpi.barrier c;
  let b = floats n (fun _ -> nan) in
  same "count" (Mpi.recv c b).count n;
  same "contents" (b.{0}, b.{n - 1}) (0., float (n - 1));
  same "value" (fst (Mpi.Value.recv c ~tag:1)) (List.init 9000 Fun.id);
  until_none_pending ();
  Mpi.barrier c

(* A collective that is given up goes on too: the others are not held up. They come to it when rank 0 has left it. *)
let cancelled_collective c =
  if Comm.size c > 1 then begin
    let a = ints 1 (fun _ -> 0) in
    if Comm.rank c = 0 then given_up "barrier" (fun () -> Mpi.barrier c)
    else ignore (Mpi.recv c ~source:(before c) a : Mpi.status);
    if next c <> 0 then Mpi.send c ~dest:(next c) a;
    if Comm.rank c > 0 then Mpi.barrier c;
    Mpi.barrier c
  end

let closed_pool c =
  let pool = Weft.Pool.create ~domains:1 () in
  let b = ints 1 (fun _ -> 0) in
  let wait () = match Mpi.recv c b with _ -> "received" | exception Weft.Pool.Closed _ -> "closed" in
  let p = Weft.Pool.async pool wait in
  while Mpi.Private.pending () = 0 do
    Weft.sleep 0.001
  done;
  Weft.Pool.close pool;
  same "closed" (Weft.await p) "closed";
  until_none_pending ();
  Mpi.barrier c

let outside c =
  let exchange () =
    let a = ints 3 (fun i -> Comm.rank c + i) and b = ints 3 (fun _ -> -1) in
    ignore (Mpi.exchange c ~dest:(next c) a ~source:(before c) b : Mpi.status);
    same "outside" (list b) (List.init 3 (fun i -> before c + i))
  in
  Weft.blocking exchange;
  Weft.blocking (fun () -> Domain.join (Domain.spawn exchange))

(* --- loops --- *)

let failing_loops w =
  let n = 2000 in
  let body i = if i = 1234 then failwith "1234" else if i mod 100 = 99 then failwith (string_of_int i) in
  agreed w "parallel_for" (parallel_for w ~start:0 ~finish:n ~body);
  let one i = if i = 77 then failwith "77" else i in
  agreed w "one" (parallel_for w ~start:0 ~finish:n ~body:(fun i -> ignore (one i)));
  agreed w "reduce" (fun () -> parallel_for_reduce w ~start:0 ~finish:n ~body:one ( + ) 0);
  (* On the last rank alone, where it combines what all have given. *)
  let combine a b = if a = -7 && rank w = size w - 1 then failwith "combine" else a + b in
  agreed w "reduce: init" (fun () -> parallel_for_reduce w ~start:0 ~finish:n ~body:Fun.id combine (-7));
  agreed w "map" (fun () -> map w one (Array.init n Fun.id));
  agreed w "group_by" (fun () -> group_by w ~key:one (Array.init n Fun.id));
  let find i = if i = 500 then failwith "500" else if i > 1000 then Some i else None in
  agreed w "find" (parallel_find_first w ~start:0 ~finish:n ~body:find);
  same "afterwards" (parallel_for_reduce w ~start:0 ~finish:n ~body:Fun.id ( + ) 0) (n * (n + 1) / 2)

(* On one rank, or on all, a result that cannot be marshalled. *)
let unmarshallable w =
  if size w > 1 then begin
    let hold i x = x + i + rank w in
    agreed w "map" (fun () -> map w hold [| 1 |]);
    agreed w "reduce" (fun () ->
        parallel_for_reduce w ~start:0 ~finish:5000 ~body:hold (fun f g x -> f (g x)) Fun.id);
    agreed w "gather" (fun () -> gather w (hold 1));
    agreed w "gather of one" (fun () -> gather w (if rank w = size w - 1 then Some (hold 1) else None));
    agreed w "group_by" (fun () -> group_by w ~key:(fun i -> lazy (hold i 1)) [| 1 |]);
    agreed w "broadcast" (fun () -> broadcast w ~root:1 (hold 1));
    agreed w "sort" (fun () -> sort w (fun _ _ -> 0) (Array.init 100 hold))
  end

(* Ranks that call different functions at the same time say so; no value of one comes out of the other. *)
let mismatched w =
  let check name f other =
    let world = of_comm (comm w) in
    let first () = f world and second () = other world in
    let is_said = function
      | Invalid_argument text -> String.ends_with ~suffix:" calls another function at the same time" text
      | _ -> false
    in
    raises name is_said (if rank w = 0 then first else second);
    free world
  in
  let module D = Distributed_array in
  if size w > 1 then begin
    check "gather and sort"
      (fun world -> ignore (gather world "text" : string array))
      (fun world -> ignore (sort world compare [| 3; 2; 1 |] : int array));
    check "map and iteri"
      (fun world -> ignore (D.map string_of_int (D.make world 9 0) : string D.t))
      (fun world -> D.iteri (fun _ _ -> ()) (D.make world 9 0));
    check "with_halo and stencil"
      (fun world -> ignore (D.with_halo ~width:1 Periodic (D.make world 9 0) : int array))
      (fun world -> ignore (D.stencil ~width:1 Periodic (fun c i -> c.(i)) (D.make world 9 "") : string D.t));
    check "redistribute and sort"
      (fun world -> ignore (D.redistribute Block (D.make ~distribution:Cyclic world 9 0) : int D.t))
      (fun world -> ignore (D.sort compare (D.make ~distribution:Cyclic world 9 "") : string D.t));
    check "loops"
      (fun world -> ignore (map world string_of_int [| 1; 2; 3 |] : string array))
      (fun world -> parallel_for world ~start:0 ~finish:2 ~body:ignore ())
  end

(* The comparison of one rank raises: at once, or after a while, in any of the steps. *)
let failing_sorts w =
  let a = Array.init 2000 (fun i -> i * 7919 mod 1009) in
  let compare_failing at =
    let left = Atomic.make at in
    fun x y -> if Atomic.fetch_and_add left (-1) = 0 then failwith "compare" else Int.compare x y
  in
  let check from at =
    let compare = if rank w = from then compare_failing at else Int.compare in
    agreed w "sort" (fun () -> sort w compare a)
  in
  List.iter (fun at -> List.iter (fun from -> check from at) [ 0; size w - 1 ]) [ 0; 100; 2000 ];
  same "afterwards" (sort w Int.compare a) (sort w compare a)

(* [combine] raises between the two loops of a scan, on all ranks. *)
let failing_scan w =
  let a = Array.init 1000 (fun i -> if i = 3 then 1 else 0) in
  let combine x y = if x + y > 0 then failwith "combine" else x + y in
  (match scan w combine a with
  | _ -> failwith "scan: nothing is raised"
  | exception (Failure _ | Elsewhere _) -> ());
  barrier w;
  (* On one rank alone. There are three pieces, so one of four ranks takes none, and it may be the one that fails. *)
  let check from =
    let combine a b = if rank w = from then failwith "combine" else a + b in
    agreed w "scan on one rank" (fun () -> scan w combine [| 1; 2; 3 |])
  in
  for _ = 1 to 5 do
    List.iter check (List.init (size w) Fun.id)
  done

(* The fiber of one rank is cancelled in the middle of a loop. *)
let cancelled_loop w =
  let flag = Mpi.Window.create (comm w) ~slots:1 in
  let rec until_begun () =
    if Mpi.Window.read flag ~rank:0 ~slot:0 = 0 then begin
      Weft.yield ();
      until_begun ()
    end
  in
  let cancel = Weft.Cancel.create () in
  let body _ =
    if rank w > 0 then until_begun ()
    else begin
      ignore (Mpi.Window.exchange flag ~rank:0 ~slot:0 1 : int);
      Weft.Cancel.cancel cancel;
      Weft.sleep 1000.
    end
  in
  let loop () = parallel_for w ~start:0 ~finish:500 ~body () in
  agreed w "cancelled" (if rank w = 0 then fun () -> Weft.Cancel.within cancel loop else loop);
  Mpi.Window.free flag;
  same "afterwards" (Array.length (map w Fun.id [| 1; 2; 3 |])) 3

let run w =
  let c = comm w in
  misuse c;
  errors c;
  cancelled_receives c;
  cancelled_sends c;
  cancelled_collective c;
  closed_pool c;
  outside c;
  failing_loops w;
  unmarshallable w;
  mismatched w;
  failing_sorts w;
  failing_scan w;
  cancelled_loop w;
  say w "failures: done"
