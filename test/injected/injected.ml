exception Interrupted

let has text part =
  let n = String.length part in
  let rec from i = i + n <= String.length text && (String.sub text i n = part || from (i + 1)) in
  from 0

let depth = 40
let last = Atomic.make None

let where () =
  match Atomic.get last with
  | None -> "nothing was interrupted"
  | Some (k, callstack) ->
      Printf.sprintf "interrupted at the place numbered %d:\n%s" k
        (Printexc.raw_backtrace_to_string callstack)

let is_inside callstack modules =
  let slots = Option.value (Printexc.backtrace_slots callstack) ~default:[||] in
  Array.exists
    (fun slot -> match Printexc.Slot.name slot with Some name -> has name modules | None -> false)
    slots

let counts ?modules ?but callstack =
  Option.fold modules ~none:true ~some:(is_inside callstack)
  && Option.fold but ~none:true ~some:(fun m -> not (is_inside callstack m))

let run f ~start ~stop =
  match f start with
  | () -> stop ()
  | exception Interrupted -> stop ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      stop ();
      Printexc.raise_with_backtrace exn backtrace

(* A signal that its own handler makes pending again: it runs at every safepoint, allocations and others. *)
external prepare : int -> unit = "injected_prepare" [@@noalloc]
external begin_ : unit -> unit = "injected_begin" [@@noalloc]
external again_ : unit -> unit = "injected_again" [@@noalloc]
external end_ : unit -> unit = "injected_end" [@@noalloc]

(* A real-time one: its handler is called by OCaml, wherever code allocates or loops, also in a pool (Handlers). *)
let signal = 40

let at ?modules ?but ?(pause = ignore) ?(again = []) k f =
  let came = ref false and armed = ref false and left = ref k and later = ref again in
  let mine = ref (-1) in
  let reached () =
    came := true;
    (match !later with
    | [] ->
        armed := false;
        end_ ()
    | next :: others ->
        left := next;
        later := others;
        again_ ());
    let callstack = Printexc.get_callstack depth in
    if counts ?modules ?but callstack then begin
      Atomic.set last (Some (k, callstack));
      pause ();
      raise Interrupted
    end
  in
  let handler _ =
    if !armed then
      if Thread.id (Thread.self ()) <> !mine then again_ ()
      else begin
        decr left;
        if !left > 0 then again_ () else reached ()
      end
  in
  let before = Sys.signal signal (Signal_handle handler) in
  prepare signal;
  let start () =
    mine := Thread.id (Thread.self ());
    armed := true;
    begin_ ()
  in
  let stop () =
    armed := false;
    end_ ();
    Sys.set_signal signal before
  in
  run f ~start ~stop;
  !came

(* In other builds functions of other modules are called where release builds have inlined them, and a function may begin with a safepoint
   where the code counts on none. *)
let at_each ?(most = 20_000) ?(step = 1) attempt =
  if Build_profile.name <> "release" then Alcotest.skip ()
  else begin
    let rec from k =
      if k > most then Alcotest.fail "there is no end of safepoints"
      else if attempt k then from (k + step)
      else k
    in
    Atomic.set last None;
    ignore (from 1 : int);
    (* Also where [modules] are wanted that have no safepoint, or another name. *)
    if Atomic.get last = None then Alcotest.fail "it was never interrupted"
  end

let name = function
  | [] -> "at safepoints"
  | again -> "at safepoints, again after " ^ String.concat ", " (List.map string_of_int again)
