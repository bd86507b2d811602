let any ?chunk_size ~who ~start ~finish look =
  let course = Early_exit.start All in
  let found = Atomic.make None in
  let body first last =
    match look first last with
    | None -> ()
    | Some _ as answer ->
        Atomic.set found answer;
        Early_exit.stop course first;
        raise_notrace Uncaught.Stopped
  in
  match Loop.blocks ?chunk_size ~course ~who ~start ~finish body with
  | () -> Atomic.get found
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match Atomic.get found with
      | None -> Printexc.raise_with_backtrace exn backtrace
      | answer ->
          Uncaught.suppressed exn backtrace;
          answer)

type 'a hit = Nowhere | At of int * 'a option

let rec keep_first best at answer =
  let was = Atomic.get best in
  let better = match was with Nowhere -> true | At (before, _) -> at < before in
  if better && not (Atomic.compare_and_set best was (At (at, answer))) then keep_first best at answer

let first ?chunk_size ~who ~start ~finish look =
  let course = Early_exit.start Above in
  let best = Atomic.make Nowhere in
  let body first last =
    match look first last with
    | None -> ()
    | answer ->
        keep_first best first answer;
        Early_exit.stop course first;
        raise_notrace Uncaught.Stopped
  in
  let answer () = match Atomic.get best with Nowhere -> None | At (_, answer) -> answer in
  match Loop.blocks ?chunk_size ~course ~who ~start ~finish body with
  | () -> answer ()
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match (Atomic.get best, Early_exit.failed_at course) with
      | At (at, answer), Some failed when at < failed ->
          Uncaught.suppressed exn backtrace;
          answer
      | _ -> Printexc.raise_with_backtrace exn backtrace)
