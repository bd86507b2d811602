type handler = int -> unit

external is_default : int -> bool = "weft_is_default" [@@noalloc]
external learn : int -> unit = "weft_learn_handler" [@@noalloc]
external handled_now : unit -> int = "weft_handled_signals" [@@noalloc]
external kill_first_thread : int -> unit = "weft_send_to_first_thread" [@@noalloc]
external is_first_thread : unit -> bool = "weft_is_first_thread" [@@noalloc]
external carrier : unit -> int = "weft_carrier" [@@noalloc]
external is_same_function : handler -> handler -> bool = "weft_is_same_function" [@@noalloc]

let sigwinch = 28

(* In the order of signal_stubs.c. *)
let handled =
  Sys.
    [|
      sigint;
      sigterm;
      sighup;
      sigquit;
      sigalrm;
      sigusr1;
      sigusr2;
      sigchld;
      sigtstp;
      sigcont;
      sigpoll;
      sigprof;
      sigvtalrm;
      sigurg;
      sigwinch;
      sigxcpu;
      sigpipe;
      sigttin;
      sigttou;
      sigxfsz;
    |]

(* The runtime's own function is seen once the runtime handles a signal; these signals do nothing by
   default. *)
let () =
  if not Sys.win32 then
    match List.find_opt is_default [ sigwinch; Sys.sigurg; Sys.sigchld ] with
    | None -> ()
    | Some signal ->
        Sys.set_signal signal (Signal_handle ignore);
        learn signal;
        Sys.set_signal signal Signal_default

let receive = ref (fun signal (h : handler) -> h signal)

(* While the handler of a signal is being found out, recorders keep the signals that come. *)
type finding = Known | Finding of int list
type place = { handler : handler; mutable recorder : handler; finding : finding Atomic.t }

let rec is_kept p signal =
  match Atomic.get p.finding with
  | Known -> false
  | Finding kept as was -> Atomic.compare_and_set p.finding was (Finding (signal :: kept)) || is_kept p signal

let[@inline never] place handler =
  let p = { handler; recorder = ignore; finding = Atomic.make Known } in
  p.recorder <- (fun signal -> if not (is_kept p signal) then !receive signal p.handler);
  p

let nothing = place ignore

let by_default =
  place (fun signal ->
      Sys.set_signal signal Signal_default;
      Unix.kill (Unix.getpid ()) signal)

(* The program may keep a recorder, and put it back much later. A table of all recorders would have to be
   weak, and would be searched at each call from outside. So the place is read from the closure, whose only
   variable it is, after code and arity. Checked by test/platform. *)
let known handler : place option =
  if is_same_function handler nothing.recorder then Some (Obj.obj (Obj.field (Obj.repr handler) 2)) else None

(* Another thread is in the middle of [Sys.signal]: the runtime handles the signal already, and has no function
   for it yet. *)
let is_missing : Sys.signal_behavior -> bool = function
  | Signal_handle h -> Obj.is_int (Obj.repr h)
  | Signal_default | Signal_ignore -> false

let place_of (behaviour : Sys.signal_behavior) =
  match behaviour with
  | Signal_handle h -> ( match known h with Some p -> p | None -> place h)
  | Signal_ignore -> nothing
  | Signal_default -> by_default

(* For each signal, the recorder that was seen last. *)
let last = Array.map (fun _ -> nothing) handled

(* Recorders that may be called meanwhile keep what comes. *)
let keep used p =
  if not (List.memq p !used) then begin
    used := p :: !used;
    Atomic.set p.finding (Finding [])
  end

let let_go p = match Atomic.exchange p.finding Known with Finding kept -> kept | Known -> []

(* The recorder of [installed] has taken the place of [found]. If another recorder finds something else in
   its place, the program has installed that meanwhile. So the default is never put back: it might take the
   place of a handler. *)
let rec replace signal ~installed found used =
  let p = place_of found in
  if p == installed then p
  else begin
    keep used p;
    match Sys.signal signal (Signal_handle p.recorder) with
    | Signal_handle h when h == installed.recorder -> p
    | newer -> replace signal ~installed:p newer used
  end

(* --- the first thread --- *)

