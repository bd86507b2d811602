(* A body that waits lets the next ones begin, on one domain as on several: when a loop's fiber is
   suspended, the rest of the loop becomes a job. *)

open Support
module Promise = Weft.Promise

exception Failed

(* [arrive ()] returns when [n] callers have called it: so all must have begun. *)
let meeting n =
  let arrived = Atomic.make 0 and all_here = Promise.create () in
  fun () ->
    if Atomic.fetch_and_add arrived 1 = n - 1 then Promise.resolve all_here () else Weft.await all_here

(* Each calls [arrive] [n] times. *)
let loops : (string * (int -> (unit -> unit) -> unit)) list =
  let is_there arrive _ =
    arrive ();
    true
  in
  [
    ("parallel_for", fun n arrive -> Weft.parallel_for ~start:1 ~finish:n ~body:(fun _ -> arrive ()) ());
    ( "parallel_for, in chunks of 1",
      fun n arrive -> Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:n ~body:(fun _ -> arrive ()) () );
    ( "parallel_for in a parallel_for",
      fun n arrive ->
        let rows = Int.max 1 (n / 5) in
        let columns i = if i < rows then n / rows else n - (n / rows * (rows - 1)) in
        Weft.parallel_for ~start:1 ~finish:rows
          ~body:(fun i -> Weft.parallel_for ~start:1 ~finish:(columns i) ~body:(fun _ -> arrive ()) ())
          () );
    ( "parallel_for_reduce",
      fun n arrive ->
        let body i =
          arrive ();
          i
        in
        let sum = Weft.parallel_for_reduce ~start:1 ~finish:n ~body ( + ) 0 in
        check_int "sum" (n * (n + 1) / 2) sum );
    ( "parallel_for_blocks",
      fun n arrive ->
        let body first last =
          for _ = first to last do
            arrive ()
          done
        in
        Weft.parallel_for_blocks ~start:1 ~finish:n ~body () );
    ( "parallel_for_blocks, of 1",
      fun n arrive ->
        Weft.parallel_for_blocks ~chunk_size:1 ~start:1 ~finish:n ~body:(fun _ _ -> arrive ()) () );
    ( "parallel_for_reduce_blocks, of 1",
      fun n arrive ->
        let body first _ =
          arrive ();
          first
        in
        let sum = Weft.parallel_for_reduce_blocks ~chunk_size:1 ~start:1 ~finish:n ~body ( + ) 0 in
        check_int "sum" (n * (n + 1) / 2) sum );
    ( "parallel_find",
      fun n arrive ->
        let body _ =
          arrive ();
          None
        in
        ignore (Weft.parallel_find ~start:1 ~finish:n ~body () : unit option) );
    ( "Array.init",
      fun n arrive ->
        let element i =
          arrive ();
          i
        in
        Alcotest.(check (array int)) "elements" (Array.init n Fun.id) (Weft.Array.init n element) );
    ("Array.iter", fun n arrive -> Weft.Array.iter arrive (Array.make n ()));
    ("Array.filter", fun n arrive -> ignore (Weft.Array.filter (is_there arrive) (Array.make n ())));
    ("Array.for_all", fun n arrive -> ignore (Weft.Array.for_all (is_there arrive) (Array.make n ())));
    ( "List.map",
      fun n arrive ->
        let f i =
          arrive ();
          i + 1
        in
        Alcotest.(check (list int)) "elements" (List.init n succ) (Weft.List.map f (List.init n Fun.id)) );
    ("Seq.iter", fun n arrive -> Weft.Seq.iter (fun _ -> arrive ()) (Weft.Seq.of_range 1 n));
    ( "fork and loop",
      fun n arrive -> ignore (Weft.par (fun () -> Weft.Array.iter arrive (Array.make (n - 1) ())) arrive) );
  ]

let all_meet () =
  in_each_size @@ fun () ->
  List.iter
    (fun (what, loop) ->
      List.iter
        (fun n -> watched (fun () -> Printf.sprintf "%s: %d bodies" what n) (fun () -> loop n (meeting n)))
        [ 2; 3; 20; 63; 200 ])
    loops

(* Functions that make an array or a list of what [f] returns for 0 to n - 1. Long arrays are made when the first
   element is there: even that may wait for the last. *)
