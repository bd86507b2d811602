(** What a worker has done, counted. *)

type t = {
  forks : int;
  jobs : int;
  steals : int;
  failed_steals : int;
  searches : int;
  late_finds : int;
  parks : int;
  wakes : int;
  idle_wakes : int;
  suspensions : int;
  retired : int;
  returns : int;
}
(** See [Weft.Pool.worker_stats]. *)

type counts = {
  mutable steals : int;
  mutable failed_steals : int;
  mutable searches : int;
  mutable late_finds : int;
  mutable parks : int;
  mutable wakes : int;
  mutable idle_wakes : int;
  mutable retired : int;
  mutable returns : int;
}
(** What a worker counts when it looks for work, sleeps and retires. The rest is in its record and its deque.
*)
