open Support
open Loops

(* Loops and reductions whose bodies get blocks: {!Weft.parallel_for_blocks} and
   {!Weft.parallel_for_reduce_blocks}. *)

let ranges =
  List.map (fun n -> (0, n)) [ 1; 2; 3; 10; 63; 64; 65; 100; 129; 1000; often 40_000 ]
  @ [ (-5, 11); (min_int, 300); (max_int - 299, 300); (max_int, 1); (min_int, 1) ]

let chunks n = [ None; Some 1; Some 2; Some 7; Some 100; Some n; Some (n + 1); Some max_int ]

let label place (start, n) chunk_size =
  Printf.sprintf "%s, %d from %d, chunk %s" place.name n start
    (match chunk_size with None -> "free" | Some c -> string_of_int c)

let shown = Alcotest.(list (pair int int))

(* The blocks of [length], counted from the beginning. *)
let rec equal_blocks length first finish =
  if finish - first < length then [ (first, finish) ]
  else (first, first + length - 1) :: equal_blocks length (first + length) finish

(* In order: each begins where the one before has ended. *)
let rec joined what start finish = function
  | [] -> Alcotest.failf "%s: nothing from %d on" what start
  | (first, last) :: rest ->
      if first <> start || last < first || last > finish then
        Alcotest.failf "%s: a block from %d to %d, where %d comes" what first last start;
      if last < finish then joined what (last + 1) finish rest
      else if rest <> [] then Alcotest.failf "%s: blocks after the end" what

let each_index_once () =
  everywhere @@ fun place ->
  List.iter
    (fun ((start, n) as range) ->
      List.iter
        (fun chunk_size ->
          let seen = Atomic.make [] and finish = start + n - 1 in
          let body first last =
            if n < 2000 then noise ();
            add_to seen (first, last)
          in
          place.call (fun () -> Weft.parallel_for_blocks ?chunk_size ~start ~finish ~body ());
          let blocks = List.sort compare (Atomic.get seen) and what = label place range chunk_size in
          joined what start finish blocks;
          Option.iter
            (fun length -> Alcotest.check shown what (equal_blocks length start finish) blocks)
            chunk_size)
        (chunks n))
    ranges

(* --- reductions --- *)

let reduce place ?chunk_size (start, n) ~body combine init =
  place.call (fun () ->
      Weft.parallel_for_reduce_blocks ?chunk_size ~start ~finish:(start + n - 1) ~body combine init)

let longest = function None -> fun n -> max 64 (min 2048 ((n / 32) + 1)) | Some c -> Fun.const c

let blocks_are_halves () =
  (* What the documentation says of them. *)
  let rec halves longest first last =
    if last - first < longest then [ (first, last) ]
    else
      let middle = first + ((last - first) / 2) in
      halves longest first middle @ halves longest (middle + 1) last
  in
  everywhere @@ fun place ->
  List.iter
    (fun ((start, n) as range) ->
      List.iter
        (fun chunk_size ->
          let body first last =
            noise ();
            [ (first, last) ]
          in
          Alcotest.check shown (label place range chunk_size)
            ((0, 0) :: halves (longest chunk_size n) start (start + n - 1))
            (reduce place ?chunk_size range ~body ( @ ) [ (0, 0) ]))
        (if n > 1000 then [ None; Some 100 ] else chunks n))
    ranges

(* A body that combines from the left gives what a reduction of the elements gives. *)
let like_reductions_of_elements () =
  let element i = float_of_int (i land 1023) /. 7. in
  let body first last =
    let sum = ref (element first) in
    for i = first + 1 to last do
      sum := !sum +. element i
    done;
    noise ();
    !sum
  in
  let bits = Int64.bits_of_float in
  everywhere @@ fun place ->
  List.iter
    (fun (n, chunk_size) ->
      let elements =
        Weft.run ~domains:1 (fun () ->
            Weft.parallel_for_reduce ~chunk_size ~start:0 ~finish:(n - 1) ~body:element ( +. ) 0.5)
      in
      for _ = 1 to often 4 do
        if bits (reduce place ~chunk_size (0, n) ~body ( +. ) 0.5) <> bits elements then
          Alcotest.failf "%s: other bits" (label place (0, n) (Some chunk_size))
      done)
    [ (1, 1); (10, 3); (1000, 64); (often 30_000, 500) ];
  let n = often 100_000 in
  let sum place = bits (reduce place (0, n) ~body ( +. ) 0.) in
  if sum place <> sum { name = "one"; domains = 1; call = (fun f -> Weft.run ~domains:1 f) } then
    Alcotest.failf "%s: other bits than on one domain" place.name

(* --- failures and cancellation --- *)

let loops : (string * (?chunk_size:int -> int -> (int -> int -> unit) -> unit)) list =
  [
    ( "blocks",
      fun ?chunk_size n body -> Weft.parallel_for_blocks ?chunk_size ~start:0 ~finish:(n - 1) ~body () );
    ( "reduction",
      fun ?chunk_size n body ->
        Weft.parallel_for_reduce_blocks ?chunk_size ~start:0 ~finish:(n - 1) ~body (fun () () -> ()) () );
  ]