let makers : (string * (int -> (int -> int) -> int array)) list =
  let array n = Array.init n Fun.id and list n = List.init n Fun.id and of_list = Array.of_list in
  let some f i = Some (f i) and left f i = Either.Left (f i) in
  let is_there f i = f i = i in
  [
    ("Array.init", Weft.Array.init);
    ("Array.map", fun n f -> Weft.Array.map f (array n));
    ("Array.mapi", fun n f -> Weft.Array.mapi (fun i _ -> f i) (array n));
    ("Array.map2", fun n f -> Weft.Array.map2 (fun i _ -> f i) (array n) (array n));
    ("Array.filter", fun n f -> Weft.Array.filter (is_there f) (array n));
    ("Array.filter_map", fun n f -> Weft.Array.filter_map (some f) (array n));
    ( "Array.sort_by_key",
      fun n f ->
        let a = array n in
        Weft.Array.sort_by_key ~key:f Int.compare a;
        a );
    ("Array.group_by", fun n f -> Array.map fst (Weft.Array.group_by ~key:f (array n)));
    ("List.init", fun n f -> of_list (Weft.List.init n f));
    ("List.map", fun n f -> of_list (Weft.List.map f (list n)));
    ("List.map2", fun n f -> of_list (Weft.List.map2 (fun i _ -> f i) (list n) (list n)));
    ("List.filter", fun n f -> of_list (Weft.List.filter (is_there f) (list n)));
    ("List.filter_map", fun n f -> of_list (Weft.List.filter_map (some f) (list n)));
    ("List.partition", fun n f -> of_list (fst (Weft.List.partition (is_there f) (list n))));
    ("List.partition_map", fun n f -> of_list (fst (Weft.List.partition_map (left f) (list n))));
    ("List.concat_map", fun n f -> of_list (Weft.List.concat_map (fun i -> [ f i ]) (list n)));
    ("List.split_map", fun n f -> of_list (fst (Weft.List.split_map (fun i -> (f i, ())) (list n))));
    ("Seq.to_array", fun n f -> Weft.Seq.(to_array (map f (of_range 0 (n - 1)))));
    ("Seq.to_list", fun n f -> of_list Weft.Seq.(to_list (map f (of_range 0 (n - 1)))));
    ("Seq.memoize", fun n f -> Weft.Seq.(to_array (memoize (map f (of_range 0 (n - 1))))));
  ]

let first_waits_for_last () =
  let run test =
    in_each_size test;
    ignore (Weft.Profile.run test)
  in
  run @@ fun () ->
  List.iter
    (fun (what, make) ->
      List.iter
        (fun n ->
          let last = Promise.create () and calls = Atomic.make 0 in
          let f i =
            Atomic.incr calls;
            if i = 0 then Weft.await last;
            if i = n - 1 then Promise.resolve last ();
            i
          in
          let what = Printf.sprintf "%s of %d" what n in
          let made = watched (fun () -> what) (fun () -> make n f) in
          check_int (what ^ ": calls") n (Atomic.get calls);
          Array.sort Int.compare made;
          check what (made = Array.init n Fun.id))
        [ 10; 5_000 ])
    makers

(* Many bodies that do not wait lie between those that do: the blocks take some microseconds. *)
let meet_after_others () =
  in_each_size @@ fun () ->
  List.iter
    (fun (what, loop) ->
      let n = 200_000 and late = 10 in
      let arrive = meeting late and calls = Atomic.make 0 in
      let sometimes () = if Atomic.fetch_and_add calls 1 mod (n / late) = 0 then arrive () in
      watched (fun () -> what) (fun () -> loop n sometimes))
    (List.filter (fun (what, _) -> what = "parallel_for" || what = "parallel_for, in chunks of 1") loops)

let each_once () =
  in_each_size @@ fun () ->
  List.iter
    (fun chunk_size ->
      let n = tries 20_000 in
      let ran = Array.init n (fun _ -> Atomic.make 0) in
      let body i =
        if i land 3 = 0 then Weft.yield ();
        Atomic.incr ran.(i);
        if i land 7 = 0 then Weft.yield ()
      in
      Weft.parallel_for ?chunk_size ~start:0 ~finish:(n - 1) ~body ();
      Array.iteri (fun i count -> check_int (string_of_int i) 1 (Atomic.get count)) ran)
    [ None; Some 1; Some 7 ]

