open Runtime_events
module Wire = Weft_trace.Wire

let path ~dir ~pid = Filename.concat dir (string_of_int pid ^ ".events")

(* --- the head of the file: words of 64 bits; the last of them is written last --- *)

let head_words = 8
let version = 1

let is_ready path =
  match
    In_channel.with_open_bin path @@ fun input ->
    let head = Bytes.create (8 * head_words) in
    match In_channel.really_input input head 0 (8 * head_words) with
    | None -> false
    | Some () ->
        let word i = Int64.to_int (Bytes.get_int64_ne head (8 * i)) in
        let length = Int64.to_int (In_channel.length input) in
        let domains = word 1 and ring_head = word 2 and ring = word 3 in
        (* [parts] of [size] bytes each, from [offset] on, lie within the file: OCaml's reader takes that for granted. *)
        let fits ~offset ~parts ~size =
          let within n = n >= 0 && n <= length in
          within offset && within parts && within size && (size = 0 || parts <= (length - offset) / size)
        in
        word 0 = version
        && domains > 0
        && word 4 > 0
        && word 4 land (word 4 - 1) = 0
        && ring = 8 * word 4
        && fits ~offset:(word 5) ~parts:domains ~size:ring_head
        && fits ~offset:(word 6) ~parts:domains ~size:ring
        && word 7 > 0
        && fits ~offset:(word 7) ~parts:1 ~size:1
  with
  | ready -> ready
  | exception Sys_error _ -> false

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
  in
  attempt 10

let open_ ~dir ~pid timeline =
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
      and lost_events ring words = Timeline.lost timeline ring words in
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
