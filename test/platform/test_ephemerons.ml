(* Domains that end while the collector sweeps their weak pointers: OCaml before 5.5 waits for them for ever,
   or leaves pointers to what is dead. *)

let pointers = 20_000
let slice () = ignore (Gc.major_slice 10_000 : int)

(* The values, and a pointer to each. *)
let weak_pointers () =
  let values = Array.init pointers ref in
  let point value =
    let w = Weak.create 1 in
    Weak.set w 0 (Some value);
    w
  in
  (values, Array.map point values)

external sweeps_weak_pointers : unit -> bool = "test_sweeps_weak_pointers" [@@noalloc]

(* How far the cycle gets by so many slices is not known. A good part of it is the sweep of weak pointers. *)
let after_slices n () =
  for _ = 1 to n do
    slice ()
  done

let slices_while phase =
  while sweeps_weak_pointers () = phase do
    ignore (Gc.major_slice 1 : int);
    Domain.cpu_relax ()
  done

(* In the next cycle, the first in which the values may be dead. If another domain begins the sweep, this one
   has swept nothing of its own when it ends. *)
let when_the_sweep_begins () =
  slices_while false;
  slices_while true;
  slices_while false

(* Every other value stays alive. *)
let domain ~wait ends () =
  let values, weak = weak_pointers () in
  Gc.full_major ();
  for i = 0 to (pointers / 2) - 1 do
    values.((2 * i) + 1) <- values.(2 * i)
  done;
  wait ();
  Atomic.set ends true;
  (values, weak)

let check (values, weak) =
  let alive i w =
    match Weak.get w 0 with
    | Some value when i mod 2 = 0 -> if value != values.(i) then Alcotest.failf "pointer %d is another" i
    | None when i mod 2 = 1 -> ()
    | Some _ -> Alcotest.failf "pointer %d was to die" i
    | None -> Alcotest.failf "pointer %d was to live" i
  in
  Array.iteri alive weak

(* From OCaml 5.5 on, a cycle gets beyond its first phase only in a minor collection, after some allocation. *)
let allocate () =
  ignore (Sys.opaque_identity (Array.make 10_000 0));
  Gc.minor ()

(* All domains must do their part of each phase. *)
let round wait =
  let ends = Atomic.make false in
  let d = Domain.spawn (domain ~wait ends) in
  while not (Atomic.get ends) do
    slice ();
    allocate ()
  done;
  let pairs = Domain.join d in
  Gc.full_major ();
  check pairs

let at_any_time () =
  for slices = 1 to Testing.Effort.few 100 do
    round (after_slices slices)
  done

let at_the_begin () =
  for _ = 1 to Testing.Effort.few 100 do
    round when_the_sweep_begins
  done

let () =
  Weft_platform.Ephemerons.hand_on_at_end_of_domains ();
  Alcotest.run "ephemerons"
    [
      ( "ephemerons",
        [
          Testing.Watchdog.case "cycles end, whenever a domain does" at_any_time;
          Testing.Watchdog.case "no pointer to what is dead is handed on" at_the_begin;
        ] );
    ]
