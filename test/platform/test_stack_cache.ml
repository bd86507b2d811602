(* Domains that come and go with many fibers: OCaml before 5.5 keeps their stacks for ever. *)

open Effect.Deep

type _ Effect.t += Wait : unit Effect.t

(* A fiber that waits on a stack of the smallest size: stacks that have grown are not kept. *)
let waiting () =
  let resume = ref ignore in
  let wait (type a) : a Effect.t -> ((a, unit) continuation -> unit) option = function
    | Wait -> Some (fun k -> resume := fun () -> continue k ())
    | _ -> None
  in
  match_with Effect.perform Wait { retc = ignore; exnc = raise; effc = wait };
  !resume

let domain ~fibers =
  Domain.join @@ Domain.spawn
  @@ fun () ->
  List.iter (fun resume -> resume ()) (List.init fibers (fun _ -> waiting ()));
  Weft_platform.Stack_cache.free_domain_stacks ()

let resident () = match Testing.Memory.resident_bytes () with Some bytes -> bytes | None -> Alcotest.skip ()

let nothing_is_kept () =
  let domains n =
    for _ = 1 to n do
      domain ~fibers:500
    done
  in
  domains 20;
  (* It would be 30 MiB if the stacks were kept. *)
  let growth () =
    let before = resident () in
    domains 100;
    resident () - before
  in
  Option.iter
    (Alcotest.failf "%d bytes more after 100 domains with 500 fibers each")
    (Testing.Memory.always_above (8 * 1024 * 1024) growth)

let () =
  Alcotest.run "stack cache"
    [ ("stack cache", [ Testing.Watchdog.case "domains leave no stacks behind" nothing_is_kept ]) ]
