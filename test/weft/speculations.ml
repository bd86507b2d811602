open Support

(* {!Weft.speculative_for} against sequential loops. *)

let speculate = Weft.speculative_for

(* --- graphs: for each node, its neighbours --- *)

let graph seed nodes edges =
  let random = Random.State.make [| seed |] in
  let neighbours = Array.make nodes [] in
  for _ = 1 to edges do
    let u = Random.State.int random nodes and v = Random.State.int random nodes in
    if u <> v then begin
      neighbours.(u) <- v :: neighbours.(u);
      neighbours.(v) <- u :: neighbours.(v)
    end
  done;
  neighbours

type state = Undecided | In | Out

let greedy_set neighbours =
  let states = Array.make (Array.length neighbours) Undecided in
  Array.iteri
    (fun u near -> states.(u) <- (if List.exists (fun v -> states.(v) = In) near then Out else In))
    neighbours;
  states

(* A node looks at its earlier neighbours. *)
let independent_set ?round neighbours =
  let n = Array.length neighbours in
  let states = Array.make n Undecided and decisions = Array.make n Undecided in
  let reserve u =
    let earlier = List.filter (fun v -> v < u) neighbours.(u) in
    decisions.(u) <-
      (if List.exists (fun v -> states.(v) = In) earlier then Out
       else if List.exists (fun v -> states.(v) = Undecided) earlier then Undecided
       else In);
    true
  and commit u =
    states.(u) <- decisions.(u);
    states.(u) <> Undecided
  in
  speculate ?round ~start:0 ~finish:(n - 1) ~reserve ~commit ();
  states

let edges_of neighbours =
  let edges = ref [] in
  Array.iteri (fun u near -> List.iter (fun v -> if u < v then edges := (u, v) :: !edges) near) neighbours;
  Array.of_list !edges

let greedy_matching nodes edges =
  let matched = Array.make nodes false in
  Array.map
    (fun (u, v) ->
      let free = not (matched.(u) || matched.(v)) in
      if free then begin
        matched.(u) <- true;
        matched.(v) <- true
      end;
      free)
    edges

let rec lower cell i =
  let was = Atomic.get cell in
  if i < was && not (Atomic.compare_and_set cell was i) then lower cell i

(* An edge reserves both ends. *)
let matching ?round nodes edges =
  let matched = Array.make nodes false and taken = Array.make (Array.length edges) false in
  let cells = Array.init nodes (fun _ -> Atomic.make max_int) in
  let reserve i =
    let u, v = edges.(i) in
    (not (matched.(u) || matched.(v)))
    && begin
         lower cells.(u) i;
         lower cells.(v) i;
         true
       end
  and commit i =
    let u, v = edges.(i) in
    let holds u = Atomic.get cells.(u) = i in
    let wins = holds u && holds v in
    if wins then begin
      matched.(u) <- true;
      matched.(v) <- true;
      taken.(i) <- true
    end;
    List.iter (fun u -> if holds u then Atomic.set cells.(u) max_int) [ u; v ];
    wins
  in
  speculate ?round ~start:0 ~finish:(Array.length edges - 1) ~reserve ~commit ();
  taken

let like_sequential_loops () =
  in_each_size @@ fun () ->
  List.iter
    (fun (nodes, edges) ->
      let neighbours = graph (nodes + edges) nodes edges in
      let set = greedy_set neighbours and edges = edges_of neighbours in
      let matched = greedy_matching nodes edges in
      List.iter
        (fun round ->
          check "independent set" (independent_set ?round neighbours = set);
          check "matching" (matching ?round nodes edges = matched))
        [ None; Some 1; Some 2; Some 100; Some max_int ])
    [ (1, 0); (2, 1); (10, 30); (1_000, 500); (1_000, 10_000); ((if is_tiny then 300 else 5_000), 20_000) ]

(* --- rounds --- *)

(* Iterations of which each needs the one before. *)
let chains () =
  in_each_size @@ fun () ->
  let n = 300 in
  let done_ = Array.make (n + 1) false in
  done_.(0) <- true;
  let ready = Array.make (n + 1) false in
  let rounds = ref 0 in
  speculate ~start:1 ~finish:n
    ~reserve:(fun i ->
      ready.(i) <- done_.(i - 1);
      true)
    ~commit:(fun i ->
      if ready.(i) then begin
        incr rounds;
        done_.(i) <- true
      end;
      ready.(i))
    ();
  check_int "one in each round" n !rounds;
  check "all" (Array.for_all Fun.id done_)

(* How often each is tried. Every fifth needs the one before, and every eleventh the tenth before. *)
let tries ?round n =
  let needs i = if i mod 5 = 0 then i - 1 else if i mod 11 = 0 then i - 10 else -1 in
  let is_done = Array.make n false and ready = Array.make n false and tries = Array.make n 0 in
  let reserve i =
    tries.(i) <- tries.(i) + 1;
    ready.(i) <- needs i < 0 || is_done.(needs i);
    true
  and commit i =
    if ready.(i) then is_done.(i) <- true;
    ready.(i)
  in
  speculate ?round ~start:0 ~finish:(n - 1) ~reserve ~commit ();
  tries

let the_same_rounds_for_all_sizes () =
  List.iter
    (fun round ->
      let all = ref [] in
      in_each_size (fun () -> all := tries ?round 10_000 :: !all);
      let first = List.hd !all in
      List.iter (fun t -> check "tries" (t = first)) !all;
      check "some once" (Array.exists (fun n -> n = 1) first);
      if round <> Some 1 then check "some again" (Array.exists (fun n -> n > 1) first))
    [ None; Some 1; Some 64; Some max_int ]

