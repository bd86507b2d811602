(* Domains that end while the collector sweeps their weak pointers: OCaml before 5.5 waits for them for ever. *)

let pointers = 20_000
let slice () = ignore (Gc.major_slice 10_000 : int)

(* How far the cycle gets by so many slices is not known. A good part of it is the sweep of weak pointers. *)
let domain ~slices ends () =
  let weak = Array.init pointers (fun _ -> Weak.create 1) in
  Array.iteri (fun i w -> Weak.set w 0 (Some (ref i))) weak;
  Gc.full_major ();
  for _ = 1 to slices do
    slice ()
  done;
  ignore (Sys.opaque_identity weak);
  Atomic.set ends true

(* All domains must do their part of each phase. *)
let cycles_go_on () =
  for slices = 1 to Testing.Effort.few 100 do
    let ends = Atomic.make false in
    let d = Domain.spawn (domain ~slices ends) in
    while not (Atomic.get ends) do
      slice ()
    done;
    Domain.join d;
    Gc.full_major ()
  done

let () =
  Weft_platform.Ephemerons.sweep_at_end_of_domains ();
  Alcotest.run "ephemerons"
    [
      ( "ephemerons",
        [ Testing.Watchdog.case "the cycle of the collector ends, whenever a domain does" cycles_go_on ] );
    ]