let for_first_thread : (int * handler) list Atomic.t = Atomic.make []

let rec put signals f =
  let was = Atomic.get signals in
  if not (Atomic.compare_and_set signals was (f was)) then put signals f

let carrier = carrier ()

(* In any thread, as OCaml calls handlers; but not in one that masks the signal: from then on that thread
   masks the carrier, too. If the first thread masks the signal, it stays pending there. *)
let deliver (signal, handler) =
  if not (Signal_mask.mem signal (Signal_mask.current ())) then !receive signal handler
  else if is_first_thread () then kill_first_thread signal
  else begin
    put for_first_thread (fun newer -> newer @ [ (signal, handler) ]);
    Signal_mask.block_for_good (Signal_mask.of_list [ carrier ]);
    kill_first_thread carrier
  end

(* If a handler raises, the others come next. *)
let rec deliver_all = function
  | [] -> ()
  | first :: others -> (
      match deliver first with
      | () -> deliver_all others
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          put for_first_thread (fun newer -> newer @ List.rev others);
          if others <> [] then kill_first_thread carrier;
          Printexc.raise_with_backtrace exn backtrace)

let deliver_all _ = deliver_all (List.rev (Atomic.exchange for_first_thread []))
let carries = Atomic.make false

let send_to_first_thread signal handler =
  if carrier = 0 then kill_first_thread signal
  else begin
    put for_first_thread (List.cons (signal, handler));
    if not (Atomic.get carries) then Sys.set_signal carrier (Signal_handle deliver_all);
    Atomic.set carries true;
    kill_first_thread carrier
  end

(* --- finding handlers --- *)

let last_of signal =
  let rec find i = if handled.(i) = signal then last.(i) else find (i + 1) in
  find 0

(* A signal that came while its handler gave way to the default may have come before. *)
let for_early signal used =
  let now = last_of signal in
  if now != by_default then now.handler
  else
    let is_programs p = p != by_default && p != nothing in
    (Option.value (List.find_opt is_programs used) ~default:now).handler

(* Bits of the signals whose function was missing at this look: the next one finds them out. *)
let missing = ref 0

(* Which handler is installed is found out by replacing it. Returns the signals that came meanwhile, with
   their handlers. *)
let find_out i =
  let signal = handled.(i) and installed = last.(i) and used = ref [] in
  keep used installed;
  let found = Sys.signal signal (Signal_handle installed.recorder) in
  if is_missing found then missing := !missing lor (1 lsl i)
  else last.(i) <- replace signal ~installed found used;
  List.concat_map let_go !used |> List.map (fun early -> (early, for_early early !used))

let find_all_out bits =
  List.concat
    (List.init (Array.length handled) (fun i -> if bits land (1 lsl i) <> 0 then find_out i else []))

let lock = Mutex.create ()
let signals = Signal_mask.of_list (Array.to_list handled)

(* Those that had a handler at the last look. *)
let seen = Atomic.make 0

let find_under_lock ~handled_now bits =
  Fun.protect
    ~finally:(fun () -> Mutex.unlock lock)
    (fun () ->
      missing := 0;
      let early = find_all_out bits in
      Atomic.set seen (handled_now land lnot !missing);
      early)

(* Masked: [Sys.signal] runs the handlers of pending signals, and if one raised, the handler that was
   replaced would be lost. (Handlers of signals that another thread has got run all the same, until they are
   recorders.) If another thread is doing this, it is soon done; or a handler runs here. *)
let look ~handled_now bits =
  Signal_mask.while_blocked signals (fun _ ->
      if Mutex.try_lock lock then find_under_lock ~handled_now bits else [])
  |> List.iter (fun (signal, handler) -> !receive signal handler)

(* [Sys.signal] is not atomic when two domains call it: so the domain that mostly calls it does this, too. *)
let take_over () =
  let bits = if Sys.win32 then 0 else handled_now () in
  let unseen = bits land lnot (Atomic.get seen) in
  if Domain.is_main_domain () then begin
    if bits <> 0 then look ~handled_now:bits bits
  end
  else if unseen <> 0 then look ~handled_now:bits unseen;
  if bits = 0 then Atomic.set seen 0;
  bits <> 0
