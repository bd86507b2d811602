type reading = { at : int; processors : Machine.processors }

let last = Atomic.make None
let second = 1_000_000_000

let is_size_given =
  match Machine.domains_from_env (Sys.getenv_opt "WEFT_DOMAINS") with
  | Ok (Some _) -> true
  | Ok None | Error _ -> false

let read () = if is_size_given then Machine.allowed_processors () else Machine.processors_now ()

let now () =
  let time = Timer_thread.now () in
  match Atomic.get last with
  | Some r when time - r.at < second -> r.processors
  | _ ->
      let processors = read () in
      Atomic.set last (Some { at = time; processors });
      processors

let from_environment =
  Memo.once (fun () ->
      match Machine.processors_from_env (Sys.getenv_opt "WEFT_PROCESSORS") with
      | Ok n -> n
      | Error why ->
          Printf.eprintf "weft: %s; using the machine's\n%!" why;
          None)

let the_assumed = Atomic.make None
let assume n = Atomic.set the_assumed n
let assumed () = match Atomic.get the_assumed with Some _ as n -> n | None -> from_environment ()
let count () = (now ()).count
