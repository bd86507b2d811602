(* [add_all] of many bindings whose keys ascend. *)

module Int_map = Map.Make (Int)

let case = Testing.Watchdog.case
let with_values value keys = Array.map (fun k -> (k, value k)) keys

(* The keys of a tree of [n] bindings are multiples of [apart]. *)
let apart = 1_000

let patterns n =
  let run from m = Array.init m (fun i -> from + i) in
  [
    ("before all", run (-500) 300);
    ("after all", run ((apart * n) + 1) 900);
    ("between two", run ((apart * (n / 2)) + 1) 900);
    ("spread", Array.init 700 (fun i -> (i * apart * n / 690) + i - 3));
    ("all there", Array.init n (fun i -> apart * i));
    ("just enough", run 3 64);
    ("too few", run 3 63);
  ]

module Make (K : Kinds.KIND) = struct
  module B = K.Batched

  let sizes = if K.is_slow then [ 0; 200 ] else [ 0; 1; 200; 3_000 ]

  let with_keys n =
    let t = B.create () in
    for i = 0 to n - 1 do
      B.add t (apart * i) (-1)
    done;
    t

  let check what t expected =
    K.check (B.snapshot t);
    if List.of_seq (B.to_seq t) <> Int_map.bindings expected then Alcotest.failf "%s: other bindings" what;
    Alcotest.(check int) (what ^ ": length") (Int_map.cardinal expected) (B.length t - K.feigned)

  let model t bindings =
    Array.fold_left (fun m (k, v) -> Int_map.add k v m) (Int_map.of_seq (B.to_seq t)) bindings

  let add_all n (what, keys) =
    let t = with_keys n and bindings = with_values (fun k -> 2 * k) keys in
    let expected = model t bindings in
    B.add_all t bindings;
    check (Printf.sprintf "%s of %d" what n) t expected;
    let tree = B.snapshot t in
    B.add_all t bindings;
    if (not K.is_slow) && B.snapshot t != tree then Alcotest.failf "%s: changed by nothing" what

  let everything () =
    let all () = List.iter (fun n -> List.iter (add_all n) (patterns n)) sizes in
    all ();
    List.iter (fun domains -> Weft.run ~domains all) (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 4 ])

  (* Then all are added one by one. *)
  let comparisons_that_raise () =
    let bindings = with_values Fun.id (Array.init 100 (fun i -> (i * 7) + 1)) in
    let expected = model (with_keys 50) bindings in
    List.iter
      (fun n ->
        let t = with_keys 50 in
        Keys.blow_after n (fun () -> B.add_all t bindings);
        check (Printf.sprintf "comparison %d raises" n) t expected)
      [ 1; 50; 99; 100; 101; 150 ]

  let limits () =
    let t = B.create ~limit:70 () and bindings = with_values Fun.id (Array.init 100 Fun.id) in
    B.add_all t bindings;
    check "in two batches" t (Int_map.of_seq (Array.to_seq bindings));
    Alcotest.(check (pair int int))
      "batches" (2, 100)
      (let s = B.stats t in
       (s.batches, s.batched));
    let t = B.create () in
    B.add_all t bindings;
    Alcotest.(check (pair int int))
      "one batch" (1, 100)
      (let s = B.stats t in
       (s.batches, s.batched))

  let tests =
    [
      case (K.name ^ ": all are added") everything;
      case (K.name ^ ": comparisons that raise") comparisons_that_raise;
      case (K.name ^ ": one batch, within the limit") limits;
    ]
end

module Counted = struct
  type t = int

  let comparisons = Atomic.make 0

  let compare (a : int) b =
    Atomic.incr comparisons;
    Int.compare a b

  let during f =
    Atomic.set comparisons 0;
    f ();
    Atomic.get comparisons
end

module Map = Weft_batch.Avl.Make (Counted)

(* Each key is compared with the one before it; then the run goes to its place as a whole. *)
let a_run_is_not_compared_again () =
  let n = 4_000 and m = 5_000 in
  List.iter
    (fun (what, from) ->
      let t = Map.create () in
      Map.add_all t (Array.init n (fun i -> (10_000 * i, i)));
      let count = Counted.during (fun () -> Map.add_all t (Array.init m (fun i -> (from + i, i)))) in
      Alcotest.(check int) (what ^ ": length") (n + m) (Map.length t);
      (* 13 levels at most, and 14 comparisons at each. *)
      if count > m + (15 * 15) then Alcotest.failf "%s: %d comparisons for %d bindings" what count m)
    [ ("between two", 20_000_001); ("after all", 10_000 * n); ("before all", -m) ]

let tests = [ case "a run is not compared again" a_run_is_not_compared_again ]
