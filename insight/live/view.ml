module Words = Weft_events.Words

type t = { command : string; pid : int; last : Sample.t option; busy : float list  (** the latest first *) }

let create ~command ~pid = { command; pid; last = None; busy = [] }
let most_history = 200

let busy (s : Sample.t) =
  match s.workers with
  | [] -> 0.
  | workers ->
      List.fold_left (fun sum (w : Sample.worker) -> sum +. w.running +. w.collecting) 0. workers
      /. float_of_int (List.length workers)

let add t sample =
  { t with last = Some sample; busy = List.filteri (fun i _ -> i < most_history) (busy sample :: t.busy) }

(* {1 Text} *)

let printable = Weft_files.Foreign_text.columns
let cut width text = if String.length text > width then String.sub text 0 (max 0 width) else text

let amount x =
  if x < 9.95 && x > 0. then Printf.sprintf "%.1f" x
  else if x < 9995. then Printf.sprintf "%.0f" x
  else if x < 999.5e3 then Printf.sprintf "%.0fk" (x /. 1e3)
  else if x < 99.95e6 then Printf.sprintf "%.1fM" (x /. 1e6)
  else if x < 999.5e6 then Printf.sprintf "%.0fM" (x /. 1e6)
  else Printf.sprintf "%.1fG" (x /. 1e9)

let bytes words = amount (words *. 8.) ^ "B"

let place (p : Waits.place) =
  let about =
    if p.about = Waits.others then " (other objects)"
    else if p.name <> "" then Printf.sprintf " (%s)" (printable p.name)
    else if p.about <> 0 then Printf.sprintf " (object %d)" p.about
    else ""
  in
  printable p.what ^ about

let percent x = Printf.sprintf "%.0f" (100. *. x)
let take n list = List.filteri (fun i _ -> i < n) list

let first_workers ?(width = max_int) n lines =
  let more = List.length lines - n in
  take n lines
  @ if more > 0 then [ cut width ("... and " ^ Words.plural more "more worker" "more workers") ] else []

(* {1 Bars} *)

type paint = { letter : char; colour : string }

let running = { letter = '#'; colour = "\027[30;44m" }
let collecting = { letter = 'G'; colour = "\027[30;41m" }
let searching = { letter = 's'; colour = "\027[30;43m" }
let parked = { letter = '.'; colour = "\027[90m" }
let absent = { letter = ' '; colour = "" }
let reset = "\027[0m"
let painted ~colours paint text = if colours && paint.colour <> "" then paint.colour ^ text ^ reset else text

(* Shares of [width] columns. A share of at least 1 % gets a column, if there is room. *)
let bar ~colours width (w : Sample.worker) =
  let parts =
    [ (running, w.running); (collecting, w.collecting); (searching, w.searching); (parked, w.parked) ]
  in
  let _, _, pieces =
    List.fold_left
      (fun (sum, used, pieces) (paint, share) ->
        let sum = sum +. share in
        let until = min width (max used (Float.to_int (Float.round (sum *. float_of_int width)))) in
        let until = if share >= 0.01 && until = used then min width (used + 1) else until in
        (sum, until, (paint, until - used) :: pieces))
      (0., 0, []) parts
  in
  let used = List.fold_left (fun sum (_, n) -> sum + n) 0 pieces in
  let piece (paint, n) = if n = 0 then "" else painted ~colours paint (String.make n paint.letter) in
  String.concat "" (List.rev_map piece pieces) ^ String.make (width - used) absent.letter

let levels = " .:-=+*#%@"

let history ~colours width values =
  let shown = List.rev (List.filteri (fun i _ -> i < width) values) in
  let cell x = levels.[max 0 (min 9 (Float.to_int (x *. 9.99)))] in
  let text = String.of_seq (Seq.map cell (List.to_seq shown)) in
  painted ~colours { letter = ' '; colour = "\027[34m" } text

(* {1 The frame} *)

let name_width = 12
let figures_width = 28

