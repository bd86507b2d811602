(** The statistics of a structure. *)

open Subject
open Support

let statistics_add_up () =
  on_each_size (fun () ->
      let s = make () in
      let b = B.create ~cutoff:(`Fixed 4) s in
      meet b 5_000;
      let stats = B.stats b in
      check_int "operations" 5_000 (stats.in_place + stats.batched);
      check_int "batches" stats.batches (Array.fold_left ( + ) 0 stats.sizes);
      check_int "parallel" stats.parallel (List.length s.batches);
      check "mean" (stats.batches = 0 || Weft_batch.Stats.mean_batch stats >= 1.);
      check "share" (Weft_batch.Stats.in_place_share stats <= 1.);
      check "printed" (String.length (Format.asprintf "%a" Weft_batch.Stats.pp stats) > 40))

let each_batch_is_a_span () =
  on_each_size (fun () ->
      let b = B.create ~cutoff:(`Fixed 2) (make ()) in
      let seen = ref [] and lock = Mutex.create () in
      let note span =
        Mutex.protect lock (fun () -> seen := span :: !seen);
        failwith "what it raises is ignored"
      in
      Weft_batch.Span.observe (Some note);
      Fun.protect
        ~finally:(fun () -> Weft_batch.Span.observe None)
        (fun () ->
          meet b 1_000;
          ignore (B.exec_many b [| Add 1; Add 2 |]));
      let stats = B.stats b in
      check_int "spans" stats.batches (List.length !seen);
      check_int "operations" stats.batched
        (List.fold_left (fun n (s : Weft_batch.Span.t) -> n + s.size) 0 !seen);
      check "times" (List.for_all (fun (s : Weft_batch.Span.t) -> 0 < s.began && s.began <= s.ended) !seen);
      check "parallel" (List.for_all (fun (s : Weft_batch.Span.t) -> s.parallel = (s.size > 1)) !seen))

let a_verdict_where_batching_does_not_pay () =
  let stats ?alone ?together ?joined ~in_place ~batched ~batches () : Weft_batch.Stats.t =
    {
      in_place;
      batched;
      joined = Option.value joined ~default:batched;
      batches;
      parallel = batches;
      sizes = [||];
      seconds = 0.;
      wait_median = None;
      wait_p99 = None;
      alone;
      together;
      cutoff = None;
    }
  in
  let verdict s = Weft_batch.Stats.verdict s <> None in
  check "too few to say" (not (verdict (stats ~in_place:10 ~batched:0 ~batches:0 ())));
  check "hardly ever in line" (verdict (stats ~in_place:100_000 ~batched:10 ~batches:9 ()));
  check "in twos" (verdict (stats ~in_place:1_000 ~batched:100_000 ~batches:90_000 ()));
  check "never in parallel"
    (verdict { (stats ~in_place:1_000 ~batched:100_000 ~batches:1_000 ()) with parallel = 0 });
  let hundreds ?alone ?together ?joined () =
    stats ?alone ?together ?joined ~in_place:1_000 ~batched:100_000 ~batches:1_000 ()
  in
  check "in hundreds" (not (verdict (hundreds ())));
  check "in hundreds, and much faster so" (not (verdict (hundreds ~alone:9e-6 ~together:3e-6 ())));
  check "cheap operations" (verdict (hundreds ~alone:0.3e-6 ~together:0.1e-6 ()));
  check "slower together" (verdict (hundreds ~alone:9e-6 ~together:12e-6 ()));
  check "submitted, and twice as fast so"
    (not (verdict (hundreds ~alone:2.7e-6 ~together:1.3e-6 ~joined:0 ())));
  check "half of them submitted, 1.2 us saved"
    (not (verdict (hundreds ~alone:2.7e-6 ~together:1.5e-6 ~joined:50_000 ())));
  check "most of them waited, 1.2 us saved"
    (verdict (hundreds ~alone:2.7e-6 ~together:1.5e-6 ~joined:90_000 ()));
  check "submitted, slower together" (verdict (hundreds ~alone:1e-6 ~together:2e-6 ~joined:0 ()));
  let says what parts s =
    match Weft_batch.Stats.verdict s with
    | None -> Alcotest.fail what
    | Some line -> List.iter (fun part -> Testing.Text.check_contains what ~part line) parts
  in
  says "little saved"
    [ "mean batch 100.0"; "1.3 us"; "900 ns"; "submit"; "Mutex" ]
    (hundreds ~alone:1.3e-6 ~together:0.9e-6 ());
  says "nothing saved" [ "12.0 us"; "one task" ] (hundreds ~alone:9e-6 ~together:12e-6 ());
  says "submitted in twos" [ "mean batch 1.1"; "submit more" ]
    (stats ~in_place:0 ~batched:100_000 ~batches:90_000 ~joined:0 ())

