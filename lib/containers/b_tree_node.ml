type ('k, 'v) node = {
  mutable n : int;
  mutable order : int;
  mutable keys : 'k array;
  mutable values : 'v array;
  mutable children : ('k, 'v) node array;
}

type ('k, 'v) tree = {
  mutable root : ('k, 'v) node;
  mutable height : int;
  mutable length : int;
  mutable path : int;
}

(* The order of fifteen places, of four bits each, fits into one integer. *)
let width = 15
let least_leaf = 5
let in_order = 0xEDCBA9876543210

(* A child's number takes [path_bits] bits, so a path has room for twelve levels. With at least eight
   children for each node, twelve levels would hold more leaves than memory does. *)
let path_bits = 5
let fanout = 1 lsl path_bits
let least_inner = 8
let empty_leaf () = { n = 0; order = in_order; keys = [||]; values = [||]; children = [||] }
let empty () = { root = empty_leaf (); height = 0; length = 0; path = 0 }
let[@inline] is_leaf node = node.order >= 0

(* Leaves *)

let[@inline] slot order p = (order lsr p lsl 2) land 15
let[@inline] key_at leaf p = Array.unsafe_get leaf.keys (slot leaf.order p)
let[@inline] value_at leaf p = Array.unsafe_get leaf.values (slot leaf.order p)

(* [below]: the lowest [p] groups of an order; [from]: the groups from [p] on, not moved. *)
let[@inline] below order p = order land ((1 lsl p lsl 2) - 1)
let[@inline] from order p = (order lsr p lsl 2) lsl p lsl 2

(* Free places all repeat one binding of their leaf. When that binding goes, they must repeat another one. *)
let[@inline never] fill_free leaf =
  let order = leaf.order in
  let kept = slot order 0 in
  for p = leaf.n to width - 1 do
    Array.unsafe_set leaf.keys (slot order p) (Array.unsafe_get leaf.keys kept);
    Array.unsafe_set leaf.values (slot order p) (Array.unsafe_get leaf.values kept)
  done

(* Whether free places repeat what is in place [s]. Floats have no identity, so the answer means nothing
   for them; they keep nothing alive either. *)
let[@inline] is_repeated leaf s =
  leaf.n < width
  &&
  let free = slot leaf.order leaf.n in
  Array.unsafe_get leaf.values s == Array.unsafe_get leaf.values free
  || Array.unsafe_get leaf.keys s == Array.unsafe_get leaf.keys free

let set_key leaf p k =
  Array.unsafe_set leaf.keys (slot leaf.order p) k;
  fill_free leaf

let set_value leaf p v =
  let s = slot leaf.order p in
  let repeated = is_repeated leaf s in
  Array.unsafe_set leaf.values s v;
  if repeated then fill_free leaf

let insert_at leaf p k v =
  let n = leaf.n in
  if Array.length leaf.keys = 0 then begin
    let keys = Array.make width k and values = Array.make width v in
    leaf.keys <- keys;
    leaf.values <- values
  end
  else begin
    let order = leaf.order in
    let free = slot order n in
    Array.unsafe_set leaf.keys free k;
    Array.unsafe_set leaf.values free v;
    let moved = below (from order p) n in
    leaf.order <- below order p lor (free lsl p lsl 2) lor (moved lsl 4) lor from order (n + 1)
  end;
  leaf.n <- n + 1

let remove_at leaf p =
  let n = leaf.n - 1 in
  if n = 0 then begin
    leaf.n <- 0;
    leaf.keys <- [||];
    leaf.values <- [||];
    leaf.order <- in_order
  end
  else begin
    let order = leaf.order in
    let freed = slot order p in
    let repeated = is_repeated leaf freed in
    let moved = below (from order (p + 1)) (n + 1) in
    let order = below order p lor (moved lsr 4) lor (freed lsl n lsl 2) lor from order (n + 1) in
    leaf.order <- order;
    leaf.n <- n;
    if repeated then fill_free leaf
    else begin
      (* The freed place may be the only free one. *)
      let other = if n = width - 1 then slot order 0 else slot order (n + 1) in
      Array.unsafe_set leaf.keys freed (Array.unsafe_get leaf.keys other);
      Array.unsafe_set leaf.values freed (Array.unsafe_get leaf.values other)
    end
  end

let leaf_of_range keys values first count =
  let k = Array.make width keys.(first) and v = Array.make width values.(first) in
  Array.blit keys first k 0 count;
  Array.blit values first v 0 count;
  { n = count; order = in_order; keys = k; values = v; children = [||] }

let become a b =
  a.keys <- b.keys;
  a.values <- b.values;
  a.order <- b.order;
  a.n <- b.n

(* The bindings from position [at >= 1] on move to a new leaf. *)
let split_leaf leaf at =
  let order = leaf.order and n = leaf.n in
  let first = slot order at in
  let keys = Array.make width leaf.keys.(first) and values = Array.make width leaf.values.(first) in
  let kept = slot order 0 in
  for p = at to n - 1 do
    let s = slot order p in
    Array.unsafe_set keys (p - at) (Array.unsafe_get leaf.keys s);
    Array.unsafe_set values (p - at) (Array.unsafe_get leaf.values s);
    Array.unsafe_set leaf.keys s (Array.unsafe_get leaf.keys kept);
    Array.unsafe_set leaf.values s (Array.unsafe_get leaf.values kept)
  done;
  leaf.n <- at;
  { n = n - at; order = in_order; keys; values; children = [||] }

