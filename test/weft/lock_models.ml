open Support

(* Two threads of two domains, A and B, are compared with the sequential meaning. A runs the first
   commands, and then each runs its own row in parallel. Operations that would wait have a time-out of
   zero, so they enter the queue and leave it. *)

type who = A | B

let show_who = function A -> "A" | B -> "B"

type outcome = Done | Failed | Timed_out | Misuse

let show_outcome = function
  | Done -> "done"
  | Failed -> "failed"
  | Timed_out -> "timed out"
  | Misuse -> "misuse"

let tried b = if b then Done else Failed

let outcome f =
  match f () with
  | () -> Done
  | exception Weft.Cancel.Timeout -> Timed_out
  | exception Invalid_argument _ -> Misuse

type 'a STM.ty += Outcome : outcome STM.ty

module type Lock = sig
  type t
  type cmd
  type state

  val show : cmd -> string
  val commands : who -> parallel:bool -> cmd list
  val free : state
  val create : unit -> t
  val run : t -> cmd -> outcome

  val meaning : state -> cmd -> outcome * state
  (** The results, and the state afterwards. *)
end

module Check (L : Lock) : sig
  val sequentially : unit -> unit
  val in_parallel : unit -> unit
end = struct
  module Spec = struct
    type sut = L.t
    type cmd = L.cmd
    type state = L.state

    let show_cmd = L.show
    let commands who ~parallel = QCheck.make ~print:show_cmd (QCheck.Gen.oneofl (L.commands who ~parallel))
    let arb_cmd _ = commands A ~parallel:false
    let init_state = L.free
    let init_sut = L.create
    let cleanup _ = ()
    let precond _ _ = true
    let next_state cmd state = snd (L.meaning state cmd)
    let run cmd sut = STM.Res ((Outcome, show_outcome), L.run sut cmd)

    let postcond cmd state (res : STM.res) =
      match res with Res ((Outcome, _), o) -> o = fst (L.meaning state cmd) | _ -> false
  end

  module Sequential = STM_sequential.Make (Spec)
  module Parallel = STM_domain.Make (Spec)

  let check test = QCheck.Test.check_exn ~rand:(Random.State.make [| 1 |]) test

  let sequentially () =
    check
      (QCheck.Test.make ~count:(tries 500) ~name:"sequential"
         (Sequential.arb_cmds Spec.init_state)
         Sequential.agree_prop)

  let in_parallel () =
    let from who _ = Spec.commands who ~parallel:true in
    check
      (QCheck.Test.make ~count:(tries 500) ~retries:5 ~name:"two at once"
         (Parallel.arb_triple 10 8 (from A) (from A) (from B))
         Parallel.agree_prop_par_asym)
end

module Mutex_model (Order : sig
  val fair : bool
end) =
Check (struct
  module Mutex = Weft.Mutex

  type t = Mutex.t
  type cmd = Try_lock of who | Lock of who | Unlock of who
  type state = who option

  let show = function
    | Try_lock w -> "try_lock " ^ show_who w
    | Lock w -> "lock " ^ show_who w
    | Unlock w -> "unlock " ^ show_who w

  let commands w ~parallel:_ = [ Try_lock w; Lock w; Unlock w; Unlock w ]
  let free = None
  let create () = if Order.fair then Mutex.create_fair () else Mutex.create ()

  let run m = function
    | Try_lock _ -> tried (Mutex.try_lock m)
    | Lock _ -> outcome (fun () -> Mutex.lock_timeout 0. m)
    | Unlock _ -> outcome (fun () -> Mutex.unlock m)

  let meaning state cmd =
    match (cmd, state) with
    | (Try_lock w | Lock w), None -> (Done, Some w)
    | Try_lock _, Some _ -> (Failed, state)
    | Lock w, Some v -> ((if v = w then Misuse else Timed_out), state)
    | Unlock w, _ -> if state = Some w then (Done, None) else (Misuse, state)
end)

module Mutex = Mutex_model (struct
  let fair = false
end)

module Fair_mutex = Mutex_model (struct
  let fair = true
end)

