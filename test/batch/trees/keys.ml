(* Integers whose comparison can be made to raise: at the comparison that brings [fuse] to 0, and whenever
   [poison] is compared. *)

exception Blown

type t = int

let off = max_int
let fuse = Atomic.make off
let poison = min_int + 7

let blow_after n f =
  Atomic.set fuse n;
  Fun.protect f ~finally:(fun () -> Atomic.set fuse off)

let has_blown () = Atomic.get fuse <= 0

let compare (a : int) b =
  if Atomic.get fuse <> off && Atomic.fetch_and_add fuse (-1) = 1 then raise Blown;
  if a = poison || b = poison then raise Blown;
  compare a b
