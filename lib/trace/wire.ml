open Runtime_events

let prefix = "weft/2 "

type User.tag += Step | Wake | Ended | Note

(* --- frequent events: worker (10 bits), jobs (6), kind (2) and, of runs, resumed (1) and origin (11);
   of searches, jobs at hand (12) --- *)

type origin = Own | Injector | Background | Stolen of int
type move = Runs of { origin : origin; resumed : bool } | Searches | Parks | Unparked
type step = { worker : int; jobs : int; at_hand : int; move : move }

let most_jobs = 63
let most_workers = 1023
let runs = 0
let searches = 1
let parks = 2
let unparked = 3
let step_event = User.register (prefix ^ "step") Step Type.int
let[@inline] packed ~worker ~jobs kind = (min worker most_workers lsl 8) lor (jobs lsl 2) lor kind

(* Own, the injector and the background are -1, -2 and -3: 1 to 3 here. *)
let[@inline] origin_bits from = if from < 0 then -from else 4 + min from most_workers

let write_run ~worker ~jobs ~from ~resumed =
  let run = (origin_bits from lsl 1) lor Bool.to_int resumed in
  User.write step_event ((run lsl 18) lor packed ~worker ~jobs runs)

let most_at_hand = 4095
let int_of_search ~worker ~jobs ~at_hand = (min at_hand most_at_hand lsl 18) lor packed ~worker ~jobs searches
let write_search ~worker ~jobs ~at_hand = User.write step_event (int_of_search ~worker ~jobs ~at_hand)
let write_park ~worker ~jobs = User.write step_event (packed ~worker ~jobs parks)
let write_unparked ~worker ~jobs = User.write step_event (packed ~worker ~jobs unparked)
let origin_of_bits = function 1 -> Own | 2 -> Injector | 3 -> Background | n -> Stolen (max 0 (n - 4))

let step_of_int n =
  let move =
    let kind = n land 3 in
    if kind = runs then
      Runs { origin = origin_of_bits ((n lsr 19) land 0x7ff); resumed = (n lsr 18) land 1 = 1 }
    else if kind = searches then Searches
    else if kind = parks then Parks
    else Unparked
  in
  let at_hand = match move with Searches -> (n lsr 18) land most_at_hand | Runs _ | Parks | Unparked -> 0 in
  { worker = (n lsr 8) land most_workers; jobs = (n lsr 2) land most_jobs; at_hand; move }

let wake_event = User.register (prefix ^ "wake") Wake Type.unit
let write_wake () = User.write wake_event ()

type span = Wait | Call | Region

let ids = 1 lsl 28
let ended_event = User.register (prefix ^ "end") Ended Type.int

let write_end span id =
  let kind = match span with Wait -> 0 | Call -> 1 | Region -> 2 in
  User.write ended_event ((id lsl 2) lor kind)

(* --- notes --- *)

type note =
  | Joined of { worker : int; index : int; forks : int; pool : string; returned : bool }
  | Seen of { worker : int; index : int; forks : int; pool : string }
  | Left of { worker : int; index : int; forks : int; pool : string; retired : bool; jobs : int }
  | Fiber of { fiber : int; parent : int; place : int; name : string }
  | Wait_begins of { id : int; about : int; fiber : int; place : int; what : string; name : string }
  | Woken of { wait : int; by : int }
  | Call_begins of { id : int }
  | Region_begins of { id : int; fiber : int; name : string }
  | Instant of string
  | Block of { first : int; last : int; began : int; ended : int; alone : bool; fiber : int; place : int }
  | Batch of { structure : int; size : int; parallel : bool; nanoseconds : int }
  | Cancelled of string
  | Stood of { worker : int; blocked : int; waited : int; passed : int; fiber : int }
  | Dumped of { pid : int; at : int; program : string }
  | Unknown

(* The buffer has 1024 bytes; OCaml needs one, and none of the integers more than 9 bytes. *)
let longest_text = 900

(* Seven bits in each byte, the lowest first; the last has the sign, by its bit 6. *)
let rec put_int b at n =
  let low = n land 0x7f and rest = n asr 7 in
  if (rest = 0 && low land 0x40 = 0) || (rest = -1 && low land 0x40 <> 0) then begin
    Bytes.unsafe_set b at (Char.unsafe_chr low);
    at + 1
  end
  else begin
    Bytes.unsafe_set b at (Char.unsafe_chr (low lor 0x80));
    put_int b (at + 1) rest
  end

(* Not in the middle of a character of UTF-8. *)
let rec cut text n = if n > 0 && Char.code text.[n] land 0xc0 = 0x80 then cut text (n - 1) else n

(* How much of a text there is room for. *)
let fitting text room = if String.length text <= room then String.length text else cut text room

let put_text b at text =
  let n = fitting text longest_text in
  Bytes.blit_string text 0 b at n;
  at + n

let put b kind a c d e f g text =
  Bytes.set b 0 kind;
  put_text b (put_int b (put_int b (put_int b (put_int b (put_int b (put_int b 1 a) c) d) e) f) g) text

(* A second text, if any, follows a zero. *)
let put_two b kind a c d e f g text more =
  let at = put b kind a c d e f g text in
  if String.equal more "" then at
  else begin
    let n = fitting more (max 0 (longest_text - String.length text)) in
    Bytes.set b at '\000';
    Bytes.blit_string more 0 b (at + 1) n;
    at + 1 + n
  end