module Semaphore = Check (struct
  module Semaphore = Weft.Semaphore

  type t = Semaphore.t
  type cmd = Try_acquire | Acquire | Release | Is_available
  type state = int

  let show = function
    | Try_acquire -> "try_acquire"
    | Acquire -> "acquire"
    | Release -> "release"
    | Is_available -> "available > 0"

  let commands _ ~parallel:_ = [ Try_acquire; Acquire; Release; Is_available ]
  let free = 1
  let create () = Semaphore.create free

  let run s = function
    | Try_acquire -> tried (Semaphore.try_acquire s)
    | Acquire -> outcome (fun () -> Semaphore.acquire_timeout 0. s)
    | Release -> outcome (fun () -> Semaphore.release s)
    | Is_available -> tried (Semaphore.available s > 0)

  let meaning n cmd =
    match cmd with
    | (Try_acquire | Acquire) when n > 0 -> (Done, n - 1)
    | Try_acquire -> (Failed, n)
    | Acquire -> (Timed_out, n)
    | Release -> (Done, n + 1)
    | Is_available -> (tried (n > 0), n)
end)

module Rwlock = Check (struct
  module Rwlock = Weft.Rwlock

  type t = Rwlock.t

  type cmd =
    | Try_read of who
    | Try_write of who
    | Read of who
    | Write of who
    | Read_unlock of who
    | Write_unlock of who

  type state = Readers of int | Writer of who

  let show = function
    | Try_read w -> "try_read_lock " ^ show_who w
    | Try_write w -> "try_write_lock " ^ show_who w
    | Read w -> "read_lock " ^ show_who w
    | Write w -> "write_lock " ^ show_who w
    | Read_unlock w -> "read_unlock " ^ show_who w
    | Write_unlock w -> "write_unlock " ^ show_who w

  (* A waiting writer that gives up in the end may keep a reader out meanwhile: the meaning below does not
     include that. *)
  let commands w ~parallel =
    [ Try_read w; Try_write w; Read w; Read_unlock w; Write_unlock w ] @ if parallel then [] else [ Write w ]

  let free = Readers 0
  let create = Rwlock.create

  let run l = function
    | Try_read _ -> tried (Rwlock.try_read_lock l)
    | Try_write _ -> tried (Rwlock.try_write_lock l)
    | Read _ -> outcome (fun () -> Rwlock.read_lock ~timeout:0. l)
    | Write _ -> outcome (fun () -> Rwlock.write_lock ~timeout:0. l)
    | Read_unlock _ -> outcome (fun () -> Rwlock.read_unlock l)
    | Write_unlock _ -> outcome (fun () -> Rwlock.write_unlock l)

  let meaning state cmd =
    match (cmd, state) with
    | (Try_read _ | Read _), Readers n -> (Done, Readers (n + 1))
    | (Try_write w | Write w), Readers 0 -> (Done, Writer w)
    | (Try_read _ | Try_write _), _ -> (Failed, state)
    | (Read w | Write w), Writer v when v = w -> (Misuse, state)
    | (Read _ | Write _), _ -> (Timed_out, state)
    | Read_unlock _, Readers n when n > 0 -> (Done, Readers (n - 1))
    | Write_unlock w, Writer v when v = w -> (Done, Readers 0)
    | (Read_unlock _ | Write_unlock _), _ -> (Misuse, state)
end)

let tests =
  [
    case "mutex: as it is meant, sequentially" Mutex.sequentially;
    case "mutex: as it is meant, two at once" Mutex.in_parallel;
    case "fair mutex: as it is meant, sequentially" Fair_mutex.sequentially;
    case "fair mutex: as it is meant, two at once" Fair_mutex.in_parallel;
    case "semaphore: as it is meant, sequentially" Semaphore.sequentially;
    case "semaphore: as it is meant, two at once" Semaphore.in_parallel;
    case "rwlock: as it is meant, sequentially" Rwlock.sequentially;
    case "rwlock: as it is meant, two at once" Rwlock.in_parallel;
  ]
