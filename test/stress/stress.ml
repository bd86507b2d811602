(* Random mixes of everything in the public interface, with invariants. The watchdog, which looks at each
   round, finds a fiber that waits for ever; see the dune file for the long forms. *)

open Kit

exception Sig

type run = { kind : string; seed : int; domains : int; signals : signals }
and signals = Off | Handled | Raising

let name_of = function Off -> "no signals" | Handled -> "signals" | Raising -> "signals that raise"

let describe run =
  Printf.sprintf "%s, seed %d, domains %d, %s" run.kind run.seed run.domains (name_of run.signals)

(* --- kinds --- *)

let pool = ref None

let parts =
  [
    ("forks", Forks.all);
    ("waiting", Waiting.all);
    ("scopes", Scopes.all);
    ("batches", Batches.all);
    ("outside", Outside.all (fun () -> Option.get !pool));
    ("files", Damage.all);
  ]

let kinds = parts @ [ ("mixed", List.concat_map snd parts) ]
let scenarios = ref [||]

(* How many runs of each scenario are under way, for the watchdog's report. *)
let active = Hashtbl.create 40
let () = List.iter (fun (name, _) -> Hashtbl.replace active name (Atomic.make 0)) (List.assoc "mixed" kinds)

let under_way () =
  let count name n rest =
    if Atomic.get n = 0 then rest else Printf.sprintf "  %s: %d" name (Atomic.get n) :: rest
  in
  String.concat "\n"
    (Printf.sprintf "%s\nunder way:" !this_run :: List.sort compare (Hashtbl.fold count active []))

(* --- signals --- *)

let armed = Atomic.make false

let without_alarms f () =
  ignore (Thread.sigmask Unix.SIG_BLOCK [ Sys.sigalrm ]);
  f ()

let tick interval = ignore (Unix.setitimer ITIMER_REAL { it_interval = interval; it_value = interval })

let with_signals signals f =
  match signals with
  | Off -> f ()
  | Handled | Raising ->
      Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> if Atomic.get armed then raise Sig));
      tick 0.001;
      Fun.protect f ~finally:(fun () -> tick 0.)

