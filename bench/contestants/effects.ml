let contestant : Weft_bench_harness.Contestant.t =
  {
    name = "effects";
    doc = "the least scheduler of effect handlers: a queue of fibers in one thread";
    role = Beside;
    inside = (fun ~domains:_ f -> f ());
  }

type _ Effect.t += Yield : unit Effect.t

let yield () = Effect.perform Yield

let run parties =
  let ready = Queue.create () in
  let next () = match Queue.take_opt ready with Some resume -> resume () | None -> () in
  let effc : type a. a Effect.t -> ((a, unit) Effect.Deep.continuation -> unit) option = function
    | Yield ->
        Some
          (fun k ->
            Queue.add (fun () -> Effect.Deep.continue k ()) ready;
            next ())
    | _ -> None
  in
  let start party () = Effect.Deep.match_with party () { retc = next; exnc = raise; effc } in
  List.iter (fun party -> Queue.add (start party) ready) parties;
  next ()
