(* A byte for each of the system's signals, from 1 on. *)
type t = Bytes.t

external change : is_set:bool -> t -> before:t -> unit = "weft_change_signal_mask" [@@noalloc]
external system_number : int -> int = "weft_system_signal" [@@noalloc]

let most = 64
let put byte set signals = List.iter (fun s -> Bytes.set set (system_number s) byte) signals
let none () = Bytes.make (most + 1) '\000'
let all = Bytes.make (most + 1) '\001'

let of_list signals =
  let set = none () in
  put '\001' set signals;
  set

let without set signals =
  let left = Bytes.copy set in
  put '\000' left signals;
  left

let mem signal set = Bytes.get set (system_number signal) <> '\000'
let block set ~before = change ~is_set:false set ~before

let current () =
  let before = none () in
  block (none ()) ~before;
  before

let unused = none ()
let set s = change ~is_set:true s ~before:unused
let block_for_good signals = block signals ~before:(none ())

(* A change that changes nothing. Signals that were masked when OCaml looked for handlers to run are not
   looked at again of themselves. *)
let run_pending () = ignore (Unix.sigprocmask SIG_BLOCK [] : int list)

let while_blocked signals f =
  run_pending ();
  let before = current () in
  block signals ~before;
  match f before with
  | v ->
      set before;
      run_pending ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      set before;
      run_pending ();
      Printexc.raise_with_backtrace exn backtrace