(* A signal's exception may end a piece; the pool must not be lost. *)
let interrupted_piece pool =
  match
    Atomic.set armed true;
    for _ = 1 to 5 do
      ignore (Weft.Pool.run pool (fun () -> Forks.tree_par (split ()) 100000))
    done;
    let one = Weft.Semaphore.create 1 in
    let take_turns () =
      for _ = 1 to 50 do
        Weft.Semaphore.protect one Weft.yield
      done
    in
    ignore (Weft.Pool.run pool (fun () -> Weft.all (List.init 8 (fun _ -> take_turns))));
    Atomic.set armed false
  with
  | () -> ()
  | exception exn -> (
      Atomic.set armed false;
      match exn with
      | Sig | Fun.Finally_raised Sig -> ()
      | exn -> check ("an interrupted piece raised " ^ Printexc.to_string exn) false)

(* --- runs --- *)

(* When the last scenario ended, and the longest time in which none did. *)
let ends_lock = Mutex.create ()
let ended = ref 0.
let stall = ref 0.

let note_end () =
  Mutex.protect ends_lock (fun () ->
      let now = Unix.gettimeofday () in
      stall := Float.max !stall (now -. !ended);
      ended := now)

(* Faults that must be found. *)
let planted = ref ignore
let kept = ref []

let faults =
  [
    ("lost", fun () -> check "planted" false);
    ("memory", fun () -> kept := Bytes.make 100_000 'x' :: !kept);
    ("descriptors", fun () -> ignore (Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0));
    ("hang", fun () -> Weft.await (Weft.Promise.create ()));
  ]

let one st =
  !planted ();
  let name, scenario = !scenarios.(ri st (Array.length !scenarios)) in
  let active = Hashtbl.find active name in
  Atomic.incr active;
  (try scenario st with exn -> check (Printf.sprintf "%s raised %s" name (Printexc.to_string exn)) false);
  note_end ();
  Atomic.decr active

let round { domains; signals; _ } () =
  Weft.Pool.with_pool ~domains @@ fun p ->
  pool := Some p;
  let from_outside st =
    Thread.create
      (without_alarms (fun () ->
           for _ = 1 to 5 do
             Weft.Pool.run p (fun () -> one st)
           done))
      ()
  in
  let callers = if signals = Raising then 0 else next () mod 3 in
  let outside = List.init callers (fun _ -> from_outside (split ())) in
  for _ = 1 to 10 do
    let mixes = List.init (1 + (next () mod 3)) (fun _ -> split ()) in
    if signals = Raising then interrupted_piece p;
    Weft.Pool.run p (fun () -> ignore (Weft.all (List.map (fun st () -> one st) mixes)))
  done;
  List.iter Thread.join outside

let stopped = Atomic.make false

(* A third of the time, and five rounds of ten at least, are for warming up. *)
let run ~seconds this =
  this_run := describe this;
  seed this.seed;
  scenarios := Array.of_list (List.assoc this.kind kinds);
  let fails_before = Atomic.get fails and operations_before = Atomic.get operations and rounds = ref 0 in
  let start = Unix.gettimeofday () in
  ended := start;
  stall := 0.;
  let rec until ~least moment =
    Testing.Watchdog.guard !this_run (round this);
    incr rounds;
    if (Unix.gettimeofday () < moment || !rounds < least) && not (Atomic.get stopped) then until ~least moment
  in
  let used () =
    let used = Cell.used () in
    ended := Unix.gettimeofday ();
    used
  in
  with_signals this.signals @@ fun () ->
  let longer = seconds > 0. in
  until ~least:(if longer then 5 else 1) (start +. (seconds /. 3.));
  let warm = used () in
  if longer then until ~least:10 (start +. seconds);
  (* The thread that polls for descriptors ends some time after the last of them. *)
  let rec settled tries =
    let last = used () in
    if last.descriptors <= warm.descriptors || tries = 0 then last
    else begin
      Thread.delay 0.5;
      settled (tries - 1)
    end
  in
  {
    Cell.kind = this.kind;
    domains = this.domains;
    seed = this.seed;
    rounds = !rounds;
    operations = Atomic.get operations - operations_before;
    lost = Atomic.get fails - fails_before;
    stall = !stall;
    warm;
    last = settled 20;
  }

let () =
  let first = ref 1 and last = ref 1 and seconds = ref 1. in
  let domains = ref [] and chosen = ref [] in
  let judged = ref false and hours = ref 0. and logs = ref "." and extra = ref [] in
  let list ref of_string =
    Arg.String (fun text -> ref := List.map of_string (String.split_on_char ',' text))
  in
  let one_of table name =
    match List.assoc_opt name table with
    | Some found -> found
    | None ->
        raise
          (Arg.Bad (Printf.sprintf "there is no %S among %s" name (String.concat "," (List.map fst table))))
  in
  let number text =
    match int_of_string_opt text with
    | Some n when n > 0 && n <= 128 -> n
    | _ -> raise (Arg.Bad (text ^ " is no number of domains"))
  in
  let passed_on option set =
    Arg.String
      (fun text ->
        set text;
        extra := option :: text :: !extra)
  in
  let kind name = fst (name, one_of kinds name) in
  Arg.parse
    [
      ("--first", Set_int first, "the first seed");
      ("--last", Set_int last, "the last seed");
      ("--seconds", Set_float seconds, "how long each run goes on, at least ten rounds; 0: one round");
      ("--domains", list domains number, "numbers of domains");
      ("--kinds", list chosen kind, "kinds of scenarios: " ^ String.concat "," (List.map fst kinds));
      ("--judged", Set judged, "memory and descriptors that grow are failures, too");
      ( "--small-disk",
        passed_on "--small-disk" (fun path -> Batches.small_disk := Some path),
        "where the log meets a full disk" );
      ( "--soak",
        Set_float hours,
        "so many hours, by default of all kinds on 1, 2, 3, 8 and 16 domains, each in a process" );
      ("--logs", Set_string logs, "the folder for the output of those that fail");
      ( "--plant",
        passed_on "--plant" (fun name -> planted := one_of faults name),
        "a fault: " ^ String.concat "," (List.map fst faults) );
    ]
    (fun arg -> raise (Arg.Bad arg))
    "random mixes of everything";
  let unless_given given usual = if given = [] then usual else given in
  if !hours > 0. then begin
    let kinds = unless_given !chosen (List.map fst kinds) and on = unless_given !domains [ 1; 2; 3; 8; 16 ] in
    exit (Soak.run ~hours:!hours ~seed:!first ~extra:!extra ~logs:!logs ~kinds ~on)
  end;
  let quiet exn _ =
    match exn with
    | Boom _ | Weft.Pool.Closed _ | Weft.Cancel.Cancelled _ | Sig | Support.Planned _ -> ()
    | exn -> check ("nobody awaited " ^ Printexc.to_string exn) false
  in
  Weft.set_uncaught_handler quiet;
  Testing.Watchdog.add_report under_way;
  Sys.set_signal Sys.sigint (Signal_handle (fun _ -> Atomic.set stopped true));
  let fault = ref false in
  let run_all seed kind n =
    let signals = match seed mod 3 with 0 -> Off | 1 -> Raising | _ -> Handled in
    if not (Atomic.get stopped) then begin
      let cell = run ~seconds:!seconds { kind; seed; domains = n; signals } in
      Cell.print cell;
      if !judged && Cell.faults cell <> [] then fault := true
    end
  in
  for seed = !first to !last do
    List.iter
      (fun kind -> List.iter (run_all seed kind) (unless_given !domains [ 1; 2; 3; 8 ]))
      (unless_given !chosen [ "mixed" ])
  done;
  Batches.no_addition_is_lost ();
  exit (if Atomic.get fails > 0 || !fault then 1 else if Atomic.get stopped then 130 else 0)
