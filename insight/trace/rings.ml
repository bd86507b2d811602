open Runtime_events
module Wire = Weft_trace.Wire
module Ring_file = Weft_trace.Ring_file

let path ~dir ~pid = Filename.concat dir (string_of_int pid ^ ".events")
let is_ready path = Option.is_some (Ring_file.head path)

let find ~dir ~own =
  let pid_of name = Option.bind (Filename.chop_suffix_opt ~suffix:".events" name) int_of_string_opt in
  let ready pid = is_ready (path ~dir ~pid) in
  if ready own then Some own
  else
    match Sys.readdir dir with
    | names -> List.find_opt ready (List.sort compare (List.filter_map pid_of (Array.to_list names)))
    | exception Sys_error _ -> None

(* --- reading --- *)

type t = {
  cursor : cursor;
  callbacks : Callbacks.t;
  timeline : Timeline.t;
  stopped : bool ref;
  foreign : (string, unit) Hashtbl.t;
}

let counter_of : runtime_counter -> (string * string) option = function
  (* The manual says that this is in words, but the runtime reports bytes. *)
  | EV_C_MINOR_PROMOTED -> Some ("minor_promoted", "bytes")
  | EV_C_MINOR_ALLOCATED -> Some ("minor_allocated", "bytes")
  | EV_C_MAJOR_HEAP_WORDS -> Some ("major_heap_words", "words")
  | _ -> None

let nanoseconds time = Int64.to_int (Timestamp.to_int64 time)
let most_at_once = 20_000

let cursor ~dir ~pid =
  match create_cursor (Some (dir, pid)) with
  | exception Failure why -> Error why
  | cursor when not (is_ready (path ~dir ~pid)) ->
      free_cursor cursor;
      Error "the head of their file does not fit the rest"
  | cursor -> Ok cursor

(* OCaml's reader takes the length of an event before it sees whether a fast program has overwritten the
   event, and calls a length that cannot be a damage. In the next attempt it sees what was lost. *)
let read cursor callbacks ~most =
  let rec attempt left =
    match read_poll cursor callbacks (Some most) with
    | n -> n
    | exception Failure _ when left > 0 -> attempt (left - 1)
    (* Of a user event whose name has no end. *)
    | exception Invalid_argument why -> raise (Failure why)
  in
  attempt 10

let open_ ?(copied = false) ~dir ~pid timeline =
  match cursor ~dir ~pid with
  | Error why -> Error why
  | Ok cursor ->
      let stopped = ref false and foreign = Hashtbl.create 8 in
      let runtime_begin ring time phase =
        Timeline.phase_begins timeline ring (nanoseconds time) (runtime_phase_name phase)
      and runtime_end ring time phase =
        Timeline.phase_ends timeline ring (nanoseconds time) (runtime_phase_name phase)
      and runtime_counter ring time counter value =
        match counter_of counter with
        | None -> ()
        | Some (name, unit_name) -> Timeline.counter timeline ring (nanoseconds time) name ~unit_name value
      and lifecycle ring time event _ =
        match event with
        | EV_RING_STOP -> stopped := true
        | EV_DOMAIN_SPAWN -> Timeline.domain_begins timeline ring (nanoseconds time)
        | EV_DOMAIN_TERMINATE -> Timeline.domain_ends timeline ring (nanoseconds time)
        | _ -> ()
      and lost_events ring words = if not copied then Timeline.lost timeline ring words in
      let callbacks =
        Callbacks.create ~runtime_begin ~runtime_end ~runtime_counter ~lifecycle ~lost_events ()
        |> Wire.listen
             ~step:(fun ring time -> Timeline.step timeline ring (Int64.to_int time))
             ~wake:(fun ring time -> Timeline.wake timeline ring (Int64.to_int time))
             ~ended:(fun ring time -> Timeline.ended timeline ring (Int64.to_int time))
             ~note:(fun ring time -> Timeline.note timeline ring (Int64.to_int time))
             ~foreign:(fun name -> Hashtbl.replace foreign name ())
      in
      Ok { cursor; callbacks; timeline; stopped; foreign }

(* --- what a copy has --- *)

type copy = { from : int; until : int; dumped : (int * Wire.note) option }

let survey ~dir ~pid =
  Result.bind (cursor ~dir ~pid) @@ fun cursor ->
  let first = Hashtbl.create 16 and overwritten = Hashtbl.create 16 in
  let until = ref 0 and dumped = ref None in
  let at ring time =
    if not (Hashtbl.mem first ring) then Hashtbl.add first ring time;
    until := max !until time
  in
  let runtime ring time = at ring (nanoseconds time) and weft ring time = at ring (Int64.to_int time) in
  let note ring time (n : Wire.note) =
    weft ring time;
    match n with Dumped _ -> dumped := max !dumped (Some (Int64.to_int time, n)) | _ -> ()
  in
  let callbacks =
    Callbacks.create
      ~runtime_begin:(fun ring time _ -> runtime ring time)
      ~runtime_end:(fun ring time _ -> runtime ring time)
      ~runtime_counter:(fun ring time _ _ -> runtime ring time)
      ~lifecycle:(fun ring time _ _ -> runtime ring time)
      ~lost_events:(fun ring _ -> Hashtbl.replace overwritten ring ())
      ()
    |> Wire.listen
         ~step:(fun ring time _ -> weft ring time)
         ~wake:weft
         ~ended:(fun ring time _ _ -> weft ring time)
         ~note ~foreign:ignore
  in
  let rec all () = if read cursor callbacks ~most:most_at_once > 0 then all () in
  (* [Session] reads the file again, and reports the damage. *)
  (try all () with Failure _ -> ());
  free_cursor cursor;
  let firsts = List.of_seq (Hashtbl.to_seq first) in
  match List.filter (fun (ring, _) -> Hashtbl.mem overwritten ring) firsts with
  | [] when firsts = [] -> Error "there are no events in it"
  | [] ->
      Ok
        {
          from = List.fold_left (fun t (_, time) -> min t time) max_int firsts;
          until = !until;
          dumped = !dumped;
        }
  | cut ->
      Ok { from = List.fold_left (fun t (_, time) -> max t time) 0 cut; until = !until; dumped = !dumped }

(* --- reading on --- *)

let poll t =
  let n = read t.cursor t.callbacks ~most:most_at_once in
  if n < most_at_once then Timeline.swept t.timeline;
  n

let most_rounds = 10_000

let drain t =
  let rec go rounds = if rounds > 0 && poll t > 0 then go (rounds - 1) in
  go most_rounds

let has_stopped t = !(t.stopped)
let foreign t = List.sort compare (Hashtbl.fold (fun name () names -> name :: names) t.foreign [])
let close t = free_cursor t.cursor
