type word = Section.word
type 'a ring = { mask : int; slots : 'a Cell.t array }

(* Only the owner uses [mask], except in mutants; [context] likewise. *)
type 'a t = {
  bottom : int Cell.t;
  top : int Cell.t;
  ring : 'a ring Cell.t;
  first_ring : 'a ring;
  mask : int Cell.t;
  limit : int Cell.t;
  preempt : bool Cell.t;
  mutable context : Obj.t;
  mutable loops : Obj.t;
  wake : word;
  mutable forks : int;
  mutable deferred : int;
  id : int;
  whole : 'a Whole_deque.t;
}

let number = string_of_int
let make_word () = Section.word "wake word"
let word = Section.read
let set_word = Section.write
let initial_capacity = ref 4

(* Elements are blocks. *)
let unused () = Obj.magic 0
let is_unused x = Obj.is_int (Obj.repr x)

let make_ring capacity value =
  { mask = capacity - 1; slots = Array.init capacity (fun i -> Cell.make ~one_writer:true "slot" (value i)) }

let make ~id ~capacity ~wake =
  let first_ring = make_ring capacity (fun _ -> unused ()) in
  {
    bottom = Cell.make ~show:number ~one_writer:true "bottom" 0;
    top = Cell.make ~show:number "top" 0;
    ring = Cell.make ~one_writer:true "ring" first_ring;
    first_ring;
    mask = Cell.make ~show:number ~one_writer:true "mask" (capacity - 1);
    limit = Cell.make ~show:number ~steps:(not (Undisturbed.promised ())) "limit" capacity;
    preempt =
      (if Undisturbed.promised () then Cell.constant "preempt" false
       else Cell.make ~show:string_of_bool "preempt" false);
    context = Obj.repr ();
    loops = Obj.repr ();
    wake;
    forks = 0;
    deferred = -1;
    id;
    whole = Whole_deque.create ();
  }

let capacity d = Cell.get d.mask + 1
let whole d = d.whole
let free _ = ()

let adopt d =
  Cell.claim d.bottom;
  Cell.claim d.ring;
  Cell.claim d.mask;
  Array.iter Cell.claim d.first_ring.slots

let abandon d =
  d.context <- Obj.repr ();
  d.loops <- Obj.repr ()

let bottom d = Cell.get d.bottom
let set_bottom d b = Cell.set d.bottom b
let top d = Cell.get d.top
let cas_top d was now = Cell.compare_and_set d.top was now
let limit d = Cell.get d.limit
let context d = Obj.obj d.context
let set_context d x = if d.id >= 0 then d.context <- Obj.repr x
let loops d = Obj.obj d.loops
let set_loops d x = if d.id >= 0 then d.loops <- Obj.repr x
let wake d = word d.wake
let id d = d.id
let deferred d = d.deferred
let set_deferred d i = d.deferred <- i
let forks d = d.forks
let count_fork d = d.forks <- d.forks + 1

(* For the owner: only it changes the ring. *)
let own_slot d i = (Cell.get d.ring).slots.(i land Cell.get d.mask)
let set_slot d i x = Cell.set (own_slot d i) x
let slot_is d i x = Cell.get (own_slot d i) == x
let slot d i = Cell.get (own_slot d i)

let stolen_slot d i =
  let ring = Cell.get d.ring in
  let mask = if Mutation.is "a thief uses the owner's mask" then Cell.get d.mask else ring.mask in
  Cell.get ring.slots.(i land mask)

let taken x = x

(* The checked functions are those of native code. *)
let is_bytecode () = false
let push _ _ = assert false
let pop_if _ _ = assert false
let pop _ ~nil:_ = assert false
let take_top _ ~nil:_ = assert false

(* Step by step, as in C. *)
let raise_limit d limit =
  Cell.set d.limit limit;
  if (not (Mutation.is "making room does not look for requests")) && Cell.get d.preempt then
    Cell.set d.limit 0

(* Nobody answers: models/ask.pml has the answers. *)
let ask _ ~by:_ ~nil = nil
let answer_thieves = ignore

(* Nobody collects. *)
let wake_after_collections _ _ _ = ()
let wake_after_collections_no_more _ = ()
let collections_left _ = 1

let request_preempt d =
  if Mutation.is "a request lowers the limit first" then begin
    Cell.set d.limit 0;
    Cell.set d.preempt true
  end
  else begin
    Cell.set d.preempt true;
    Cell.set d.limit 0
  end

let anonymous d = Obj.magic d

let acknowledge d =
  if Mutation.is "an acknowledgement gets, then sets" then begin
    let requested = Cell.get d.preempt in
    Cell.set d.preempt false;
    requested
  end
  else Cell.exchange d.preempt false

let install d ring =
  Cell.set d.ring ring;
  Cell.set d.mask ring.mask;
  let top = Cell.get d.top in
  raise_limit d (top + ring.mask + 1)

let make_room d =
  let top = Cell.get d.top in
  let bottom = Cell.get d.bottom in
  let capacity = capacity d in
  if bottom - top < capacity then raise_limit d (top + capacity)
  else begin
    let old = Cell.get d.ring in
    let ring = make_ring (2 * capacity) (fun _ -> unused ()) in
    let copy () =
      for k = top to bottom - 1 do
        Cell.set ring.slots.(k land ring.mask) (Cell.get old.slots.(k land old.mask))
      done
    in
    if Mutation.is "growth publishes before it copies" then begin
      install d ring;
      copy ()
    end
    else begin
      copy ();
      install d ring
    end
  end

(* --- the calling thread's deque: a process is a thread --- *)

let the_nowhere = { (make ~id:(-1) ~capacity:1 ~wake:(make_word ())) with limit = Cell.constant "limit" 0 }

(* It has any type of element, as in C. *)
let nowhere () = Obj.magic the_nowhere
let currents : (int, Obj.t) Hashtbl.t = Hashtbl.create 8

let current () =
  match Hashtbl.find_opt currents (Process.current ()) with Some d -> Obj.obj d | None -> nowhere ()

let set_current d =
  if Hashtbl.length currents = 0 then Process.on_restart (fun () -> Hashtbl.reset currents);
  Hashtbl.replace currents (Process.current ()) (Obj.repr d)
