(* --- tables: open addressing, linear probing --- *)

(* The numbers of keys, in the order in which they were entered; [members.(number)] is the index of a key. A
   slot holds a number in its lowest bits, and above them bits of the hash, so that other keys hardly ever
   need a look at [members]; or it is [vacant]. *)
type table = { mutable slots : int array; mutable members : int array; mutable used : int }

let number_bits = 31
let number_of slot = slot land ((1 lsl number_bits) - 1)
let vacant = -1

(* Tables that nobody uses. They are large: to make new ones for every block would take longer than to use
   them. *)
type spare = table list Atomic.t

let rec take (spare : spare) =
  match Atomic.get spare with
  | [] -> { slots = Array.make 16 vacant; members = Array.make 8 0; used = 0 }
  | t :: rest as was -> if Atomic.compare_and_set spare was rest then t else take spare

let rec put_back (spare : spare) t =
  let was = Atomic.get spare in
  if not (Atomic.compare_and_set spare was (t :: was)) then put_back spare t

(* If [f] raises, the table is lost. *)
let with_table spare f =
  let t = take spare in
  f t;
  Array.fill t.slots 0 (Array.length t.slots) vacant;
  t.used <- 0;
  put_back spare t

let rec vacant_slot slots mask at =
  if slots.(at) = vacant then at else vacant_slot slots mask ((at + 1) land mask)

let slot_for h number = (h lsl number_bits) lor number

(* At most half of the slots are used. *)
let grow t hashes =
  let size = 2 * Array.length t.slots in
  let slots = Array.make size vacant and members = Array.make (size / 2) 0 in
  for number = 0 to t.used - 1 do
    let i = t.members.(number) in
    let h = hashes.(i) in
    members.(number) <- i;
    slots.(vacant_slot slots (size - 1) ((h lsr number_bits) land (size - 1))) <- slot_for h number
  done;
  t.slots <- slots;
  t.members <- members

let[@inline never] add t hashes i at =
  let number = t.used in
  t.slots.(at) <- slot_for hashes.(i) number;
  t.members.(number) <- i;
  t.used <- number + 1;
  if t.used = Array.length t.members then grow t hashes;
  number

(* The number of the key with index [i] and hash [h]. *)
let rec probe t hashes equal keys i h at =
  let slots = t.slots in
  let slot = Array.unsafe_get slots at in
  if slot = vacant then add t hashes i at
  else
    let number = number_of slot in
    if
      slot_for h number = slot
      && equal (Array.unsafe_get keys (Array.unsafe_get t.members number)) (Array.unsafe_get keys i)
    then number
    else probe t hashes equal keys i h ((at + 1) land (Array.length slots - 1))

let enter t hashes equal keys i =
  let h = Array.unsafe_get hashes i in
  probe t hashes equal keys i h ((h lsr number_bits) land (Array.length t.slots - 1))

(* --- blocks and buckets --- *)

type 'k t = {
  who : string;
  length : int;
  block : int;
  base : int array; (* for each block, the number of entries before it; at the end, of all *)
  numbers : int array; (* for each element, the number of its entry in its block *)
  firsts : int array; (* for each entry, the index of its first element *)
  order : int array; (* the entries, by buckets *)
  starts : int array; (* for each bucket, where in [order] it begins; at the end, the number of entries *)
  leaders : int array; (* for each entry *)
  ranks : int array; (* for each leader, the number of its key *)
  by_rank : int array; (* for each key, its leader *)
}

let loop who count body =
  Loop.blocks ~who ~start:0 ~finish:(count - 1) (fun i j ->
      for k = i to j do
        body k
      done)

(* As many blocks as many workers want; and a block's table fits into a second-level cache. *)
let block_of n = Int.max 1 (Int.min 16_384 (n / 64))
let begins t k = k * t.block
let ends t k = Int.min t.length ((k + 1) * t.block)
let blocks t = Array.length t.base - 1

(* Any hash will do that tells keys apart: the lowest bits are compared, those above them choose a slot, and the
   highest ones a bucket, and all depend on all bits of the user's hash. (Steele, Lea and Flood: Fast splittable
   pseudorandom number generators, OOPSLA 2014; here with 63 bits.) *)
let mixed h =
  let h = h lxor (h lsr 30) * 0x3F58476D1CE4E5B9 in
  let h = h lxor (h lsr 27) * 0x14D049BB133111EB in
  h lxor (h lsr 31)

let hashes_of ~who hash keys =
  let hashes = Array.make (Array.length keys) 0 in
  Loop.blocks ~who ~start:0
    ~finish:(Array.length keys - 1)
    (fun first last ->
      for i = first to last do
        Array.unsafe_set hashes i (mixed (hash (Array.unsafe_get keys i)))
      done);
  hashes