let worker_line ~colours width (w : Sample.worker) =
  let name = cut name_width (printable w.name) in
  let room = width - name_width - 4 - figures_width in
  let figures =
    Printf.sprintf "run%4s gc%4s se%4s pa%4s" (percent w.running) (percent w.collecting) (percent w.searching)
      (percent w.parked)
  in
  if room < 8 then cut width (Printf.sprintf "%-12s %s" name figures)
  else Printf.sprintf "%-12s [%s] %s" name (bar ~colours room w) figures

let rates (s : Sample.t) =
  let forks = match s.forks with Some x -> amount x | None -> "-" in
  [
    Printf.sprintf "per second: forks %s  jobs %s  steals %s  parks %s  wakes %s  suspensions %s" forks
      (amount s.jobs) (amount s.steals) (amount s.parks) (amount s.wakes) (amount s.suspensions);
    Printf.sprintf "heap %s  minor collections %s/s  promoted %s/s%s" (bytes s.heap) (amount s.minor)
      (bytes s.promoted)
      (if s.lost > 0 then Printf.sprintf "  (%s words of events lost)" (amount (float_of_int s.lost)) else "");
  ]

let most_places = 4

let waiting (p : Waits.place) =
  Printf.sprintf "%s: %s %s" (place p)
    (Words.plural p.waits "fiber waits, for" "fibers wait, the longest for")
    (Words.duration p.longest)

let legend ~colours =
  String.concat "  "
    (List.map
       (fun (paint, what) -> painted ~colours paint (String.make 1 paint.letter) ^ " " ^ what)
       [ (running, "running"); (collecting, "collecting"); (searching, "searching"); (parked, "parked") ])

let title t width =
  let keys = "q: leave" in
  let seconds = match t.last with Some s -> Printf.sprintf "%.1f s" s.seconds | None -> "" in
  let left = Printf.sprintf "weft live  %s" (printable t.command) in
  let right = Printf.sprintf "  %s  pid %d  %s" seconds t.pid keys in
  let room = max 0 (width - String.length right) in
  let left = cut room left in
  cut width (left ^ String.make (room - String.length left) ' ' ^ right)

let last n list = List.filteri (fun i _ -> i >= List.length list - n) list

let frame t ~colours ~width ~height ~output =
  let bold text = if colours then "\027[1m" ^ text ^ reset else text in
  let soft text = if colours then "\027[90m" ^ text ^ reset else text in
  let body =
    match t.last with
    | None -> [ "waiting for its first events" ]
    | Some { workers = []; _ } -> [ "no worker of a pool so far" ]
    | Some s ->
        (* If there are more workers than lines, only the first are shown, and the number of the others. *)
        let waits = take (min most_places (height - 14)) (List.map waiting s.waiting) in
        let room = max 1 (height - 10 - List.length waits) in
        first_workers ~width room (List.map (worker_line ~colours width) s.workers)
        @ [ (if width >= 60 then legend ~colours else ""); "" ]
        @ List.map (cut width) (rates s @ waits)
        @ [ "busy  " ^ history ~colours (max 0 (width - 6)) t.busy ]
  in
  let head = bold (title t width) :: "" :: body in
  let head = take height head in
  let room = height - List.length head - 2 in
  match output with
  | Some output when room >= 1 ->
      let rule = "-- what it writes " in
      let rule = cut width (rule ^ String.make (max 0 (width - String.length rule)) '-') in
      head @ ("" :: soft rule :: List.map (fun line -> cut width (printable line)) (last room output))
  | _ -> head

let worker (w : Sample.worker) =
  Printf.sprintf "%s run %s gc %s search %s park %s" (printable w.name) (percent w.running)
    (percent w.collecting) (percent w.searching) (percent w.parked)

let line (s : Sample.t) =
  String.concat "; "
    ((Printf.sprintf "%.1f s" s.seconds :: List.map worker s.workers)
    @ rates s
    @ take 1 (List.map waiting s.waiting))
