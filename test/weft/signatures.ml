open Support

(* Libraries take their collections, locks and loops as arguments of functors. The signatures are those that
   they would write for OCaml's own modules; each functor is applied to OCaml's and to Weft's. *)

module type ARRAY = sig
  type 'a t = 'a array

  val length : 'a array -> int
  val init : int -> (int -> 'a) -> 'a array
  val make_matrix : int -> int -> 'a -> 'a array array
  val append : 'a array -> 'a array -> 'a array
  val iter : ('a -> unit) -> 'a array -> unit
  val iteri : (int -> 'a -> unit) -> 'a array -> unit
  val iter2 : ('a -> 'b -> unit) -> 'a array -> 'b array -> unit
  val map : ('a -> 'b) -> 'a array -> 'b array
  val map_inplace : ('a -> 'a) -> 'a array -> unit
  val mapi_inplace : (int -> 'a -> 'a) -> 'a array -> unit
  val fold_left : ('acc -> 'a -> 'acc) -> 'acc -> 'a array -> 'acc
  val fold_left_map : ('acc -> 'a -> 'acc * 'b) -> 'acc -> 'a array -> 'acc * 'b array
  val exists : ('a -> bool) -> 'a array -> bool
  val for_all : ('a -> bool) -> 'a array -> bool
  val for_all2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
  val mem : 'a -> 'a array -> bool
  val memq : 'a -> 'a array -> bool
  val find_opt : ('a -> bool) -> 'a array -> 'a option
  val find_index : ('a -> bool) -> 'a array -> int option
  val find_map : ('a -> 'b option) -> 'a array -> 'b option
  val find_mapi : (int -> 'a -> 'b option) -> 'a array -> 'b option
  val stable_sort : ('a -> 'a -> int) -> 'a array -> unit
  val to_seqi : 'a array -> (int * 'a) Seq.t
end

(* All of OCaml's, as the compiler has it, without the one whose type differs and what is no value. *)
module type ALL_OF_LIST = sig
  include module type of Stdlib.List
end

module type FLOATARRAY = sig
  type t = floatarray

  val init : int -> (int -> float) -> t
  val iter : (float -> unit) -> t -> unit
  val iteri : (int -> float -> unit) -> t -> unit
  val map_inplace : (float -> float) -> t -> unit
  val exists : (float -> bool) -> t -> bool
  val for_all : (float -> bool) -> t -> bool
  val find_index : (float -> bool) -> t -> int option
  val stable_sort : (float -> float -> int) -> t -> unit
  val shuffle : rand:(int -> int) -> t -> unit
end

module type MUTEX = sig
  type t

  val create : unit -> t
  val lock : t -> unit
  val try_lock : t -> bool
  val unlock : t -> unit
  val protect : t -> (unit -> 'a) -> 'a
end

module type CONDITION = sig
  type t
  type mutex

  val create : unit -> t
  val wait : t -> mutex -> unit
  val signal : t -> unit
  val broadcast : t -> unit
end

module type SEMAPHORE = sig
  type t

  val make : int -> t
  val acquire : t -> unit
  val try_acquire : t -> bool
  val release : t -> unit
  val get_value : t -> int
end

module type PARALLEL = sig
  type 'a promise

  val run : (unit -> 'a) -> 'a
  val par : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
  val all : (unit -> 'a) list -> 'a list
  val async : (unit -> 'a) -> 'a promise
  val await : 'a promise -> 'a
end

(* --- programs over them --- *)

module Over_arrays (A : ARRAY) = struct
  let result () =
    let a = A.init 1_000 (fun i -> i * 7919 mod 1_000) in
    let b = A.map (fun x -> x * x) a in
    A.map_inplace succ b;
    A.mapi_inplace ( + ) b;
    let sorted = A.append a b in
    A.stable_sort Int.compare sorted;
    ( sorted,
      (A.mem 7 a, A.exists (fun x -> x < 0) a, A.for_all (fun x -> x >= 0) a, A.for_all2 ( <= ) a b),
      (A.find_opt (fun x -> x > 990) a, A.find_index (fun x -> x > 990) a),
      A.find_mapi (fun i x -> if i > 5 && x > 990 then Some (i, x) else None) a,
      A.fold_left ( + ) 0 b,
      A.length (A.make_matrix 3 4 0).(1),
      Seq.length (A.to_seqi a) )
end

module Over_lists (L : ALL_OF_LIST) = struct
  let result () =
    let l = L.init 500 (fun i -> i * 7919 mod 500) in
    ( L.sort compare (L.rev_map succ (L.append l (L.take 3 l))),
      L.partition_map (fun x -> if x mod 2 = 0 then Either.Left x else Right (string_of_int x)) l,
      L.assoc 7 (L.mapi (fun i x -> (x, i)) l),
      (match L.cons 1 l with L.(x :: _) -> x | L.[] -> 0),
      L.fold_left ( - ) 0 l,
      L.find_index (fun x -> x > 490) l )
end

module Over_floats (F : FLOATARRAY) = struct
  let result () =
    let a = F.init 1_000 (fun i -> float (i * 7919 mod 1_000)) in
    F.shuffle ~rand:(fun n -> n / 2) a;
    F.map_inplace sqrt a;
    F.stable_sort Float.compare a;
    ( Float.Array.to_list a,
      F.exists Float.is_nan a,
      F.for_all (fun x -> x >= 0.) a,
      F.find_index (fun x -> x > 5.) a )
end

(* Eight parties count to a thousand under a lock, and the last wakes the one that waits. *)
module Over_locks (M : MUTEX) (C : CONDITION with type mutex = M.t) = struct
  let result start await =
    let m = M.create () and all_done = C.create () and count = ref 0 and at_end = ref 0 in
    let party () =
      for _ = 1 to 125 do
        M.protect m (fun () -> incr count)
      done;
      M.lock m;
      incr at_end;
      if !at_end = 8 then C.broadcast all_done;
      M.unlock m
    in
    let parties = List.init 8 (fun _ -> start party) in
    M.lock m;
    while !at_end < 8 do
      C.wait all_done m
    done;
    let total = !count in
    M.unlock m;
    List.iter await parties;
    (total, M.try_lock m)
end

(* Six parties share two units. *)
module Over_semaphores (S : SEMAPHORE) = struct
  let result start await =
    let s = S.make 2 and inside = Atomic.make 0 and most = Atomic.make 0 in
    let party () =
      for _ = 1 to 50 do
        S.acquire s;
        let here = 1 + Atomic.fetch_and_add inside 1 in
        if here > Atomic.get most then Atomic.set most here;
        Atomic.decr inside;
        S.release s
      done
    in
    List.iter await (List.init 6 (fun _ -> start party));
    let first = S.try_acquire s in
    (Atomic.get most <= 2, first, S.get_value s)
end

module Over_pools (P : PARALLEL) = struct
  let result () =
    P.run (fun () ->
        let later = P.async (fun () -> 1) in
        let a, b = P.par (fun () -> 2) (fun () -> "three") in
        (P.await later, a, b, P.all [ (fun () -> 4); (fun () -> 5) ]))
end

module Sequential = struct
  type 'a promise = 'a Lazy.t

  let run f = f ()

  let par f g =
    let x = f () in
    (x, g ())

  let all fs = List.map (fun f -> f ()) fs
  let async f = Lazy.from_fun f
  let await = Lazy.force
end

module Fair_mutex = struct
  include Weft.Mutex

  let create = create_fair
end

(* --- they fit --- *)

let same what expected got = in_each_size (fun () -> check what (compare (expected ()) (got ()) = 0))

let arrays () =
  let module Std = Over_arrays (Stdlib.Array) in
  let module Own = Over_arrays (Weft.Array) in
  same "arrays" Std.result Own.result

let lists () =
  let module Std = Over_lists (Stdlib.List) in
  let module Own = Over_lists (Weft.List) in
  same "lists" Std.result Own.result

let floats () =
  let module Std = Over_floats (Float.Array) in
  let module Own = Over_floats (Weft.Floatarray) in
  same "float arrays" Std.result Own.result

let locks () =
  let module Own_condition = struct
    include Weft.Condition

    type mutex = Weft.Mutex.t
  end in
  let module Std_condition = struct
    include Stdlib.Condition

    type mutex = Stdlib.Mutex.t
  end in
  let module Std = Over_locks (Stdlib.Mutex) (Std_condition) in
  let module Own = Over_locks (Weft.Mutex) (Own_condition) in
  let module Fair = Over_locks (Fair_mutex) (Own_condition) in
  let right what result = check what (result = (1_000, true)) in
  right "threads" (Std.result (fun f -> Thread.create f ()) Thread.join);
  in_each_size (fun () ->
      right "fibers" (Own.result Weft.async Weft.await);
      right "fair" (Fair.result Weft.async Weft.await))

let semaphores () =
  let module Std = Over_semaphores (Stdlib.Semaphore.Counting) in
  let module Own = Over_semaphores (Weft.Semaphore) in
  let right what result = check what (result = (true, true, 1)) in
  right "threads" (Std.result (fun f -> Thread.create f ()) Thread.join);
  in_each_size (fun () -> right "fibers" (Own.result Weft.async Weft.await))

let poisoning_mutexes () =
  let module Fits : sig
    type t

    val create : unit -> t
    val protect : t -> (unit -> 'a) -> 'a
  end =
    Weft.Poisoning_mutex
  in
  check_int "protected" 1 (Fits.protect (Fits.create ()) (fun () -> 1))

let pools () =
  let module Std = Over_pools (Sequential) in
  let module Own = Over_pools (struct
    include Weft

    let run f = run f
  end) in
  same "pools" Std.result Own.result

let tests =
  [
    case "ARRAY" arrays;
    case "LIST" lists;
    case "FLOATARRAY" floats;
    case "MUTEX and CONDITION" locks;
    case "SEMAPHORE" semaphores;
    case "a poisoning mutex as a MUTEX" poisoning_mutexes;
    case "PARALLEL" pools;
  ]
