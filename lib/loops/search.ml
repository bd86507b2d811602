let any_by_loop ?chunk_size ~exit ~divide ~who ~start ~finish look =
  let found = Atomic.make None in
  let look first last =
    match look first last with
    | None -> None
    | Some _ as answer ->
        Atomic.set found answer;
        Early_exit.stop exit first;
        answer
  in
  let body first last = if Option.is_some (look first last) then raise_notrace Uncaught.Stopped in
  let by_loop start =
    Loop.blocks ?chunk_size ~exit ~who ~start ~finish body;
    (* An answer ends what the caller of a fork waits for. *)
    if Option.is_some (Atomic.get found) then raise_notrace Uncaught.Stopped
  in
  match if divide then by_loop start else Short_search.any ~look ~by_loop start finish with
  | () -> Atomic.get found
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match Atomic.get found with
      | None -> Printexc.raise_with_backtrace exn backtrace
      | answer ->
          Uncaught.suppressed exn backtrace;
          answer)

let any_from ~who ~finish look exit start = any_by_loop ~exit ~divide:true ~who ~start ~finish look

(* One index needs no loop. *)
let any ?chunk_size ?(code = Known_cost.none) ~who ~start ~finish look =
  let exit () = Early_exit.start All in
  match chunk_size with
  | Some _ -> any_by_loop ?chunk_size ~exit:(exit ()) ~divide:true ~who ~start ~finish look
  | None ->
      if (start : int) = finish && not (Current_worker.is_outside ()) then begin
        Current_worker.poll ();
        look start finish
      end
      else
        let deque = Current_worker.deque () and known = Known_cost.of_code code in
        let jobs = Short_loop.jobs deque in
        if Short_loop.is_short ~jobs known code start finish then
          Known_search.any deque ~alone:(jobs = 0) known code ~look ~by_loop:(any_from ~who ~finish look)
            start finish
        else if Short_loop.may_be_deferred ~jobs known code start finish then
          let by_loop start = any_by_loop ~exit:(exit ()) ~divide:true ~who ~start ~finish look in
          Known_search.deferred deque known code ~in_order:false ~look ~by_loop start finish
        else
          Known_search.learning known code ~start ~finish (fun () ->
              any_by_loop ~exit:(exit ()) ~divide:false ~who ~start ~finish look)

type 'a hit = Nowhere | At of int * 'a option

let rec keep_first best at answer =
  let was = Atomic.get best in
  let better = match was with Nowhere -> true | At (before, _) -> at < before in
  if better && not (Atomic.compare_and_set best was (At (at, answer))) then keep_first best at answer

let first_by_loop ?chunk_size ~who ~start ~finish look =
  let exit = Early_exit.start Above in
  let best = Atomic.make Nowhere in
  let body first last =
    match look first last with
    | None -> ()
    | answer ->
        keep_first best first answer;
        Early_exit.stop exit first;
        raise_notrace Uncaught.Stopped
  in
  let answer () = match Atomic.get best with Nowhere -> None | At (_, answer) -> answer in
  match Loop.blocks ?chunk_size ~exit ~who ~start ~finish body with
  | () -> answer ()
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match (Atomic.get best, Early_exit.failed_at exit) with
      | At (at, answer), Some failed when at < failed ->
          Uncaught.suppressed exn backtrace;
          answer
      | _ -> Printexc.raise_with_backtrace exn backtrace)

let first ?chunk_size ?(code = Known_cost.none) ~who ~start ~finish look =
  match chunk_size with
  | Some _ -> first_by_loop ?chunk_size ~who ~start ~finish look
  | None ->
      let deque = Current_worker.deque () and known = Known_cost.of_code code in
      let jobs = Short_loop.jobs deque in
      let by_loop start = first_by_loop ~who ~start ~finish look in
      if Short_loop.is_short ~jobs known code start finish then
        Known_search.first deque ~alone:(jobs = 0) known code ~look ~by_loop start finish
      else if Short_loop.may_be_deferred ~jobs known code start finish then
        Known_search.deferred deque known code ~in_order:true ~look ~by_loop start finish
      else
        Known_search.learning known code ~start ~finish (fun () ->
            Short_search.first ~look ~by_loop start finish)
