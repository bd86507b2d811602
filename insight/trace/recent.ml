(* Events are in two files: when the younger one covers the wanted time, the older one is closed. Events are marshalled in
   lots. The files have no names, so nobody else can put anything there, and nothing is left of them. *)
type part = { fd : Unix.file_descr; channel : out_channel; mutable first : int }

type t = {
  length : int; (* the time to keep, in ns *)
  mutable older : part option;
  mutable younger : part;
  mutable lot : Event.t list; (* youngest first *)
  mutable held : int;
  opened : (string * int, Event.t) Hashtbl.t; (* beginnings of spans in removed files that have not ended *)
  sums : (string * int, Event.t) Hashtbl.t; (* the last values of counters in removed files *)
}

let lot_size = 1000
let nobody_yet = min_int

let make_part () =
  let path = Filename.temp_file "weft-trace-" ".part" in
  match Unix.openfile path [ O_RDWR; O_CLOEXEC ] 0 with
  | fd ->
      Sys.remove path;
      { fd; channel = Unix.out_channel_of_descr fd; first = nobody_yet }
  | exception Unix.Unix_error (error, _, _) -> raise (Sys_error (path ^ ": " ^ Unix.error_message error))

let create ~seconds =
  {
    length = int_of_float (seconds *. 1e9);
    older = None;
    younger = make_part ();
    lot = [];
    held = 0;
    opened = Hashtbl.create 64;
    sums = Hashtbl.create 64;
  }

let remove part = close_out_noerr part.channel

let write_lot t =
  if t.lot <> [] then begin
    Marshal.to_channel t.younger.channel (Array.of_list (List.rev t.lot)) [];
    t.lot <- [];
    t.held <- 0
  end

(* Nothing is written to it after that. *)
let each part f =
  flush part.channel;
  ignore (Unix.lseek part.fd 0 SEEK_SET : int);
  let input = Unix.in_channel_of_descr part.fd in
  let rec read () =
    match (Marshal.from_channel input : Event.t array) with
    | lot ->
        Array.iter f lot;
        read ()
    | exception End_of_file -> ()
  in
  read ()

let key (e : Event.t) id = (Category.name e.category, id)

(* These counters are sums: the first value in a stretch of time says nothing about the stretch unless the
   value before it is known. *)
let is_sum (e : Event.t) = match e.category with Counter | Machine -> true | _ -> false

(* Updates the open spans and the values of counters by [e]. *)
let follow ~opened ~sums (e : Event.t) =
  match e.shape with
  | Begin id -> Hashtbl.replace opened (key e id) e
  | End id -> Hashtbl.remove opened (key e id)
  | Counter id when is_sum e -> Hashtbl.replace sums (e.name, id) e
  | Complete _ | Instant | Counter _ | Flow_out _ | Flow_in _ -> ()

let remember t part = each part (follow ~opened:t.opened ~sums:t.sums)

let turn_over t =
  write_lot t;
  Option.iter
    (fun part ->
      remember t part;
      remove part)
    t.older;
  t.older <- Some t.younger;
  t.younger <- make_part ()

let end_of (e : Event.t) = match e.shape with Complete length -> e.time + length | _ -> e.time

(* The program's own events. What the tool tells of the machine, or of a loss, may be later than the end of
   what is wanted, by as long as the tool had no processor. *)
let is_own (e : Event.t) = match e.category with Machine | Trace -> false | _ -> true

let note_time t time =
  if t.younger.first = nobody_yet then t.younger.first <- time;
  if time - t.younger.first > t.length then begin
    turn_over t;
    t.younger.first <- time
  end

let add t e =
  if is_own e then note_time t (end_of e);
  t.lot <- e :: t.lot;
  t.held <- t.held + 1;
  if t.held >= lot_size then write_lot t

let abandon t =
  Option.iter remove t.older;
  remove t.younger

(* --- the end --- *)

let clipped ~from (e : Event.t) =
  match e.shape with
  | Complete length when e.time < from -> { e with time = from; shape = Complete (e.time + length - from) }
  | _ -> e

(* The value of a counter at [time], between two of its values or after the last. It is interpolated as if
   it had grown evenly, so that growth before [time] does not count for the time kept. *)
let at time (before : Event.t) (next : Event.t option) =
  let argument (after : Event.t) (name, (value : Event.argument)) =
    match (value, List.assoc_opt name after.arguments) with
    | Int a, Some (Int b) when after.time > before.time ->
        let part = float_of_int (time - before.time) /. float_of_int (after.time - before.time) in
        (name, Event.Int (a + Float.to_int (Float.round (float_of_int (b - a) *. part))))
    | _ -> (name, value)
  in
  let arguments =
    match next with Some after -> List.map (argument after) before.arguments | None -> before.arguments
  in
  { before with time; arguments }

let close t ~until f =
  write_lot t;
  let from = until - t.length in
  let opened = Hashtbl.copy t.opened and sums = Hashtbl.copy t.sums in
  let parts = Option.to_list t.older @ [ t.younger ] in
  let next = Hashtbl.create 64 in
  let look (e : Event.t) =
    if e.time < from then follow ~opened ~sums e
    else
      match e.shape with
      | Counter id when not (Hashtbl.mem next (e.name, id)) -> Hashtbl.add next (e.name, id) e
      | _ -> ()
  in
  List.iter (fun part -> each part look) parts;
  Hashtbl.iter (fun key e -> f (at from e (Hashtbl.find_opt next key))) sums;
  Hashtbl.iter (fun _ (e : Event.t) -> f { e with time = from }) opened;
  List.iter (fun part -> each part (fun e -> if end_of e >= from then f (clipped ~from e))) parts;
  abandon t
