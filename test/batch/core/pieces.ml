(* [exec_all ~whole:false]. *)

open Support

(* Notes which operations were applied how; either way takes as long as it is told to. *)
type subject = {
  alone_takes : float;
  together_takes : float;  (** seconds *)
  mutable order : int list;  (** the last first *)
  mutable alone : int;
  mutable batches : int list;  (** sizes, the last first *)
}

exception Refused of int

module Timed = struct
  type t = subject
  type _ op = Note : int -> unit op | Refuse : int -> unit op | Read : int op
  type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

  let take seconds =
    if seconds > 0. then begin
      let until = Unix.gettimeofday () +. seconds in
      while Unix.gettimeofday () < until do
        ()
      done
    end

  let apply_untimed : type a. t -> a op -> a =
   fun t -> function
    | Note i -> t.order <- i :: t.order
    | Refuse i -> raise (Refused i)
    | Read -> List.length t.order

  let apply t op =
    take t.alone_takes;
    t.alone <- t.alone + 1;
    apply_untimed t op

  let run t ops =
    t.batches <- Array.length ops :: t.batches;
    let apply_in_batch (Op (op, cell)) =
      take t.together_takes;
      match apply_untimed t op with
      | v -> Weft_batch.Cell.resolve cell v
      | exception exn -> Weft_batch.Cell.fail cell exn (Printexc.get_raw_backtrace ())
    in
    Array.iter apply_in_batch ops

  let run = Some run
end

module B = Weft_batch.Make (Timed)

module Without_batches = Weft_batch.Make (struct
  include Timed

  let run = None
end)

let make (alone, together) =
  { alone_takes = alone; together_takes = together; order = []; alone = 0; batches = [] }

let dear_alone = (20e-6, 0.)
let dear_together = (0., 3e-6)
let in_order name n s = check (name ^ ": in order") (List.rev s.order = List.init n Fun.id)

let everywhere f =
  f ();
  on_each_size f

let n = 60_000

let the_cheaper_way_is_gone_on_with () =
  let is_chosen what costs ~alone batches =
    until_undisturbed what @@ fun () ->
    let s = make costs in
    B.exec_all ~whole:false (B.create s) n (fun i -> Note i);
    in_order what n s;
    if s.alone = alone && s.batches = batches then Ok ()
    else
      Error
        (Printf.sprintf "%d one by one, batches of %s" s.alone
           (String.concat ", " (List.map string_of_int s.batches)))
  in
  everywhere (fun () ->
      is_chosen "batches are chosen" dear_alone ~alone:2_048 [ n - 6_144; 4_096 ];
      is_chosen "one by one is chosen" dear_together ~alone:(n - 8_192) [ 4_096; 4_096 ])

let where_nothing_is_tried () =
  everywhere (fun () ->
      let all ?limit ?cutoff n =
        let s = make dear_together in
        B.exec_all ~whole:false (B.create ?limit ?cutoff s) n (fun i -> Note i);
        in_order "all" n s;
        check_int "none alone" 0 s.alone;
        List.rev s.batches
      in
      check "few" (all 8_191 = [ 8_191 ]);
      check "none" (all 0 = []);
      check "fixed" (all ~cutoff:(`Fixed 2) 9_000 = [ 9_000 ]);
      check "small batches" (all ~limit:4_000 9_000 = [ 4_000; 4_000; 1_000 ]);
      let s = make dear_together in
      Without_batches.exec_all ~whole:false (Without_batches.create s) n (fun i -> Note i);
      in_order "without batches" n s;
      check_int "all alone" n s.alone)

let limits_hold () =
  on_each_size (fun () ->
      let s = make dear_alone in
      B.exec_all ~whole:false (B.create ~limit:5_000 s) n (fun i -> Note i);
      in_order "limited" n s;
      check "no larger" (List.for_all (fun m -> m <= 5_000) s.batches))

(* An operation is applied one by one, in a batch, or as the last. *)
let the_first_failure_is_raised () =
  everywhere (fun () ->
      List.iter
        (fun costs ->
          List.iter
            (fun refused ->
              let s = make costs in
              let op i : unit Timed.op = if List.mem i refused then Refuse i else Note i in
              (match B.exec_all ~whole:false (B.create s) n op with
              | () -> Alcotest.fail "no exception"
              | exception Refused i -> check_int "the first" (List.hd refused) i);
              check_int "the others were applied" (n - List.length refused) (List.length s.order))
            (Testing.Effort.some
               ~quick:[ [ 3; 2_000; n - 1 ]; [ 5_200; 50_000 ] ]
               [ [ 3; 2_000; n - 1 ]; [ 2_000; 5_200 ]; [ 5_200; 50_000 ]; [ n - 1 ] ]))
        [ dear_alone; dear_together ])

let nobody_comes_between () =
  Weft.run ~domains:2 @@ fun () ->
  List.iter
    (fun costs ->
      let b = B.create (make costs) in
      let over = Atomic.make false in
      let reader =
        Weft.async (fun () ->
            while not (Atomic.get over) do
              let m = B.exec b Read in
              if m <> 0 && m <> n then Alcotest.failf "%d of %d are there" m n;
              Weft.yield ()
            done)
      in
      B.exec_all ~whole:false b n (fun i -> Note i);
      Atomic.set over true;
      Weft.await reader)
    [ dear_alone; dear_together ]

let it_is_inside () =
  everywhere (fun () ->
      List.iter
        (fun costs ->
          let b = B.create (make costs) in
          let op i : unit Timed.op =
            if i = 17 then ignore (B.exec b Read : int);
            Note i
          in
          match B.exec_all ~whole:false b n op with
          | () -> Alcotest.fail "not refused"
          | exception Weft_batch.Reentrant _ -> ())
        [ dear_alone; dear_together ])

let tests =
  [
    case "the cheaper way is gone on with" the_cheaper_way_is_gone_on_with;
    case "few, fixed, limited, without batches: nothing is tried" where_nothing_is_tried;
    case "limits hold" limits_hold;
    case "the first failure is raised, the others are applied" the_first_failure_is_raised;
    case "nobody comes between" nobody_comes_between;
    case "it is inside" it_is_inside;
  ]
