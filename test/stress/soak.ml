module Child = Testing.Child

type verdict = Right | Wrong of string list | Hung | Cut_short
type row = { kind : string; on : int; cell : Cell.t option; verdict : verdict; again : string; log : string }

(* --- one process --- *)

let arguments ~kind ~on ~seed ~seconds =
  Printf.sprintf "--kinds %s --domains %d --first %d --last %d --seconds %.3g --judged" kind on seed seed
    seconds

(* Every second one has a small minor heap. *)
let parameters seed = if seed mod 2 = 0 then "s=4k" else ""
let interrupts = Atomic.make 0

(* A process whose own watchdog is stuck, too, is ended from here. *)
let ends_by ~seconds = Unix.gettimeofday () +. seconds +. (2. *. Testing.Watchdog.limit) +. 60.

let await child ~seconds progress =
  let ends = ends_by ~seconds and seen = ref 0 and stuck = ref "" in
  while not (Child.has_ended child) do
    progress ();
    let asked = Atomic.get interrupts in
    if asked > !seen then Child.signal child (if asked = 1 then Sys.sigint else Sys.sigkill);
    seen := asked;
    if !stuck = "" && Unix.gettimeofday () > ends then begin
      stuck := "does not end; threads:\n" ^ Testing.Threads.describe (Child.pid child);
      Child.signal child Sys.sigkill
    end;
    Thread.delay 0.2
  done;
  (Child.finish child, !stuck)

let judge (ended : Child.ended) stuck cell =
  let asked = Atomic.get interrupts in
  match (ended.code, cell) with
  | _ when stuck <> "" -> Hung
  | 134, _ when Testing.Text.contains "hangs: " ended.err -> Hung
  | _, Some { Cell.lost; _ } when lost > 0 -> Wrong [ "lost" ]
  | (0 | 1 | 130), Some _ when asked > 0 -> Cut_short (* too short for a judgement of memory *)
  | 1, Some cell when Cell.faults cell <> [] -> Wrong (Cell.faults cell)
  | 0, Some _ -> Right
  | _ when asked > 1 -> Cut_short
  | code, _ -> Wrong [ Printf.sprintf "exit code %d" code ]

let run_one ~extra ~logs ~seconds ~seed ~progress kind on =
  let arguments = arguments ~kind ~on ~seed ~seconds in
  (* A session of its own: Ctrl-C of the terminal is for this process, not for that and its children. *)
  let child =
    Child.start
      ~env:[ ("OCAMLRUNPARAM", parameters seed) ]
      "setsid"
      ((Sys.executable_name :: String.split_on_char ' ' arguments) @ extra)
  in
  let ended, stuck = await child ~seconds progress in
  let cell = List.find_map Cell.read (Testing.Text.lines ended.out) in
  let verdict = judge ended stuck cell in
  let log = Filename.concat logs (Printf.sprintf "%s-%d-%d.log" kind on seed) in
  (match verdict with
  | Right | Cut_short -> ()
  | Wrong _ | Hung ->
      Out_channel.with_open_bin log (fun out -> List.iter (output_string out) [ ended.out; ended.err; stuck ]));
  {
    kind;
    on;
    cell;
    verdict;
    again = Printf.sprintf "OCAMLRUNPARAM=%s scripts/soak %s" (parameters seed) arguments;
    log;
  }

(* --- what is printed --- *)

let is_tty = lazy (Unix.isatty Unix.stderr)

let show_progress text ~new_cell =
  if Lazy.force is_tty then Printf.eprintf "\r\027[K%s%!" text
  else if new_cell then Printf.eprintf "%s\n%!" text

let word_of = function
  | Right -> "well"
  | Wrong faults -> String.concat ", " faults
  | Hung -> "hung"
  | Cut_short -> "cut short"

let fails row = match row.verdict with Wrong _ | Hung -> true | Right | Cut_short -> false

let print_row row =
  let figures =
    match row.cell with
    | None -> Printf.sprintf "%7s %11s %5s" "-" "-" "-"
    | Some c -> Printf.sprintf "%7d %11d %5d" c.rounds c.operations c.lost
  in
  let uses =
    match row.cell with
    | None -> Printf.sprintf "%8s %14s %13s %11s" "-" "-" "-" "-"
    | Some { warm; last; stall; _ } ->
        let mib kib = float_of_int kib /. 1024. in
        Printf.sprintf "%7.1fs %6.1f %7.1f %6.2f %6.2f %5d %5d" stall (mib warm.memory) (mib last.memory)
          (mib warm.live) (mib last.live) warm.descriptors last.descriptors
  in
  let hung = if row.verdict = Hung then 1 else 0 in
  Printf.printf "%-8s %7d %s %4d %s  %s\n" row.kind row.on figures hung uses (word_of row.verdict)

let print_table rows =
  Printf.printf "\n%-8s %7s %7s %11s %5s %4s %8s %14s %13s %11s\n" "kind" "domains" "rounds" "operations"
    "lost" "hung" "stall" "memory, MiB" "live, MiB" "descriptors";
  List.iter print_row rows;
  let failed = List.filter fails rows in
  List.iter
    (fun row ->
      Printf.printf "\nfailed: %s on %d domains: %s; its output: %s\nagain: %s\n" row.kind row.on
        (word_of row.verdict) row.log row.again)
    failed;
  Printf.printf "\nsoak: %d passed, %d failed\n%!"
    (List.length rows - List.length failed)
    (List.length failed)

let run ~hours ~seed ~extra ~logs ~kinds ~on =
  Sys.set_signal Sys.sigint (Signal_handle (fun _ -> Atomic.incr interrupts));
  let cells = List.concat_map (fun on -> List.map (fun kind -> (kind, on)) kinds) on in
  let seconds = hours *. 3600. /. float_of_int (List.length cells) in
  let rows = ref [] in
  let run_cell i (kind, on) =
    if Atomic.get interrupts = 0 then begin
      let seed = seed + i and start = Unix.gettimeofday () in
      let progress ~new_cell =
        let failed = List.length (List.filter fails !rows) in
        show_progress ~new_cell
          (Printf.sprintf "soak: %d of %d: %s on %d domains, seed %d: %.0f of %.0f s; %d failed so far"
             (i + 1) (List.length cells) kind on seed
             (Unix.gettimeofday () -. start)
             seconds failed)
      in
      progress ~new_cell:true;
      let progress () = progress ~new_cell:false in
      rows := run_one ~extra ~logs ~seconds ~seed ~progress kind on :: !rows
    end
  in
  List.iteri run_cell cells;
  if Lazy.force is_tty then prerr_newline ();
  print_table (List.rev !rows);
  if List.exists fails !rows then 1 else if Atomic.get interrupts > 0 then 130 else 0
