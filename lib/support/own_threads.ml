let noted = Atomic.make 0
let note () = Atomic.incr noted
let take_back () = Atomic.decr noted
let count () = Atomic.get noted

type domain = {
  begun : bool Atomic.t; (* or given up *)
  ended : (unit, exn) result option Atomic.t;
  mutable handle : unit Domain.t option; (* unknown while it starts, and if an exception took it away *)
}

type raised = exn * Printexc.raw_backtrace

let domain () = { begun = Atomic.make false; ended = Atomic.make None; handle = None }

let run d main () =
  if not (Atomic.exchange d.begun true) then
    match main () with
    | () -> Atomic.set d.ended (Some (Ok ()))
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Atomic.set d.ended (Some (Error exn));
        Printexc.raise_with_backtrace exn backtrace

(* Further exceptions while one is dealt with are dropped. *)
let put_back theirs () = Random.set_state theirs

let rec raised exn backtrace : raised option =
  match Some (exn, backtrace) with late -> late | exception _ -> Sys.opaque_identity (raised exn backtrace)

(* Domain.spawn draws from the spawning thread's generator, to seed the new domain's. It allocates when the domain runs already,
   and what has callbacks there may raise; so may they while the generator is put back. *)
let start d main : raised option =
  let theirs = Random.get_state () in
  note ();
  match
    Random.set_state (Random.State.make [| Atomic.get noted |]);
    d.handle <- Some (Domain.spawn (run d main));
    Random.set_state theirs
  with
  | () -> None
  | exception exn ->
      let runs = Atomic.exchange d.begun true in
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.insist put_back theirs ();
      if runs then raised exn backtrace
      else begin
        (* No number was used, if there was no domain to be had; else who knows. *)
        (match exn with Failure _ when d.handle = None -> take_back () | _ -> ());
        Printexc.raise_with_backtrace exn backtrace
      end

let raise_late = Option.iter (fun (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace)

let rec await_end d parker =
  match Atomic.get d.ended with
  | Some (Ok ()) -> ()
  | Some (Error exn) -> raise exn
  | None ->
      ignore (Parker.park_for parker 0.001);
      await_end d parker

let join d =
  match d.handle with
  | Some handle -> Domain.join handle
  | None -> await_end d (Parker.create ~interruptible:true)
