let any_of_several ?chunk_size ~who ~start ~finish look =
  let course = Early_exit.start All in
  let found = Atomic.make None in
  let look first last =
    match look first last with
    | None -> None
    | Some _ as answer ->
        Atomic.set found answer;
        Early_exit.stop course first;
        answer
  in
  let body first last = if Option.is_some (look first last) then raise_notrace Uncaught.Stopped in
  let by_loop start = Loop.blocks ?chunk_size ~course ~who ~start ~finish body in
  match if Option.is_none chunk_size then Short_search.any ~look ~by_loop start finish else by_loop start with
  | () -> Atomic.get found
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match Atomic.get found with
      | None -> Printexc.raise_with_backtrace exn backtrace
      | answer ->
          Uncaught.suppressed exn backtrace;
          answer)

(* One index needs no loop. *)
let any ?chunk_size ~who ~start ~finish look =
  if (start : int) = finish && Option.is_none chunk_size && not (Current_worker.is_outside ()) then
    look start finish
  else any_of_several ?chunk_size ~who ~start ~finish look

type 'a hit = Nowhere | At of int * 'a option

let rec keep_first best at answer =
  let was = Atomic.get best in
  let better = match was with Nowhere -> true | At (before, _) -> at < before in
  if better && not (Atomic.compare_and_set best was (At (at, answer))) then keep_first best at answer

let first_by_loop ?chunk_size ~who ~start ~finish look =
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

let first ?chunk_size ~who ~start ~finish look =
  let by_loop start = first_by_loop ?chunk_size ~who ~start ~finish look in
  if Option.is_none chunk_size then Short_search.first ~look ~by_loop start finish else by_loop start
