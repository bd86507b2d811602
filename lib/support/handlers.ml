type handler = int -> unit

external is_default : int -> bool = "weft_is_default" [@@noalloc]
external learn : int -> unit = "weft_learn_handler" [@@noalloc]
external handled_now : unit -> int = "weft_handled_signals" [@@noalloc]
external send_to_first_thread : int -> unit = "weft_send_to_first_thread" [@@noalloc]

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

(* Which function the runtime handles signals with is seen once it handles one. These do nothing by default. *)
let () =
  if not Sys.win32 then
    match List.find_opt is_default [ sigwinch; Sys.sigurg; Sys.sigchld ] with
    | None -> ()
    | Some signal ->
        Sys.set_signal signal (Signal_handle ignore);
        learn signal;
        Sys.set_signal signal Signal_default

let receive = ref (fun signal (h : handler) -> h signal)

(* Which handler a signal has is being found out; and the signal has come meanwhile. *)
type finding = Known | Finding | Early

(* Alive as long as its recorder may be installed. *)
type place = { handler : handler; mutable recorder : handler; finding : finding Atomic.t }

let rec came_early p =
  match Atomic.get p.finding with
  | Known -> false
  | Early -> true
  | Finding -> Atomic.compare_and_set p.finding Finding Early || came_early p

let place handler =
  let p = { handler; recorder = ignore; finding = Atomic.make Known } in
  p.recorder <- (fun signal -> if not (came_early p) then !receive signal p.handler);
  p

(* All recorders that may be installed: the program may keep one, and put it back. *)
let places : place Weak.t list ref = ref []

let known recorder =
  let is w = match Weak.get w 0 with Some p when p.recorder == recorder -> Some p | _ -> None in
  List.find_map is !places

let add p =
  let w = Weak.create 1 in
  Weak.set w 0 (Some p);
  places := w :: List.filter (fun w -> Weak.check w 0) !places

let new_place handler =
  let p = place handler in
  add p;
  p

let nothing = new_place ignore

(* Of each signal, whose recorder was seen last. *)
let last = Array.map (fun _ -> nothing) handled

(* Which handler is installed is told by replacing it. What came meanwhile is received by the caller. *)
let find_out i =
  let signal = handled.(i) and before = last.(i) in
  Atomic.set before.finding Finding;
  let now =
    match Sys.signal signal (Signal_handle before.recorder) with
    | Signal_handle h when h == before.recorder -> before
    | Signal_handle h -> Option.value (known h) ~default:(new_place h)
    | (Signal_default | Signal_ignore) as other ->
        (* It has been changed meanwhile. *)
        Sys.set_signal signal other;
        before
  in
  if now != before then begin
    last.(i) <- now;
    Sys.set_signal signal (Signal_handle now.recorder)
  end;
  Atomic.exchange before.finding Known = Early

let rec find_all_out bits i ~early =
  if i = Array.length handled then early
  else
    let early = if bits land (1 lsl i) <> 0 && find_out i then i :: early else early in
    find_all_out bits (i + 1) ~early

let lock = Mutex.create ()
let signals = Array.to_list handled

(* Masked: [Sys.signal] runs the handlers of what is pending, and should one raise, the handler that was replaced would be lost. If another
   thread is at it, it is done soon; or a handler has come here. *)
let look bits =
  let before = Unix.sigprocmask SIG_BLOCK signals in
  let early =
    if Mutex.try_lock lock then begin
      let early = find_all_out bits 0 ~early:[] in
      Mutex.unlock lock;
      early
    end
    else []
  in
  ignore (Unix.sigprocmask SIG_SETMASK before : int list);
  List.iter (fun i -> !receive handled.(i) last.(i).handler) early

let take_over () =
  let bits = if Sys.win32 then 0 else handled_now () in
  if bits <> 0 then look bits;
  bits <> 0