let most_buckets = 512

(* So that a bucket's table fits into a second-level cache. *)
let buckets_for entries =
  let rec double n = if n < most_buckets && n * 4096 < entries then double (2 * n) else n in
  double 1

let[@inline] bucket h buckets = (h lsr 50) land (buckets - 1)

(* [order] and [starts]. *)
let deal_out ~who hashes base firsts =
  let count = Array.length base - 1 in
  let entries = base.(count) in
  let buckets = buckets_for entries in
  let places = Array.make count [||] in
  let over_block k f =
    for e = base.(k) to base.(k + 1) - 1 do
      f e (bucket hashes.(firsts.(e)) buckets)
    done
  in
  loop who count (fun k ->
      let here = Array.make buckets 0 in
      over_block k (fun _ b -> here.(b) <- here.(b) + 1);
      places.(k) <- here);
  let starts = Array.make (buckets + 1) 0 and before = ref 0 in
  for b = 0 to buckets - 1 do
    starts.(b) <- !before;
    for k = 0 to count - 1 do
      let here = places.(k).(b) in
      places.(k).(b) <- !before;
      before := !before + here
    done
  done;
  starts.(buckets) <- entries;
  let order = Array.make entries 0 in
  loop who count (fun k ->
      let next = places.(k) in
      over_block k (fun e b ->
          order.(next.(b)) <- e;
          next.(b) <- next.(b) + 1));
  (order, starts)

(* The leader of each entry. *)
let find_leaders ~who spare hashes equal keys firsts order starts =
  let leaders = Array.make (Array.length order) 0 in
  loop who
    (Array.length starts - 1)
    (fun b ->
      with_table spare @@ fun t ->
      let found = Array.make (starts.(b + 1) - starts.(b)) 0 in
      for at = starts.(b) to starts.(b + 1) - 1 do
        let e = order.(at) in
        let known = t.used in
        let number = enter t hashes equal keys firsts.(e) in
        if number = known then found.(number) <- e;
        leaders.(e) <- found.(number)
      done);
  leaders

(* Numbers the leaders, which lie in the order of their first elements. *)
let rank ~who base leaders =
  let count = Array.length base - 1 in
  let over_leaders k f =
    for e = base.(k) to base.(k + 1) - 1 do
      if leaders.(e) = e then f e
    done
  in
  let before = Array.make count 0 in
  loop who count (fun k -> over_leaders k (fun _ -> before.(k) <- before.(k) + 1));
  let total = Sieve.add_up before in
  let ranks = Array.make (Array.length leaders) 0 and by_rank = Array.make total 0 in
  loop who count (fun k ->
      let next = ref before.(k) in
      over_leaders k (fun e ->
          ranks.(e) <- !next;
          by_rank.(!next) <- e;
          incr next));
  (ranks, by_rank)

let make ~who ~hash ~equal keys =
  let length = Array.length keys in
  let block = block_of length in
  let count = (length + block - 1) / block in
  let hashes = hashes_of ~who hash keys and spare = Atomic.make [] in
  let numbers = Array.make length 0 and found = Array.make count [||] in
  loop who count (fun k ->
      with_table spare @@ fun t ->
      for i = k * block to Int.min length ((k + 1) * block) - 1 do
        numbers.(i) <- enter t hashes equal keys i
      done;
      found.(k) <- Array.sub t.members 0 t.used);
  let base = Array.make (count + 1) 0 in
  Array.iteri (fun k firsts -> base.(k + 1) <- base.(k) + Array.length firsts) found;
  let firsts = Array_copy.concat (Array.to_list found) in
  let order, starts = deal_out ~who hashes base firsts in
  let leaders = find_leaders ~who spare hashes equal keys firsts order starts in
  let ranks, by_rank = rank ~who base leaders in
  { who; length; block; base; numbers; firsts; order; starts; leaders; ranks; by_rank }

let groups t = Array.length t.by_rank
let leader t g = t.by_rank.(g)
let first t g = t.firsts.(t.by_rank.(g))
let entries t = Array.length t.firsts
let key_of_entry t e = t.ranks.(t.leaders.(e))
let is_first t i e = t.firsts.(e) = i

let over_elements t f =
  loop t.who (blocks t) (fun k ->
      let base = t.base.(k) in
      for i = begins t k to ends t k - 1 do
        f i (base + Array.unsafe_get t.numbers i)
      done)

let over_entries t f =
  loop t.who
    (Array.length t.starts - 1)
    (fun b ->
      for at = t.starts.(b) to t.starts.(b + 1) - 1 do
        let e = t.order.(at) in
        f e t.leaders.(e)
      done)