let the_first_failure_wins () =
  with_suppressed @@ fun suppressed ->
  everywhere @@ fun place ->
  List.iter
    (fun (what, (loop : ?chunk_size:int -> _)) ->
      List.iter
        (fun (n, chunk_size, fails) ->
          let failed = Atomic.make [] in
          let body first last =
            noise ();
            for i = first to last do
              if fails i then begin
                add_to failed i;
                culprit i
              end
            done
          in
          match place.call (fun () -> loop ?chunk_size n body) with
          | () -> Alcotest.failf "%s, %s: no exception" place.name what
          | exception Planned i ->
              let failed = List.sort compare (Atomic.get failed) in
              check_int (place.name ^ ", " ^ what ^ ": the smallest that ran") (List.hd failed) i;
              Alcotest.(check (list int))
                "the others go to the handler" (List.tl failed)
                (List.sort compare (suppressed ())))
        [
          (1, None, Fun.const true);
          (100, None, fun i -> i > 70);
          (100, Some 3, fun i -> i land 7 = 5);
          (3000, None, fun i -> i mod 100 = 50);
          (3000, Some 10, fun i -> i = 2999);
        ])
    loops

let nothing_new_after_a_failure () =
  everywhere @@ fun place ->
  List.iter
    (fun (what, (loop : ?chunk_size:int -> _)) ->
      let s = stopping () in
      let body first _ =
        begins s;
        Unix.sleepf 0.0002;
        if first = 9 then begin
          Atomic.set s.told true;
          culprit first
        end
      in
      (match place.call (fun () -> loop ~chunk_size:3 6000 body) with
      | () -> Alcotest.fail "no exception"
      | exception Planned i -> check_int what 9 i);
      stopped (Printf.sprintf "%s, %s" place.name what) s ~domains:place.domains)
    loops

let cancelled () =
  everywhere @@ fun place ->
  List.iter
    (fun (what, (loop : ?chunk_size:int -> _)) ->
      List.iter
        (fun chunk_size ->
          let token = Weft.Cancel.create () in
          let body first last = if first <= 5000 && 5000 <= last then Weft.Cancel.cancel token in
          let cancelled () =
            loop ?chunk_size max_int body;
            Weft.Cancel.check ()
          in
          match place.call (fun () -> Weft.Cancel.within token cancelled) with
          | () -> Alcotest.failf "%s, %s: not cancelled" place.name what
          | exception Weft.Cancel.Cancelled _ -> ())
        [ None; Some 1; Some 10 ])
    loops

(* Loops that have one block poll before it: else a fiber that runs one after the other never would. *)
let single_blocks () =
  everywhere @@ fun place ->
  let ignored _ _ = () in
  List.iter
    (fun (what, loop) ->
      let token = Weft.Cancel.create () in
      let rec for_ever () =
        loop ();
        for_ever ()
      in
      let stopped () =
        Weft.Cancel.cancel token;
        for_ever ()
      in
      match place.call (fun () -> Weft.Cancel.within token stopped) with
      | () -> Alcotest.failf "%s, %s: not cancelled" place.name what
      | exception Weft.Cancel.Cancelled _ -> ())
    [
      ("parallel_for", fun () -> Weft.parallel_for ~start:1 ~finish:1 ~body:ignore ());
      ( "parallel_for_blocks",
        fun () -> Weft.parallel_for_blocks ~chunk_size:8 ~start:1 ~finish:8 ~body:ignored () );
      ( "parallel_for_reduce",
        fun () -> ignore (Weft.parallel_for_reduce ~start:1 ~finish:1 ~body:Fun.id ( + ) 0 : int) );
      ( "parallel_for_reduce_blocks",
        fun () ->
          ignore (Weft.parallel_for_reduce_blocks ~start:1 ~finish:8 ~body:(fun _ _ -> 1) ( + ) 0 : int) );
    ]

let irregular () =
  everywhere @@ fun place ->
  List.iter
    (fun (what, (loop : ?chunk_size:int -> _)) ->
      List.iter
        (fun work ->
          let n = often 3000 in
          let marks = Array.make n 0 in
          let body first last =
            for i = first to last do
              work i;
              marks.(i) <- marks.(i) + 1
            done
          in
          place.call (fun () -> loop ?chunk_size:None n body);
          Array.iteri (fun i m -> check_int (Printf.sprintf "%s, %s: %d" place.name what i) 1 m) marks)
        [
          (fun i -> spin (Hashtbl.hash i land 1023));
          (fun i -> if i land 31 = 0 then Weft.yield ());
          (fun i -> if i mod 500 = 3 then spin 100_000);
        ])
    loops

let tests =
  [
    case "blocks cover the range, and have the length that was asked for" each_index_once;
    case "the blocks of a reduction are halves of the range" blocks_are_halves;
    case "sums by blocks have the bits of sums of elements" like_reductions_of_elements;
    case "the first block that fails wins" the_first_failure_wins;
    case "no block begins after a failure" nothing_new_after_a_failure;
    case "loops of blocks are cancelled" cancelled;
    case "loops of a single block are cancelled" single_blocks;
    case "irregular blocks" irregular;
  ]
