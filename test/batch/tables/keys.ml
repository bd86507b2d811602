(* Integers as keys, with hash functions from good to useless. *)

module type KEY = Hashtbl.HashedType with type t = int

module Identity = struct
  type t = int

  let equal (a : int) b = a = b
  let hash (k : t) = k
end

module Stdlib_hash = struct
  include Identity

  let hash (k : t) = Hashtbl.hash k
end

module Constant = struct
  include Identity

  let hash (_ : t) = 7
end

module Three = struct
  include Identity

  let hash k = k mod 3
end

(* Only the highest bits differ. *)
module High_bits = struct
  include Identity

  let hash k = k lsl 50
end

let all : (string * (module KEY)) list =
  [
    ("identity", (module Identity));
    ("stdlib", (module Stdlib_hash));
    ("constant", (module Constant));
    ("three", (module Three));
    ("high bits", (module High_bits));
  ]

(* The keys of programs: few or many, and the extremes. *)
let key_of rand ~range =
  match Random.State.int rand 50 with
  | 0 -> min_int
  | 1 -> max_int
  | _ -> Random.State.int rand range - (range / 2)

exception Planned

(* Keys whose [hash] and [equal] raise when a countdown ends, and updates that do. *)
module Fuse = struct
  let left = Atomic.make max_int
  let burn () = if Atomic.fetch_and_add left (-1) = 1 then raise Planned

  let armed calls f =
    Atomic.set left calls;
    Fun.protect f ~finally:(fun () -> Atomic.set left max_int)
end

module Raising = struct
  type t = int

  let equal (a : int) b =
    Fuse.burn ();
    a = b

  let hash k =
    Fuse.burn ();
    k mod 16
end

let check_seed ?(count = 50) name property =
  Testing.Watchdog.case name (fun () ->
      let test =
        QCheck.Test.make ~count:(Testing.Effort.few count) ~name
          QCheck.(make ~print:Print.int (Gen.int_bound 1_000_000))
          (fun seed -> property (Random.State.make [| seed |]))
      in
      QCheck.Test.check_exn ~rand:(Random.State.make [| 5 |]) test)
