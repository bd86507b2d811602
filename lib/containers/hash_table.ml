(* [2^63] divided by the golden ratio; an odd number. *)
let multiplier = 0x4f1bbcdcbfa53e0b

(* Each step can be undone, so different hashes stay different. The first step brings high bits down, so
   that all bits of the product depend on them; the second step improves the lowest bits, which choose the
   bucket. *)
let mix h =
  let h = h lxor (h lsr 32) * multiplier in
  h lxor (h lsr 32)

let bits = 6
let many = 1 lsl bits

(* A table with more bindings than [most_in_one] gets many segments; with [few] or fewer it gets one again. *)
let most_in_one = 1024
let few = 64

module Make (Key : Hashtbl.HashedType) = struct
  module Segment = Hash_segment.Make (Key)

  let most_in_one = most_in_one

  type key = Key.t

  (* [mask] is the number of segments less 1. *)
  type 'v t = { mutable segments : 'v Segment.t array; mutable mask : int }

  let create () = { segments = [| Segment.create () |]; mask = 0 }
  let hash k = mix (Key.hash k)
  let segments t = t.mask + 1
  let segment_index t h = (h lsr (Sys.int_size - bits)) land t.mask
  let segment t i = t.segments.(i)
  let segment_of_hash t h = Array.unsafe_get t.segments (segment_index t h)
  let length t = Array.fold_left (fun n s -> n + Segment.length s) 0 t.segments

  (* {2 One segment or many} *)

  let[@inline never] spread t =
    if t.mask = 0 then begin
      let one = t.segments.(0) in
      t.segments <- Array.init many (fun _ -> Segment.create ());
      t.mask <- many - 1;
      Segment.distribute one (segment_of_hash t)
    end

  let gather t =
    let one = Segment.create () in
    Array.iter (Segment.adopt one) t.segments;
    t.segments <- [| one |];
    t.mask <- 0

  let[@inline never] settle t =
    let n = length t in
    if t.mask = 0 then begin
      if n > most_in_one then spread t
    end
    else if n <= few then gather t

  (* [settle] sums over all segments, so it is called only when one of them becomes empty. *)
  let after_removal t s = if Segment.length s = 0 && t.mask > 0 then settle t
  let after_addition t s = if Segment.length s > most_in_one && t.mask = 0 then settle t

  (* {2 Operations} *)

  let mem_hashed t h k = Segment.mem (segment_of_hash t h) h k
  let find_hashed t h k = Segment.find_opt (segment_of_hash t h) h k

  let add_hashed t h k v =
    let s = segment_of_hash t h in
    Segment.add s h k v;
    after_addition t s

  let remove_hashed t h k =
    let s = segment_of_hash t h in
    Segment.remove s h k
    && begin
         after_removal t s;
         true
       end

  let update_hashed t h k f =
    let s = segment_of_hash t h in
    let old = Segment.update s h k f in
    after_removal t s;
    after_addition t s;
    old

  let mem t k = mem_hashed t (hash k) k
  let find_opt t k = find_hashed t (hash k) k
  let add t k v = add_hashed t (hash k) k v
  let remove t k = remove_hashed t (hash k) k
  let update t k f = update_hashed t (hash k) k f
  let iter f t = Array.iter (Segment.iter f) t.segments
  let fold f t acc = Array.fold_left (fun acc s -> Segment.fold f s acc) acc t.segments
  let to_seq t = Seq.concat_map Segment.to_seq (Array.to_seq t.segments)

  let of_seq bindings =
    let t = create () in
    Seq.iter (fun (k, v) -> add t k v) bindings;
    t

  let longest_chain t = Array.fold_left (fun n s -> Int.max n (Segment.longest_chain s)) 0 t.segments

  let check t =
    if Array.length t.segments <> t.mask + 1 then failwith "the mask is not that of the segments";
    if t.mask <> 0 && t.mask <> many - 1 then failwith "neither one segment nor many";
    if t.mask = 0 && length t > most_in_one then failwith "too many bindings for one segment";
    Array.iteri
      (fun i s ->
        Segment.check hash s;
        Segment.iter (fun k _ -> if segment_index t (hash k) <> i then failwith "a key in a wrong segment") s)
      t.segments
end
