let noted = Atomic.make 0
let note () = Atomic.incr noted
let take_back () = Atomic.decr noted
let count () = Atomic.get noted

(* Domain.spawn draws from the spawning thread's generator, to seed the new domain's. *)
let spawn main =
  let theirs = Random.get_state () in
  Random.set_state (Random.State.make [| Atomic.get noted |]);
  note ();
  match Domain.spawn main with
  | d ->
      Random.set_state theirs;
      d
  | exception exn ->
      Random.set_state theirs;
      take_back ();
      raise exn
