(* Buckets of up to this size are sorted, larger ones divided. Arrays of this size still fit into OCaml's
   minor heap. *)
let small = 256

(* A bucket is divided into at most [parts] parts of on average [per_bucket] elements or more. The sample
   has [per_part] priorities for each part. *)
let parts = 32
let per_bucket = 64
let per_part = 4

module Make (Order : Maps.ORDERED) = struct
  module Heap = Entry_heap.Make (Order)
  open Heap

  (* [low] is not greater than any priority in the bucket, and greater than all in the buckets below it in
     the stack. *)
  type 'v bucket =
    | No_bucket
    | Bucket of { low : Order.t; mutable slots : 'v slot array; mutable size : int }

  type 'v t = { mutable buckets : 'v bucket array; mutable count : int }

  let create () = { buckets = Array.make 8 No_bucket; count = 0 }
  let count t = t.count
  let priority_of = function Entry e -> e.priority | Vacant -> assert false
  let top t = t.buckets.(t.count - 1)

  let push_bucket t bucket =
    let n = t.count in
    if n = Array.length t.buckets then begin
      let buckets = Array.make (2 * n) No_bucket in
      Array.blit t.buckets 0 buckets 0 n;
      t.buckets <- buckets
    end;
    t.buckets.(n) <- bucket;
    t.count <- n + 1

  let push t low slots = push_bucket t (Bucket { low; slots; size = Array.length slots })

  let drop t n =
    Array.fill t.buckets (t.count - n) n No_bucket;
    t.count <- t.count - n

  let below p = function Bucket b -> Order.compare p b.low < 0 | No_bucket -> false

  let find t p =
    let rec search lo hi =
      (* The answer is in [lo] to [hi]. *)
      if lo = hi then lo
      else
        let middle = (lo + hi) / 2 in
        if below p (Array.unsafe_get t.buckets middle) then search (middle + 1) hi else search lo middle
    in
    search 0 t.count

  let reserve t i n =
    match t.buckets.(i) with
    | No_bucket -> ()
    | Bucket b ->
        let room = Array.length b.slots in
        if b.size + n > room then begin
          let slots = Array.make (max (b.size + n) (2 * room)) Vacant in
          Array.blit b.slots 0 slots 0 b.size;
          b.slots <- slots
        end

  let rec append t i slot =
    match t.buckets.(i) with
    | No_bucket -> ()
    | Bucket b ->
        if b.size = Array.length b.slots then begin
          reserve t i 1;
          append t i slot
        end
        else begin
          b.slots.(b.size) <- slot;
          b.size <- b.size + 1
        end

  (* Priorities that divide the bucket: they increase and are all greater than [low]. *)
  let pivots low slots size =
    let wanted = per_part * min parts (size / per_bucket) in
    let sample = Array.init wanted (fun i -> priority_of slots.(i * (size / wanted))) in
    Array.stable_sort Order.compare sample;
    let rec choose i last chosen =
      if i >= wanted then Array.of_list (List.rev chosen)
      else
        let p = sample.(i) in
        if Order.compare last p < 0 then choose (i + per_part) p (p :: chosen) else choose (i + 1) last chosen
    in
    choose per_part low []

  (* How many of the pivots are not greater than the priority. *)
  let part_of pivots p =
    let rec search lo hi =
      if lo = hi then lo
      else
        let middle = (lo + hi) / 2 in
        if Order.compare p (Array.unsafe_get pivots middle) < 0 then search lo middle
        else search (middle + 1) hi
    in
    search 0 (Array.length pivots)

  let sorted_bucket bucket =
    match bucket with
    | No_bucket -> [||]
    | Bucket b ->
        let slots = Array.sub b.slots 0 b.size in
        Heap.sort slots;
        slots

  (* Replaces the topmost bucket by its parts. Returns [false], and changes nothing, if a single part would
     get more than half of the elements. *)
  let[@inline never] divide for_all t =
    match top t with
    | No_bucket -> false
    | Bucket b ->
        let pivots = pivots b.low b.slots b.size in
        let part = Array.make b.size 0 in
        Grouping.for_blocks for_all b.size (fun first last ->
            for i = first to last do
              part.(i) <- part_of pivots (priority_of b.slots.(i))
            done);
        let classes = Array.length pivots + 1 in
        let { Grouping.order; starts } = Grouping.group for_all ~classes part in
        let size c = starts.(c + 1) - starts.(c) in
        let balanced = ref true in
        for c = 0 to classes - 1 do
          if 2 * size c > b.size then balanced := false
        done;
        !balanced
        && begin
             let made = Array.make classes [||] in
             for_all classes (fun c ->
                 made.(c) <- Array.init (size c) (fun i -> b.slots.(order.(starts.(c) + i))));
             drop t 1;
             for c = classes - 1 downto 0 do
               if size c > 0 then push t (if c = 0 then b.low else pivots.(c - 1)) made.(c)
             done;
             true
           end

  (* How many of the topmost buckets hold [k] elements together. Only the first one of them may be large. *)
  let rec enough t k n =
    if n = t.count then n
    else
      match t.buckets.(t.count - 1 - n) with
      | Bucket b when k > 0 && (n = 0 || b.size <= small) -> enough t (k - b.size) (n + 1)
      | _ -> n

  let rec take for_all t k =
    match if t.count = 0 then No_bucket else top t with
    | Bucket b when b.size > small && divide for_all t -> take for_all t k
    | _ ->
        let n = enough t k 0 in
        let sorted = Array.make n [||] in
        for_all n (fun i -> sorted.(i) <- sorted_bucket t.buckets.(t.count - 1 - i));
        drop t n;
        Array.to_list sorted

  let fold f acc t =
    let in_bucket acc = function
      | No_bucket -> acc
      | Bucket b -> Array.fold_left f acc (Array.sub b.slots 0 b.size)
    in
    Array.fold_left in_bucket acc t.buckets

  let check t =
    let check_bucket i = function
      | No_bucket -> if i < t.count then failwith "no bucket where one should be"
      | Bucket b ->
          if i >= t.count then failwith "a bucket above the stack";
          if b.size = 0 then failwith "an empty bucket";
          if i > 0 && not (below b.low t.buckets.(i - 1)) then failwith "buckets out of order";
          let check_slot j = function
            | Vacant -> if j < b.size then failwith "a gap in a bucket"
            | Entry e ->
                if j >= b.size then failwith "an element behind the end of a bucket";
                if find t e.priority <> i then failwith "an element in the wrong bucket"
          in
          Array.iteri check_slot b.slots
    in
    Array.iteri check_bucket t.buckets
end