let scans () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let add a b =
        if (a + b) land 31 = 0 then Weft.yield ();
        a + b
      in
      let expected = Array.init n (fun i -> (i + 1) * (i + 2) / 2) in
      Alcotest.(check (array int)) "sums" expected (Weft.parallel_scan add (Array.init n succ)))
    [ 1; 2; 50; 5_000 ]

(* Sums of floats have the same bits, whichever body waited. *)
let same_bits () =
  let n = 3_000 in
  let sum ~waits =
    Weft.parallel_for_reduce ~start:1 ~finish:n
      ~body:(fun i ->
        if waits && i mod 7 = 0 then Weft.yield ();
        1. /. float i)
      ( +. ) 0.
  in
  let expected = Weft.run ~domains:1 (fun () -> sum ~waits:false) in
  in_each_size (fun () ->
      if Int64.bits_of_float (sum ~waits:true) <> Int64.bits_of_float expected then Alcotest.fail "other bits")

(* One body fails when all the others wait for ever: these end, and have left. *)
let one_fails () =
  in_each_size @@ fun () ->
  List.iter
    (fun (what, loop) ->
      List.iter
        (fun n ->
          let entered = Atomic.make 0 and left = Atomic.make 0 in
          let body () =
            if Atomic.fetch_and_add entered 1 = n - 1 then raise Failed;
            Fun.protect (fun () -> Weft.await (Promise.create ())) ~finally:(fun () -> Atomic.incr left)
          in
          (match watched (fun () -> what) (fun () -> loop n body) with
          | () -> Alcotest.failf "%s: no exception" what
          | exception Failed -> ());
          check_int (what ^ ": have left") (n - 1) (Atomic.get left))
        [ 2; 20; 63 ])
    loops

(* All bodies wait, and are then cancelled from outside. *)
let all_cancelled () =
  in_each_size @@ fun () ->
  List.iter
    (fun (what, loop) ->
      let n = 40 in
      let token = Weft.Cancel.create () and entered = Atomic.make 0 and left = Atomic.make 0 in
      let body () =
        let last = Atomic.fetch_and_add entered 1 = n - 1 in
        Fun.protect
          (fun () ->
            if last then Weft.Cancel.cancel token;
            Weft.await (Promise.create ()))
          ~finally:(fun () -> Atomic.incr left)
      in
      (match watched (fun () -> what) (fun () -> Weft.Cancel.within token (fun () -> loop n body)) with
      | () -> Alcotest.failf "%s: not cancelled" what
      | exception Weft.Cancel.Cancelled _ -> ());
      check_int (what ^ ": have left") n (Atomic.get left))
    loops

(* At most so many bodies wait at once on one domain: so memory is bounded. *)
let not_all_at_once () =
  Weft.run ~domains:1 @@ fun () ->
  let most = Weft_loops.Rest.most_helpers in
  let n = 3 * most and begun = ref 0 and waiting = ref 0 and peak = ref 0 and go_on = Promise.create () in
  let body _ =
    incr begun;
    incr waiting;
    peak := Int.max !peak !waiting;
    Weft.await go_on;
    decr waiting
  in
  let look () =
    yield_until "many wait" (fun () -> !waiting > most);
    for _ = 1 to 100 do
      Weft.yield ()
    done;
    Promise.resolve go_on ()
  in
  ignore (Weft.par look (fun () -> Weft.parallel_for ~start:1 ~finish:n ~body ()));
  check_int "begun" n !begun;
  (* The helpers, and the fiber of the loop. *)
  check_int "most" (most + 1) !peak

let tests =
  [
    case "all bodies of a loop meet" all_meet;
    case "some meet after many that do not wait" meet_after_others;
    case "the first element of an array or a list may wait for the last" first_waits_for_last;
    case "each iteration runs once" each_once;
    case "scans whose function waits" scans;
    case "sums have the same bits" same_bits;
    case "one fails while the others wait" one_fails;
    case "all are cancelled while they wait" all_cancelled;
    case "no more than so many wait at once" not_all_at_once;
  ]
