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
      Printf.sprintf "interrupted at allocation %d:\n%s" k (Printexc.raw_backtrace_to_string callstack)

let is_inside modules (a : Gc.Memprof.allocation) =
  let slots = Option.value (Printexc.backtrace_slots a.callstack) ~default:[||] in
  Array.exists
    (fun slot -> match Printexc.Slot.name slot with Some name -> has name modules | None -> false)
    slots

(* Handlers run where code allocates; so do those of Memprof, and may raise. *)
let at_allocation ?modules ?but ?(pause = ignore) k f =
  let came = ref false and armed = ref true in
  let start () =
    let mine = Thread.id (Thread.self ()) and left = ref k in
    let counts a =
      Option.fold modules ~none:true ~some:(fun m -> is_inside m a)
      && Option.fold but ~none:true ~some:(fun m -> not (is_inside m a))
    in
    let allocated a =
      if Thread.id (Thread.self ()) = mine && !armed && counts a then begin
        decr left;
        if !left = 0 then begin
          came := true;
          armed := false;
          Atomic.set last (Some (k, a.callstack));
          pause ();
          raise Interrupted
        end
      end;
      None
    in
    ignore
      (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:depth
         { Gc.Memprof.null_tracker with alloc_minor = allocated; alloc_major = allocated })
  in
  let stop () =
    armed := false;
    try Gc.Memprof.stop () with Failure _ -> ()
  in
  (match f start with
  | () -> stop ()
  | exception Interrupted -> stop ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      stop ();
      Printexc.raise_with_backtrace exn backtrace);
  !came

let is_possible =
  lazy
    (match Gc.Memprof.start ~sampling_rate:0. Gc.Memprof.null_tracker with
    | _ ->
        Gc.Memprof.stop ();
        true
    | exception Failure _ -> false)

let at_each_allocation ?(most = 5_000) attempt =
  if not (Lazy.force is_possible) then Alcotest.skip ()
  else
    let rec from k =
      if k > most then Alcotest.failf "there is no end of allocations"
      else if attempt k then from (k + 1)
      else k
    in
    let last = from 1 in
    if last = 1 then Alcotest.fail "it was never interrupted"
