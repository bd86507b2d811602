exception Elsewhere of { rank : int; text : string; backtrace : string }
exception Enough

let () =
  Printexc.register_printer (function
    | Elsewhere { rank; text; backtrace } ->
        Some
          (Printf.sprintf "rank %d raised: %s%s" rank text (if backtrace = "" then "" else "\n" ^ backtrace))
    | _ -> None)

(* What ranks tell each other. *)
type report = { at : int; text : string; backtrace : string }
type 'a part = { drawn : int; value : 'a option; report : report option }

(* What this rank knows of its own failure. *)
type own = { piece : int; exn : exn; trace : Printexc.raw_backtrace }
type failure = { rank : int; report : report; mine : own option }
type 'a result = { given : 'a array; failure : failure option }

type state = {
  world : World.t;
  counter : Window.t;
  base : int;
  pieces : int;
  drawn : int Atomic.t;
  failed : own option Atomic.t;
}

let piece (f : failure) = f.report.at

(* --- drawing --- *)

let draw s n =
  ignore (Atomic.fetch_and_add s.drawn n : int);
  Window.start_fetch_add s.counter ~rank:0 ~slot:0 n

(* Every number that was drawn has been taken from the counter when the loop ends: the next one counts on that. *)
let drop ticket = ignore (Window.finish ticket : int)
let stop s = drop (draw s s.pieces)

let rec note s (own : own) =
  match Atomic.get s.failed with
  | Some earlier when earlier.piece <= own.piece -> ()
  | before -> if not (Atomic.compare_and_set s.failed before (Some own)) then note s own

let rec take s f ticket =
  let k = Window.finish ticket - s.base in
  if k < s.pieces then begin
    let next = draw s 1 in
    match f k with
    | () -> take s f next
    | exception exn ->
        if exn != Enough then note s { piece = k; exn; trace = Printexc.get_raw_backtrace () };
        stop s;
        drop next
  end

let take_all s f =
  let one () = take s f (draw s 1) in
  if Current_worker.workers () = 1 then one () else ignore (Fork_join.par one one : unit * unit)

(* --- the end --- *)

let report_of own =
  {
    at = own.piece;
    text = Printexc.to_string own.exn;
    backtrace = Printexc.raw_backtrace_to_string own.trace;
  }

let give s give =
  match give () with
  | v -> Some v
  | exception exn ->
      note s { piece = max_int; exn; trace = Printexc.get_raw_backtrace () };
      None

let first_failure s parts =
  let mine = Atomic.get s.failed and me = World.rank s.world in
  let earlier best rank (part : _ part) =
    match (best, part.report) with
    | Some best, Some report when piece best <= report.at -> Some best
    | best, None -> best
    | _, Some report -> Some { rank; report; mine = (if rank = me then mine else None) }
  in
  snd (Array.fold_left (fun (rank, best) part -> (rank + 1, earlier best rank part)) (0, None) parts)

let exchange s value =
  let report = Option.map report_of (Atomic.get s.failed) in
  let parts = Values.all_gather (World.own s.world) { drawn = Atomic.get s.drawn; value; report } in
  World.add_base s.world (Array.fold_left (fun sum (part : _ part) -> sum + part.drawn) 0 parts);
  match first_failure s parts with
  | Some _ as failure ->
      let given = Array.to_list parts |> List.filter_map (fun part -> part.value) in
      { given = Array.of_list given; failure }
  | None -> { given = Array.map (fun part -> Option.get part.value) parts; failure = None }

let run world ~pieces f to_give =
  Current_worker.in_pool @@ fun () ->
  let counter = World.counter world in
  let base = World.base world in
  let s = { world; counter; base; pieces; drawn = Atomic.make 0; failed = Atomic.make None } in
  (try take_all s f with exn -> note s { piece = max_int; exn; trace = Printexc.get_raw_backtrace () });
  (* The others wait for this rank, whatever has happened to it. *)
  Weft.Cancel.shield (fun () ->
      if Atomic.get s.failed <> None then stop s;
      exchange s (give s to_give))

let reraise (f : failure) =
  match f.mine with
  | Some own -> Printexc.raise_with_backtrace own.exn own.trace
  | None -> raise (Elsewhere { rank = f.rank; text = f.report.text; backtrace = f.report.backtrace })

let get r = match r.failure with None -> r.given | Some failure -> reraise failure