let those_who_joined_are_counted () =
  Weft.run ~domains:1 @@ fun () ->
  until_undisturbed "calls come while another is inside" @@ fun () ->
  let b = B.create (make ()) in
  ignore (B.exec_many b [| Add 1; Add 2 |]);
  ignore (Weft.await (B.submit b (Add 3)));
  ignore (Weft.await (B.submit_many b [| Add 4; Add 5 |]));
  check_int "nobody" 0 (B.stats b).joined;
  let holder = Weft.async (fun () -> B.exclusive b (fun _ -> Weft.yield ())) in
  let calls = List.init 7 (fun i -> Weft.async (fun () -> ignore (B.exec b (Add i)))) in
  List.iter Weft.await (holder :: calls);
  let stats = B.stats b in
  check_int "of all batches" (stats.batched - 5) stats.joined;
  if stats.joined > 0 then Ok () else Error "nobody joined"

module Waiting = struct
  type t = unit
  type _ op = Wait : unit op
  type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

  let apply (type a) () (Wait : a op) : a = Unix.sleepf 0.002
  let run = Some (fun () -> Array.iter (fun (Op (Wait, cell)) -> Weft_batch.Cell.resolve cell ()))
end

module Slow = Weft_batch.Make (Waiting)

(* The structure takes hardly any time for batches, and long for single operations. *)
let costs_are_measured () =
  Weft.run ~domains:1 @@ fun () ->
  until_undisturbed "a batch takes no time" @@ fun () ->
  let b = Slow.create ~cutoff:(`Fixed 8) () in
  let lined_up n =
    let holder = Weft.async (fun () -> Slow.exclusive b (fun () -> Weft.yield ())) in
    let calls = List.init n (fun _ -> Weft.async (fun () -> Slow.exec b Waiting.Wait)) in
    List.iter Weft.await (holder :: calls)
  in
  lined_up 4;
  lined_up 64;
  let stats = Slow.stats b in
  match (stats.alone, stats.together) with
  | Some alone, Some together ->
      if alone < 0.0015 then Alcotest.failf "one by one: %g s" alone;
      if together > alone /. 4. then
        Error (Printf.sprintf "in a batch: %g s, one by one: %g s" together alone)
      else Ok ()
  (* The holder may leave before a batch's worth of callers has lined up. *)
  | alone, together ->
      Error
        (Printf.sprintf "measured one by one: %b, in a batch: %b" (Option.is_some alone)
           (Option.is_some together))

(* Outside of all pools, too. *)
let threads_wait_too () =
  until_undisturbed "the second thread comes while the first is there" @@ fun () ->
  let b = B.create (make ()) in
  let held = Atomic.make false in
  let hold () =
    Atomic.set held true;
    Thread.delay 0.05
  in
  let holder = Thread.create (fun () -> B.exec b (Call hold)) () in
  Testing.Watchdog.until "it is held" (fun () -> Atomic.get held);
  B.exec b (Call ignore);
  Thread.join holder;
  match (B.stats b).wait_median with
  | Some s when s > 0.01 -> Ok ()
  | Some s -> Error (Printf.sprintf "waited for %g s" s)
  | None -> Error "nobody waited"

let tests =
  [
    case "statistics add up" statistics_add_up;
    case "each batch is a span" each_batch_is_a_span;
    case "a verdict where batching does not pay" a_verdict_where_batching_does_not_pay;
    case "those who joined are counted" those_who_joined_are_counted;
    case "costs are measured" costs_are_measured;
    case "threads wait, too" threads_wait_too;
  ]