let encode b = function
  | Joined n -> put b (if n.returned then 'r' else 'j') n.worker n.index n.forks 0 0 0 n.pool
  | Seen n -> put b 's' n.worker n.index n.forks 0 0 0 n.pool
  | Left n -> put b (if n.retired then 'g' else 'l') n.worker n.index n.forks n.jobs 0 0 n.pool
  | Fiber n -> put b 'f' n.fiber n.parent n.place 0 0 0 n.name
  | Wait_begins n -> put_two b 'w' n.id n.about n.fiber n.place 0 0 n.what n.name
  | Woken n -> put b 'v' n.wait n.by 0 0 0 0 ""
  | Call_begins n -> put b 'c' n.id 0 0 0 0 0 ""
  | Region_begins n -> put b 'n' n.id n.fiber 0 0 0 0 n.name
  | Instant text -> put b 'i' 0 0 0 0 0 0 text
  | Block n ->
      put b (if n.alone then 'b' else 'm') n.first n.last n.began (n.ended - n.began) n.fiber n.place ""
  | Batch n -> put b (if n.parallel then 'p' else 'q') n.structure n.size n.nanoseconds 0 0 0 ""
  | Cancelled text -> put b 'x' 0 0 0 0 0 0 text
  | Stood n -> put b 'k' n.blocked n.waited n.passed n.worker n.fiber 0 ""
  | Dumped n -> put b 'd' n.pid n.at 0 0 0 0 n.program
  | Unknown -> put b '?' 0 0 0 0 0 0 ""

exception Damaged

let get_int b ~limit at =
  let rec from i shift n =
    if i >= limit || shift > 56 then raise_notrace Damaged
    else
      let c = Char.code (Bytes.get b i) in
      let n = n lor ((c land 0x7f) lsl shift) in
      if c land 0x80 <> 0 then from (i + 1) (shift + 7) n
      else (i + 1, if c land 0x40 <> 0 && shift < 56 then n lor (-1 lsl (shift + 7)) else n)
  in
  from at 0 0

let two_texts text =
  match String.index_opt text '\000' with
  | None -> (text, "")
  | Some i -> (String.sub text 0 i, String.sub text (i + 1) (String.length text - i - 1))

let decode b length =
  match
    let limit = min length (Bytes.length b) in
    if limit = 0 then raise_notrace Damaged;
    let at, a = get_int b ~limit 1 in
    let at, c = get_int b ~limit at in
    let at, d = get_int b ~limit at in
    let at, e = get_int b ~limit at in
    let at, f = get_int b ~limit at in
    let at, g = get_int b ~limit at in
    (Bytes.get b 0, (a, c, d, e, f, g), Bytes.sub_string b at (limit - at))
  with
  | exception Damaged -> Unknown
  | (('j' | 'r') as kind), (worker, index, forks, _, _, _), pool ->
      Joined { worker; index; forks; pool; returned = kind = 'r' }
  | 's', (worker, index, forks, _, _, _), pool -> Seen { worker; index; forks; pool }
  | (('l' | 'g') as kind), (worker, index, forks, jobs, _, _), pool ->
      Left { worker; index; forks; pool; retired = kind = 'g'; jobs }
  | 'f', (fiber, parent, place, _, _, _), name -> Fiber { fiber; parent; place; name }
  | 'w', (id, about, fiber, place, _, _), text ->
      let what, name = two_texts text in
      Wait_begins { id; about; fiber; place; what; name }
  | 'v', (wait, by, _, _, _, _), _ -> Woken { wait; by }
  | 'c', (id, _, _, _, _, _), _ -> Call_begins { id }
  | 'n', (id, fiber, _, _, _, _), name -> Region_begins { id; fiber; name }
  | 'i', _, text -> Instant text
  | (('b' | 'm') as kind), (first, last, began, length, fiber, place), _ ->
      Block { first; last; began; ended = began + length; alone = kind = 'b'; fiber; place }
  | (('p' | 'q') as kind), (structure, size, nanoseconds, _, _, _), _ ->
      Batch { structure; size; nanoseconds; parallel = kind = 'p' }
  | 'x', _, text -> Cancelled text
  | 'k', (blocked, waited, passed, worker, fiber, _), _ -> Stood { worker; blocked; waited; passed; fiber }
  | 'd', (pid, at, _, _, _, _), program -> Dumped { pid; at; program }
  | _ -> Unknown

let note_type = Type.register ~encode ~decode
let note_event = User.register (prefix ^ "note") Note note_type
let write_note note = User.write note_event note

(* --- reading --- *)

let listen ~step ~wake ~ended ~note ~foreign callbacks =
  let of_int ring time event n =
    let time = Timestamp.to_int64 time in
    match User.tag event with
    | Step -> step ring time (step_of_int n)
    | Ended ->
        let span = match n land 3 with 0 -> Wait | 1 -> Call | _ -> Region in
        ended ring time span ((n lsr 2) land (ids - 1))
    | _ -> foreign (User.name event)
  and of_unit ring time event () =
    match User.tag event with Wake -> wake ring (Timestamp.to_int64 time) | _ -> foreign (User.name event)
  and of_note ring time _ n = note ring (Timestamp.to_int64 time) n
  and of_span _ _ event _ = foreign (User.name event) in
  callbacks
  |> Callbacks.add_user_event Type.int of_int
  |> Callbacks.add_user_event Type.unit of_unit
  |> Callbacks.add_user_event Type.span of_span
  |> Callbacks.add_user_event note_type of_note
