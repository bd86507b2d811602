type about = { number : int; name : string; place : int; holder : unit -> Owner_id.t option }

let nothing = { number = 0; name = ""; place = 0; holder = (fun () -> None) }

type listener = {
  joined : worker:int -> index:int -> pool:string -> forks:int -> returned:bool -> unit;
  seen : worker:int -> index:int -> pool:string -> forks:int -> unit;
  left : worker:int -> index:int -> pool:string -> forks:int -> retired:bool -> unit;
  runs : worker:int -> from:int -> resumed:bool -> unit;
  searches : worker:int -> at_hand:int -> unit;
  parks : worker:int -> unit;
  unparked : worker:int -> unit;
  fiber_begins : Fiber_id.t -> unit;
  wakes : unit -> unit;
  wait_begins : what:string -> about:about -> int;
  wait_ends : int -> unit;
  woke : Fiber_id.t -> unit;
  block_ended : first:int -> last:int -> began:int -> ended:int -> alone:bool -> place:int -> unit;
  batch_ended : structure:int -> size:int -> parallel:bool -> nanoseconds:int -> unit;
  call_begins : unit -> int;
  call_ends : int -> unit;
  cancelled : exn -> unit;
  region_begins : string -> int;
  region_ends : int -> unit;
  instant : string -> unit;
  look : unit -> unit;
}

let own = -1
let injector = -2
let background = -3

let silent =
  {
    joined = (fun ~worker:_ ~index:_ ~pool:_ ~forks:_ ~returned:_ -> ());
    seen = (fun ~worker:_ ~index:_ ~pool:_ ~forks:_ -> ());
    left = (fun ~worker:_ ~index:_ ~pool:_ ~forks:_ ~retired:_ -> ());
    runs = (fun ~worker:_ ~from:_ ~resumed:_ -> ());
    searches = (fun ~worker:_ ~at_hand:_ -> ());
    parks = (fun ~worker:_ -> ());
    unparked = (fun ~worker:_ -> ());
    fiber_begins = ignore;
    wakes = ignore;
    wait_begins = (fun ~what:_ ~about:_ -> 0);
    wait_ends = ignore;
    woke = ignore;
    block_ended = (fun ~first:_ ~last:_ ~began:_ ~ended:_ ~alone:_ ~place:_ -> ());
    batch_ended = (fun ~structure:_ ~size:_ ~parallel:_ ~nanoseconds:_ -> ());
    call_begins = (fun () -> 0);
    call_ends = ignore;
    cancelled = ignore;
    region_begins = (fun _ -> 0);
    region_ends = ignore;
    instant = ignore;
    look = ignore;
  }

let on = ref false
let listener = ref silent
let install l = listener := l
let numbers = ref 0

(* Not an atomic operation, so that model checking has no step more: two objects that are first waited for
   at the same moment on two domains may share a number. *)
let numbered about =
  if about.number > 0 then about
  else begin
    incr numbers;
    { about with number = !numbers }
  end

let named about name = { (numbered about) with name }

(* The end is told to the listener that was told of the beginning. *)
let[@inline never] told ~begins ~ends f x =
  let id = begins () in
  match f x with
  | v ->
      ends id;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      ends id;
      Printexc.raise_with_backtrace exn backtrace

let[@inline] while_waiting ~what ~about f x =
  if not !on then f x
  else
    let l = !listener in
    told ~begins:(fun () -> l.wait_begins ~what ~about) ~ends:l.wait_ends f x

let[@inline] while_calling f x =
  if not !on then f x
  else
    let l = !listener in
    told ~begins:l.call_begins ~ends:l.call_ends f x

let[@inline] within_region name f =
  if not !on then f ()
  else
    let l = !listener in
    told ~begins:(fun () -> l.region_begins name) ~ends:l.region_ends f ()