let split_insert leaf p k v =
  let half = width / 2 in
  let at =
    if p = width then width - least_leaf + 1
    else if p = 0 then least_leaf - 1
    else if p <= half then half
    else half + 1
  in
  let right = split_leaf leaf at in
  if p < at || (p = at && at <= half) then insert_at leaf p k v else insert_at right (p - at) k v;
  [| (key_at right 0, right) |]

(* Appends the bindings of [b] to [a]. In [order], the free places follow the [n] taken ones. *)
let append_leaf a b =
  if a.n = 0 then become a b
  else begin
    for p = 0 to b.n - 1 do
      let s = slot a.order (a.n + p) in
      Array.unsafe_set a.keys s (key_at b p);
      Array.unsafe_set a.values s (value_at b p)
    done;
    a.n <- a.n + b.n
  end

let level_leaves a b =
  while a.n + 1 < b.n do
    insert_at a a.n (key_at b 0) (value_at b 0);
    remove_at b 0
  done;
  while b.n + 1 < a.n do
    let last = a.n - 1 in
    insert_at b 0 (key_at a last) (value_at a last);
    remove_at a last
  done

(* Cutting *)

let parts ~total ~most =
  if total <= most then 1
  else
    let good = most - (most / 4) in
    (total + good - 1) / good

let[@inline] part_start ~total ~parts i = total * i / parts

(* Inner nodes. Their arrays have [fanout] places; in the middle of a repair they may have more. *)

let inner_of_range keys children first count =
  let c = Array.make fanout children.(first) and k = Array.make (fanout - 1) keys.(first) in
  Array.blit children first c 0 count;
  Array.blit keys first k 0 (count - 1);
  { n = count; order = -1; keys = k; values = [||]; children = c }

let insert_child node i sep child =
  let moved = node.n - 1 - i in
  Array.blit node.children (i + 1) node.children (i + 2) moved;
  Array.blit node.keys i node.keys (i + 1) moved;
  node.children.(i + 1) <- child;
  node.keys.(i) <- sep;
  node.n <- node.n + 1

(* Drops [count] children from the [i]th on, and as many separators from the [j]th on. Free places all
   repeat a child that is still there, so that they keep no other alive. *)
let drop node i j count =
  let n = node.n - count in
  Array.blit node.children (i + count) node.children i (n - i);
  Array.blit node.keys (j + count) node.keys j (n - 1 - j);
  Array.fill node.children n (Array.length node.children - n) node.children.(0);
  if n > 1 then Array.fill node.keys (n - 1) (Array.length node.keys - n + 1) node.keys.(0);
  node.n <- n

let append_inner a sep b count =
  a.keys.(a.n - 1) <- sep;
  Array.blit b.children 0 a.children a.n count;
  Array.blit b.keys 0 a.keys a.n (count - 1);
  a.n <- a.n + count

(* Moves the last [count] children of [a] to the front of [b]. Returns the new separator. *)
let prepend_inner a sep b count =
  let first = a.n - count in
  Array.blit b.children 0 b.children count b.n;
  Array.blit b.keys 0 b.keys count (b.n - 1);
  Array.blit a.children first b.children 0 count;
  Array.blit a.keys first b.keys 0 (count - 1);
  b.keys.(count - 1) <- sep;
  b.n <- b.n + count;
  let sep = a.keys.(first - 1) in
  drop a first (first - 1) count;
  sep

let level_inner a sep b =
  let half = (a.n + b.n) / 2 in
  if a.n < half then begin
    let count = half - a.n in
    let next = b.keys.(count - 1) in
    append_inner a sep b count;
    drop b 0 0 count;
    next
  end
  else if a.n > half then prepend_inner a sep b (a.n - half)
  else sep

(* Merging *)

let is_weak node = node.n < if is_leaf node then least_leaf else least_inner

(* A merged node has some room left, so that the next insertion does not split it. *)
let merged_leaf = width - 3
let merged_inner = fanout - 4

(* Merges children [i] and [i + 1], or makes them about equally large. If one of them has an only child,
   that child may be weak: now that it has a neighbour, it is repaired. *)
let rec combine node i =
  let a = node.children.(i) and b = node.children.(i + 1) and sep = node.keys.(i) in
  if is_leaf a then
    if a.n + b.n <= merged_leaf then begin
      append_leaf a b;
      drop node (i + 1) i 1
    end
    else begin
      level_leaves a b;
      node.keys.(i) <- key_at b 0
    end
  else begin
    let mend_first = a.n = 1 and mend_last = b.n = 1 in
    let last =
      if a.n + b.n <= merged_inner then begin
        append_inner a sep b b.n;
        drop node (i + 1) i 1;
        a
      end
      else begin
        node.keys.(i) <- level_inner a sep b;
        b
      end
    in
    if mend_last then mend last (last.n - 1);
    if mend_first then mend a 0
  end

and mend node i =
  while i < node.n && node.n > 1 && is_weak node.children.(i) do
    combine node (if i + 1 < node.n then i else i - 1)
  done
