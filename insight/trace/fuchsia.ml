type t = {
  out : Buffer.t;
  began : int;
  pid : int;
  strings : (string, int) Hashtbl.t;
  mutable next_string : int;
  threads : (int, int) Hashtbl.t;
}

(* Fuchsia has twice as many numbers, but OCaml's integers lack the bit 63 of a word, which the higher ones
   would need. *)
let most_strings = 0x3fff
let most_in_an_event = 40
let longest_string = 1000
let add_word t n = Buffer.add_int64_le t.out (Int64.of_int n)
let words_of_bytes n = (n + 7) / 8

let add_bytes t s =
  Buffer.add_string t.out s;
  for _ = String.length s + 1 to 8 * words_of_bytes (String.length s) do
    Buffer.add_char t.out '\000'
  done

let header ~kind ~size rest = kind lor (size lsl 4) lor rest

(* --- tables --- *)

let rec cut s n = if n > 0 && Char.code s.[n] land 0xc0 = 0x80 then cut s (n - 1) else n
let shortened s = if String.length s <= longest_string then s else String.sub s 0 (cut s longest_string)

(* When the table is full, it starts again: numbers may be reused, but not in the middle of an event. *)
let make_room t =
  if t.next_string + most_in_an_event > most_strings then begin
    Hashtbl.reset t.strings;
    t.next_string <- 1
  end

let string_of t s =
  if String.equal s "" then 0
  else
    match Hashtbl.find_opt t.strings s with
    | Some n -> n
    | None ->
        let n = t.next_string in
        t.next_string <- n + 1;
        Hashtbl.replace t.strings s n;
        let value = shortened s in
        let length = String.length value in
        add_word t (header ~kind:2 ~size:(1 + words_of_bytes length) ((n lsl 16) lor (length lsl 32)));
        add_bytes t value;
        n

(* A row without a number in the table is written out in each event. *)
let thread_of t track =
  match Hashtbl.find_opt t.threads track with
  | Some n -> n
  | None when Hashtbl.length t.threads >= 255 -> 0
  | None ->
      let n = 1 + Hashtbl.length t.threads in
      Hashtbl.replace t.threads track n;
      add_word t (header ~kind:3 ~size:3 (n lsl 16));
      add_word t t.pid;
      add_word t (track + 1);
      n

(* --- arguments: name and value are in the table by now --- *)

type argument = { name : int; value : value }
and value = Number of int | String of int | Truth of bool | Object of int

let argument t (name, value) =
  let name = string_of t name in
  let value =
    match (value : Event.argument) with
    | Int n -> Number n
    | Text s -> String (string_of t s)
    | Bool b -> Truth b
  in
  { name; value }

let argument_size a = match a.value with Number _ | Object _ -> 2 | String _ | Truth _ -> 1

let add_argument t a =
  let head kind rest = add_word t (header ~kind ~size:(argument_size a) ((a.name lsl 16) lor rest)) in
  match a.value with
  | Number n ->
      head 3 0;
      add_word t n
  | String n -> head 6 (n lsl 32)
  | Truth b -> head 9 (Bool.to_int b lsl 32)
  | Object n ->
      head 8 0;
      add_word t n

let sizes arguments = List.fold_left (fun sum a -> sum + argument_size a) 0 arguments

(* --- events --- *)

let most_arguments = 15

let add_event t ~kind ~track ~time ~category ~name arguments last =
  make_room t;
  let category = string_of t category and name = string_of t name and thread = thread_of t track in
  let arguments = List.map (argument t) (List.filteri (fun i _ -> i < most_arguments) arguments) in
  let in_place = if thread = 0 then 2 else 0 in
  let size = 2 + in_place + sizes arguments + if Option.is_some last then 1 else 0 in
  add_word t
    (header ~kind:4 ~size
       ((kind lsl 16)
       lor (List.length arguments lsl 20)
       lor (thread lsl 24) lor (category lsl 32) lor (name lsl 48)));
  add_word t time;
  if thread = 0 then begin
    add_word t t.pid;
    add_word t (track + 1)
  end;
  List.iter (add_argument t) arguments;
  Option.iter (add_word t) last

let event t (e : Event.t) =
  let time = max 0 (e.time - t.began) in
  let kind, last =
    match e.shape with
    | Instant -> (0, None)
    | Counter id -> (1, Some id)
    | Complete length -> (4, Some (time + length))
    | Begin id -> (5, Some id)
    | End id -> (7, Some id)
    | Flow_out id -> (8, Some id)
    | Flow_in id -> (10, Some id)
  in
  add_event t ~kind ~track:e.track ~time ~category:(Category.name e.category) ~name:e.name e.arguments last

(* --- beginning and end --- *)

let create out ~began ~pid =
  let t = { out; began; pid; strings = Hashtbl.create 256; next_string = 1; threads = Hashtbl.create 16 } in
  (* The magic number, the provider, the start of the provider's part, and the number of ticks in a
     second. *)
  add_word t 0x0016547846040010;
  let provider = "weft" and number = 1 in
  add_word t (header ~kind:0 ~size:2 ((1 lsl 16) lor (number lsl 20) lor (String.length provider lsl 52)));
  add_bytes t provider;
  add_word t (header ~kind:0 ~size:1 ((2 lsl 16) lor (number lsl 20)));
  add_word t (header ~kind:1 ~size:2 0);
  add_word t 1_000_000_000;
  t

(* For Fuchsia, processes and threads are kernel objects. *)
let add_object t ~kind ~number name arguments =
  let name = string_of t name in
  let size = 2 + sizes arguments in
  add_word t (header ~kind:7 ~size ((kind lsl 16) lor (name lsl 24) lor (List.length arguments lsl 40)));
  add_word t number;
  List.iter (add_argument t) arguments

let finish t (a : Event.about) =
  let lost = Event.lost_in_all a in
  make_room t;
  add_object t ~kind:1 ~number:t.pid (Filename.basename a.program) [];
  List.iter
    (fun (track, name) ->
      make_room t;
      let process = string_of t "process" in
      add_object t ~kind:2 ~number:(track + 1) name [ { name = process; value = Object t.pid } ])
    a.tracks;
  add_event t ~kind:0 ~track:0
    ~time:(max 0 (a.ended - a.began))
    ~category:"trace" ~name:"weft"
    [
      ("version", Int 1);
      ("program", Text a.program);
      ("started_ns", Int a.began);
      ("events", Int a.events);
      ("lost words", Int lost.words);
      ("lost events", Int lost.events);
    ]
    None
