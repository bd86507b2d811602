type how =
  | First
  | Walk of int
  | Priorities of { seed : int; depth : int; length : int }
  | Schedule of Schedule_file.choice list

type failure = { kind : string; text : string }
type run = { failure : failure option; decisions : int; record : Record.t option }

type found =
  | Fails of { number : int; how : how; failure : failure; record : Record.t option }
  | Holds of { runs : int; all : bool }

let ( let* ) = Result.bind

let sampled run ~seed ~depth ~schedules =
  let how i ~length =
    let seed = seed + i in
    if i = 0 then First else if i land 1 = 1 then Walk seed else Priorities { seed; depth; length }
  in
  let rec from i ~length =
    let how = how i ~length in
    let* r = run how in
    match r.failure with
    | Some failure -> Ok (Fails { number = i + 1; how; failure; record = r.record })
    | None when i + 1 >= schedules -> Ok (Holds { runs = i + 1; all = false })
    | None -> from (i + 1) ~length:(if i = 0 then max 1 r.decisions else length)
  in
  from 0 ~length:1

let exhaustive run ~choices:most ~schedules =
  let queue = Queue.create () and all = ref true in
  Queue.add [] queue;
  let add n schedule =
    if n + Queue.length queue < schedules then Queue.add schedule queue else all := false
  in
  let extend n (r : Record.t) =
    if r.cut then all := false;
    List.iter (add n) (Record.extended r)
  in
  let rec go n =
    match Queue.take_opt queue with
    | None -> Ok (Holds { runs = n; all = !all })
    | Some choices -> (
        let how = Schedule choices in
        let* r = run how in
        match r.failure with
        | Some failure -> Ok (Fails { number = n + 1; how; failure; record = r.record })
        | None ->
            if List.length choices < most then Option.iter (extend (n + 1)) r.record;
            go (n + 1))
  in
  go 0

let most_tries = 400

let shrunk run failure choices =
  let record = ref None in
  let still_fails choices =
    match run (Schedule choices) with
    | Ok { failure = Some found; record = Some r; _ } when found.kind = failure.kind ->
        record := Some r;
        let made = Record.schedule r in
        Some (if List.length made <= List.length choices then made else choices)
    | _ -> None
  in
  Option.bind (still_fails choices) @@ fun choices ->
  let shorter = Shrink.shrink ~tries:most_tries still_fails choices in
  (* The last record is that of the last try. *)
  ignore (still_fails shorter : _ option);
  Option.map (fun r -> (shorter, r)) !record
