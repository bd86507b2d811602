(* A bucket has the keys from its representative up to the next representative. The first representative is
   the least possible key, so every key has a bucket as soon as there is one. *)
type 'v t = {
  height : int;
  most : int;  (** the most keys in a bucket *)
  least : int;  (** the least keys in a bucket, unless it is the only one *)
  buckets : 'v Bucket.t X_trie.t;
  mutable length : int;
}

let name = "Y_fast"

let create ~bits ~height =
  let usual = Int.max 4 bits in
  {
    height;
    most = 2 * usual;
    least = usual / 2;
    buckets = X_trie.create ~height (Bucket.create ());
    length = 0;
  }

let length t = t.length

(* --- look-ups --- *)

(* The bucket of a leaf, which must exist. *)
let[@inline] bucket_of t leaf = X_trie.value t.buckets leaf

let find_opt t k =
  if t.length = 0 then None
  else
    let b = bucket_of t (X_trie.floor t.buckets k) in
    let i = Bucket.search b k in
    if Bucket.holds b i k then Some (Bucket.value b i) else None

let mem t k = t.length > 0 && Bucket.index (bucket_of t (X_trie.floor t.buckets k)) k >= 0
let[@inline] binding b i = Some (Bucket.key b i, Bucket.value b i)
let least_of b = binding b 0
let greatest_of b = binding b (Bucket.size b - 1)
let min_binding_opt t = if t.length = 0 then None else least_of (bucket_of t (X_trie.first t.buckets))
let max_binding_opt t = if t.length = 0 then None else greatest_of (bucket_of t (X_trie.last t.buckets))

(* No bucket is empty, so if the key's own bucket has no answer, its neighbour has one. *)
let succ t k =
  if t.length = 0 then None
  else
    let leaf = X_trie.floor t.buckets k in
    let b = bucket_of t leaf in
    let i = Bucket.search b k in
    let i = if Bucket.holds b i k then i + 1 else i in
    if i < Bucket.size b then binding b i
    else
      let next = X_trie.after t.buckets leaf in
      if next < 0 then None else least_of (bucket_of t next)

let pred t k =
  if t.length = 0 then None
  else
    let leaf = X_trie.floor t.buckets k in
    let b = bucket_of t leaf in
    let i = Bucket.search b k - 1 in
    if i >= 0 then binding b i
    else
      let previous = X_trie.before t.buckets leaf in
      if previous < 0 then None else greatest_of (bucket_of t previous)

let iter f t = X_trie.iter (fun _ b -> Bucket.iter f b) t.buckets

(* --- changes --- *)

let[@inline never] split t b =
  let upper = Bucket.split b in
  X_trie.add t.buckets (Bucket.key upper 0) upper

(* Joins [lower] with [upper], the bucket after it. If they have too many keys for one bucket, they are
   split again evenly. *)
let join t lower upper_representative upper =
  Bucket.append lower upper;
  ignore (X_trie.remove t.buckets upper_representative : bool);
  if Bucket.size lower > t.most then split t lower

let[@inline never] repair_small t leaf b =
  let next = X_trie.after t.buckets leaf in
  if next >= 0 then join t b (X_trie.key t.buckets next) (bucket_of t next)
  else
    let previous = X_trie.before t.buckets leaf in
    if previous >= 0 then join t (bucket_of t previous) (X_trie.key t.buckets leaf) b
    else if Bucket.size b = 0 then ignore (X_trie.remove t.buckets (X_trie.key t.buckets leaf) : bool)

let add t k v =
  if t.length = 0 then X_trie.add t.buckets ((k lsr t.height) lsl t.height) (Bucket.create ());
  let b = bucket_of t (X_trie.floor t.buckets k) in
  let i = Bucket.search b k in
  if Bucket.holds b i k then Bucket.set_value b i v
  else begin
    Bucket.insert b i k v;
    t.length <- t.length + 1;
    if Bucket.size b > t.most then split t b
  end

let remove t k =
  t.length > 0
  &&
  let leaf = X_trie.floor t.buckets k in
  let b = bucket_of t leaf in
  let i = Bucket.index b k in
  i >= 0
  && begin
       Bucket.delete b i;
       t.length <- t.length - 1;
       if Bucket.size b < t.least then repair_small t leaf b;
       true
     end

let warm t k = X_trie.warm t.buckets k
let warm_more t k = if t.length > 0 then Bucket.warm (bucket_of t (X_trie.floor t.buckets k))

(* --- for tests --- *)

let check t =
  let fail what = failwith (Printf.sprintf "Y_trie, height %d: %s" t.height what) in
  X_trie.check t.buckets;
  let several = X_trie.length t.buckets > 1 in
  let count = ref 0 and last = ref (-1) in
  let bucket representative b =
    Bucket.check b;
    if Bucket.size b = 0 then fail "an empty bucket";
    if Bucket.size b > t.most || (several && Bucket.size b < t.least) then fail "a bucket of the wrong size";
    if !last < 0 && representative land ((1 lsl t.height) - 1) <> 0 then fail "the wrong first representative";
    if !last >= representative then fail "a key above the next representative";
    if Bucket.key b 0 < representative then fail "a key below the representative";
    count := !count + Bucket.size b;
    last := Bucket.key b (Bucket.size b - 1)
  in
  X_trie.iter bucket t.buckets;
  if !count <> t.length then fail (Printf.sprintf "%d keys, length %d" !count t.length)
