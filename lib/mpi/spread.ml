exception Elsewhere = Failures.Elsewhere
exception Enough

(* What ranks tell each other. *)
type 'a part = { drawn : int; value : 'a option; report : Failures.report option }
type 'a result = { given : 'a array; failure : Failures.t option }

(* Cells of a piece, and what they took; before the first, a piece of one cell that took long. *)
type measured = { before : int; nanoseconds : int }
type piece = { count : int; fetch : Window.fetch }

type state = {
  world : World.t;
  counter : Window.t;
  base : int;
  cells : int;
  drawn : int Atomic.t;
  measured : measured Atomic.t;
  failed : Failures.own option Atomic.t;
}

(* --- drawing --- *)

let draw s count =
  ignore (Atomic.fetch_and_add s.drawn count : int);
  { count; fetch = Window.start_fetch_add s.counter ~rank:0 ~slot:0 count }

(* Every number that was drawn has been taken from the counter when the loop ends: the next one counts on
   that. *)
let wait_for piece = ignore (Window.finish piece.fetch : int)
let stop s = wait_for (draw s s.cells)

let rec note s own =
  match Atomic.get s.failed with
  | Some earlier when Failures.order earlier <= Failures.order own -> ()
  | before -> if not (Atomic.compare_and_set s.failed before (Some own)) then note s own

let draw_next s ~left =
  let { before; nanoseconds } = Atomic.get s.measured in
  draw s (Cut.next_piece ~ranks:(World.size s.world) ~left ~before ~nanoseconds)

let measure s before f =
  let start = Timer_thread.now () in
  f ();
  Atomic.set s.measured { before; nanoseconds = Timer_thread.now () - start }

let rec take s f piece =
  let first = Window.finish piece.fetch - s.base in
  let behind = Int.min s.cells (first + piece.count) in
  if first < s.cells then begin
    let next = draw_next s ~left:(s.cells - behind) in
    match measure s (behind - first) (fun () -> f first (behind - 1)) with
    | () -> take s f next
    | exception exn ->
        if exn != Enough then note s (Failures.caught ~at:first exn);
        stop s;
        wait_for next
  end

let take_all s f =
  let one () = take s f (draw s 1) in
  if Current_worker.workers () = 1 then one () else ignore (Fork_join.par one one : unit * unit)

(* --- the end --- *)

let part s value =
  { drawn = Atomic.get s.drawn; value; report = Option.map Failures.report (Atomic.get s.failed) }

(* What cannot be made, or not be marshalled, is a failure like others. *)
let marshalled_part s give =
  match
    let part = part s (Some (give ())) in
    (part, Values.marshal part)
  with
  | whole -> whole
  | exception exn ->
      note s (Failures.caught ~at:max_int exn);
      let part = part s None in
      (part, Values.marshal part)

let exchange s give =
  let part, data = marshalled_part s give in
  let parts = Values.all_gather_data (World.own s.world) ~kind:(World.current_function s.world) data part in
  World.add_base s.world (Array.fold_left (fun sum (part : _ part) -> sum + part.drawn) 0 parts);
  let reports = Array.map (fun part -> part.report) parts in
  match Failures.first ~rank:(World.rank s.world) (Atomic.get s.failed) reports with
  | Some _ as failure ->
      let given = Array.to_list parts |> List.filter_map (fun part -> part.value) in
      { given = Array.of_list given; failure }
  | None -> { given = Array.map (fun part -> Option.get part.value) parts; failure = None }

let run world ~cells f give =
  Current_worker.in_pool @@ fun () ->
  (* The others wait for this rank, whatever happens to it. *)
  let counter = Weft.Cancel.shield (fun () -> World.counter world) in
  let base = World.base world in
  let measured = Atomic.make { before = 1; nanoseconds = Cut.long_enough } in
  let s = { world; counter; base; cells; drawn = Atomic.make 0; measured; failed = Atomic.make None } in
  (try take_all s f with exn -> note s (Failures.caught ~at:max_int exn));
  Weft.Cancel.shield (fun () ->
      if Atomic.get s.failed <> None then stop s;
      exchange s give)

let get r = match r.failure with None -> r.given | Some failure -> Failures.reraise failure