(* In a round, nothing commits before all have reserved; and at most [round] are tried. *)
let reserve_then_commit () =
  in_each_size @@ fun () ->
  let most = 50 in
  let reserved = Atomic.make 0 in
  let reserve _ =
    check "the round is not longer" (Atomic.fetch_and_add reserved 1 < most);
    true
  and commit _ =
    (* At the end of a round, the count is 0 again. *)
    check "they have reserved" (Atomic.fetch_and_add reserved (-1) > 0);
    true
  in
  speculate ~round:most ~start:1 ~finish:1_000 ~reserve ~commit ();
  check_int "reserved" 0 (Atomic.get reserved);
  let committing = Atomic.make false in
  speculate ~round:most ~start:1 ~finish:12
    ~reserve:(fun _ ->
      check "nobody commits" (not (Atomic.get committing));
      spin 10_000;
      true)
    ~commit:(fun _ ->
      Atomic.set committing true;
      true)
    ()

let only_some_commit () =
  in_each_size @@ fun () ->
  raises_invalid "none" "Weft.speculative_for: none of 3 iterations could commit, the first being 7"
    (fun () -> speculate ~start:5 ~finish:9 ~reserve:(fun i -> i >= 7) ~commit:(fun _ -> false) ());
  raises_invalid "round" "Weft.speculative_for: round must be at least 1, not 0" (fun () ->
      speculate ~round:0 ~start:1 ~finish:0 ~reserve:(fun _ -> true) ~commit:(fun _ -> true) ());
  (* What has nothing to commit is done. *)
  let committed = Atomic.make 0 in
  let commit i =
    check "it has reserved" (i mod 3 = 0);
    Atomic.incr committed;
    true
  in
  speculate ~start:1 ~finish:3_000 ~reserve:(fun i -> i mod 3 = 0) ~commit ();
  check_int "committed" 1_000 (Atomic.get committed);
  speculate ~start:1 ~finish:0 ~reserve:(fun _ -> raise (Planned 0)) ~commit:(fun _ -> raise (Planned 1)) ()

(* --- failures, cancellation, waiting --- *)

let steps visit = [ ("reserve", visit, fun _ -> true); ("commit", (fun _ -> true), visit) ]

let failures () =
  in_each_size @@ fun () ->
  List.iter
    (fun at ->
      let visit i = if i = at then raise (Planned i) else true in
      List.iter
        (fun (name, reserve, commit) ->
          match speculate ~start:0 ~finish:5_000 ~reserve ~commit () with
          | () -> Alcotest.failf "%s: no exception" name
          | exception Planned i -> check_int name at i)
        (steps visit))
    [ 0; 300; 5_000 ]

let cancellations () =
  in_each_size @@ fun () ->
  let token = ref (Weft.Cancel.create ()) and calls = Atomic.make 0 in
  let visit _ =
    if Atomic.fetch_and_add calls 1 = 1_000 then Weft.Cancel.cancel !token;
    true
  in
  List.iter
    (fun (name, reserve, commit) ->
      token := Weft.Cancel.create ();
      Atomic.set calls 0;
      match Weft.Cancel.within !token (fun () -> speculate ~start:0 ~finish:max_int ~reserve ~commit ()) with
      | () -> Alcotest.failf "%s: returned" name
      | exception Weft.Cancel.Cancelled _ -> ())
    (steps visit)

let ended_by_their_pool () =
  let never = Weft.Ivar.create () in
  List.iter
    (fun (_, reserve, commit) ->
      waits_and_is_ended (fun () -> speculate ~start:0 ~finish:99 ~reserve ~commit ()))
    (steps (fun _ -> Weft.Ivar.read never))

(* Those of a round wait for each other. *)
let iterations_that_wait () =
  in_each_size @@ fun () ->
  let here = Atomic.make 0 in
  let meet _ =
    Atomic.incr here;
    yield_until "all are here" (fun () -> Atomic.get here mod 50 = 0 || Atomic.get here > 50);
    true
  in
  List.iter
    (fun (_, reserve, commit) ->
      Atomic.set here 0;
      speculate ~start:1 ~finish:50 ~reserve ~commit ())
    (steps meet)

(* How many iterations each round tries, if all commit. *)
let lengths_of_rounds ~round ~finish =
  let reserved = Atomic.make 0 and lengths = Atomic.make [] in
  let reserve _ =
    Atomic.incr reserved;
    true
  and commit _ =
    (* All have reserved by now; the first to commit counts them. *)
    let n = Atomic.exchange reserved 0 in
    if n > 0 then Atomic.set lengths (n :: Atomic.get lengths);
    true
  in
  speculate ~round ~start:1 ~finish ~reserve ~commit ();
  List.rev (Atomic.get lengths)

let rounds_grow () =
  in_each_size @@ fun () ->
  let same what = Alcotest.(check (list int)) what in
  same "round 1" [ 1; 1; 1 ] (lengths_of_rounds ~round:1 ~finish:3);
  same "round 3" [ 1; 2; 3; 3; 1 ] (lengths_of_rounds ~round:3 ~finish:10);
  same "round 38" [ 9; 18; 36; 37 ] (lengths_of_rounds ~round:38 ~finish:100);
  same "round 64" [ 16; 32; 64; 64; 24 ] (lengths_of_rounds ~round:64 ~finish:200)

let tests =
  [
    case "rounds grow while all commit, short ones too" rounds_grow;
    case "sets and matchings are those of sequential loops" like_sequential_loops;
    case "chains" chains;
    case "the same rounds for every number of domains" the_same_rounds_for_all_sizes;
    case "all reserve before one commits" reserve_then_commit;
    case "some have nothing to commit; a round in which nobody commits is told" only_some_commit;
    case "failures" failures;
    case "cancellations" cancellations;
    case "ended by the closing of their pool" ended_by_their_pool;
    case "iterations that wait" iterations_that_wait;
  ]
