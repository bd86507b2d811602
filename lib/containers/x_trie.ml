(* Leaf [i] has its key at [3 i] of [links], the leaf before it at [3 i + 1] and the one after it at [3 i +
   2], or -1 if there is none. A free leaf has the next free one at [3 i + 2]. *)
type 'a t = {
  height : int;
  mutable tables : Int_table.t array;  (** the prefixes at each depth; [[||]] until there is a key *)
  mutable links : int array;
  mutable values : 'a array;
  filler : 'a;  (** the value of places without a leaf *)
  mutable length : int;
  mutable used : int;  (** leaves from here on have never been in use *)
  mutable free : int;
  mutable usual : int;  (** the depth at which keys usually fork: searches begin there *)
  mutable first : int;
  mutable last : int;
}

let none = -1

let create ~height filler =
  {
    height;
    tables = [||];
    links = [||];
    values = [||];
    filler;
    length = 0;
    used = 0;
    free = none;
    usual = 0;
    first = none;
    last = none;
  }

let length t = t.length
let first t = t.first
let last t = t.last
let[@inline] key t leaf = t.links.(3 * leaf)
let[@inline] before t leaf = t.links.((3 * leaf) + 1)
let[@inline] after t leaf = t.links.((3 * leaf) + 2)
let[@inline] set_before t leaf other = t.links.((3 * leaf) + 1) <- other
let[@inline] set_after t leaf other = t.links.((3 * leaf) + 2) <- other
let[@inline] value t leaf = t.values.(leaf)

(* At the last depth, a table has the leaf of each prefix. At the other depths, it has [both], or twice a
   leaf plus [no_left] or [no_right]. *)

let both = max_int (* both children exist *)
let no_left = 0 (* the left child is missing; the leaf is the least one below the right child *)
let no_right = 1 (* the right child is missing; the leaf is the greatest one below the left child *)
let[@inline] prefix t k depth = k lsr (t.height - depth)

(* --- look-ups --- *)

let leaf t k = if t.length = 0 then none else Int_table.find t.tables.(t.height) k

(* What the tables have for the longest prefix of [k] in them. For the prefix at depth [low] they have
   [says]; the prefix at depth [high] is not in them. *)
let rec deepest t k low says high =
  if high - low <= 1 then says
  else
    let middle = (low + high) lsr 1 in
    let found = Int_table.find t.tables.(middle) (prefix t k middle) in
    if found < 0 then deepest t k low says middle else deepest t k middle found high

(* What the tables have for the longest prefix of [k] in them. [k] itself must not be bound, but other keys
   must be. The search starts where the last new key differed from the others, which is close to where most
   keys do. *)
let longest t k =
  let usual = t.usual in
  let found = Int_table.find t.tables.(usual) (prefix t k usual) in
  if found < 0 then deepest t k 0 (Int_table.find t.tables.(0) (prefix t k 0)) usual
  else
    let next = Int.min (usual + 2) t.height in
    let found_next = if next = t.height then -1 else Int_table.find t.tables.(next) (prefix t k next) in
    if found_next < 0 then deepest t k usual found next else deepest t k next found_next t.height

let warm t k =
  if t.length > 0 then
    for depth = Int.max 0 (t.usual - 1) to Int.min (t.usual + 2) (t.height - 1) do
      Int_table.warm t.tables.(depth) (prefix t k depth)
    done

let warm_leaf t k = if t.length > 0 then Int_table.warm t.tables.(t.height) k

(* The leaf of the greatest key below [k]. *)
let lower t k =
  let says = longest t k in
  let leaf = says lsr 1 in
  if says land 1 = no_right then leaf else before t leaf

let floor t k =
  if t.length = 0 then none
  else
    let l = leaf t k in
    if l >= 0 then l else lower t k

let[@inline] after_or_first t leaf = if leaf < 0 then t.first else after t leaf

let succ t k =
  if t.length = 0 then none
  else
    let l = leaf t k in
    if l >= 0 then after t l else after_or_first t (lower t k)

let pred t k =
  if t.length = 0 then none
  else
    let l = leaf t k in
    if l >= 0 then before t l else lower t k

let iter f t =
  let rec from leaf =
    if leaf >= 0 then begin
      f (key t leaf) (value t leaf);
      from (after t leaf)
    end
  in
  from t.first

(* --- leaves --- *)

let grow t =
  let capacity = Int.max 4 (2 * t.used) in
  let links = Array.make (3 * capacity) none and values = Array.make capacity t.filler in
  Array.blit t.links 0 links 0 (3 * t.used);
  Array.blit t.values 0 values 0 t.used;
  t.links <- links;
  t.values <- values

let make_leaf t k v =
  let leaf =
    if t.free >= 0 then begin
      let leaf = t.free in
      t.free <- after t leaf;
      leaf
    end
    else begin
      if t.used = Array.length t.values then grow t;
      t.used <- t.used + 1;
      t.used - 1
    end
  in
  t.links.(3 * leaf) <- k;
  t.values.(leaf) <- v;
  leaf

let link t before leaf after =
  set_before t leaf before;
  set_after t leaf after;
  if before < 0 then t.first <- leaf else set_after t before leaf;
  if after < 0 then t.last <- leaf else set_before t after leaf

let unlink t before after =
  if before < 0 then t.first <- after else set_after t before after;
  if after < 0 then t.last <- before else set_before t after before

let free_leaf t leaf =
  t.values.(leaf) <- t.filler;
  set_after t leaf t.free;
  t.free <- leaf;
  if t.length = 0 then begin
    t.links <- [||];
    t.values <- [||];
    t.used <- 0;
    t.free <- none
  end

(* --- changes --- *)

(* The depth of the longest prefix that a key has in common with that of a leaf; -1 if there is no leaf. *)
let depth_in_common t k leaf = if leaf < 0 then -1 else t.height - Bit_word.length (k lxor key t leaf)

(* Goes along the prefixes of [k] at depths from [depth] to [until], where [k] is, or was, the least or
   greatest key below the node. Those without a child on the side [missing] point to the leaf [target] from
   now on. *)
let rec point t k depth until missing target =
  if depth <= until then begin
    let table = t.tables.(depth) in
    let slot = Int_table.slot table (prefix t k depth) in
    let says = Int_table.value table slot in
    if says <> both && says land 1 = missing then Int_table.set_value table slot ((2 * target) + missing);
    point t k (depth + 1) until missing target
  end

(* Below the depth [fork], a key has its nodes for itself. From there up to [shared], it shares them with
   one neighbour only and is their least or greatest key, so they may point to its leaf. Nodes that it
   shares with both neighbours do not change. So where keys are dense, a change looks at few levels. *)
let add_new t k v =
  if Array.length t.tables = 0 then t.tables <- Array.init (t.height + 1) (fun _ -> Int_table.create ());
  let before = if t.length = 0 then none else lower t k in
  let after = after_or_first t before in
  let leaf = make_leaf t k v in
  link t before leaf after;
  t.length <- t.length + 1;
  let with_before = depth_in_common t k before and with_after = depth_in_common t k after in
  let fork = Int.max with_before with_after and shared = Int.min with_before with_after in
  Int_table.replace t.tables.(t.height) k leaf;
  for depth = t.height - 1 downto fork + 1 do
    let right = prefix t k (depth + 1) land 1 in
    Int_table.replace t.tables.(depth) (prefix t k depth)
      ((2 * leaf) + if right = 1 then no_left else no_right)
  done;
  if fork >= 0 then begin
    t.usual <- fork;
    Int_table.replace t.tables.(fork) (prefix t k fork) both;
    point t k (shared + 1) (fork - 1) (if with_before = fork then no_right else no_left) leaf
  end

let add t k v =
  let l = leaf t k in
  if l >= 0 then t.values.(l) <- v else add_new t k v

let remove_leaf t k leaf =
  let before = before t leaf and after = after t leaf in
  let with_before = depth_in_common t k before and with_after = depth_in_common t k after in
  let fork = Int.max with_before with_after and shared = Int.min with_before with_after in
  for depth = t.height downto fork + 1 do
    Int_table.remove t.tables.(depth) (prefix t k depth)
  done;
  if fork >= 0 then begin
    let missing = if with_before = fork then no_right else no_left in
    let target = if with_before = fork then before else after in
    Int_table.replace t.tables.(fork) (prefix t k fork) ((2 * target) + missing);
    point t k (shared + 1) (fork - 1) missing target
  end;
  unlink t before after;
  t.length <- t.length - 1;
  free_leaf t leaf

let remove t k =
  let l = leaf t k in
  l >= 0
  && begin
       remove_leaf t k l;
       true
     end

(* --- for tests --- *)

let check t =
  let fail what = failwith (Printf.sprintf "X_trie, height %d: %s" t.height what) in
  let nodes = Array.make (t.height + 1) 0 in
  let last_prefix = Array.make (t.height + 1) none in
  let count = ref 0 and last = ref none in
  let rec from leaf =
    if leaf >= 0 then begin
      let k = key t leaf in
      if before t leaf <> !last then fail "a leaf that does not point to the one before it";
      if !last >= 0 && key t !last >= k then fail "leaves out of order";
      incr count;
      for depth = 0 to t.height do
        let p = prefix t k depth in
        if p <> last_prefix.(depth) then begin
          last_prefix.(depth) <- p;
          nodes.(depth) <- nodes.(depth) + 1
        end;
        let says = Int_table.find t.tables.(depth) p in
        if says < 0 then fail (Printf.sprintf "no prefix of key %d at depth %d" k depth);
        if depth = t.height then (if says <> leaf then fail "the wrong leaf")
        else
          let has child = Int_table.mem t.tables.(depth + 1) ((2 * p) + child) in
          let expected =
            match (has 0, has 1) with
            | true, true -> both
            | false, _ -> (2 * floor_of_first t p depth) + no_left
            | _, false -> (2 * floor t (((p + 1) lsl (t.height - depth)) - 1)) + no_right
          in
          if says <> expected then
            fail (Printf.sprintf "key %d, depth %d: %d instead of %d" k depth says expected)
      done;
      last := leaf;
      from (after t leaf)
    end
  and floor_of_first t p depth = succ_or_self t (p lsl (t.height - depth))
  and succ_or_self t k = match leaf t k with -1 -> succ t k | l -> l in
  from t.first;
  if !last <> t.last then fail "the wrong last leaf";
  if !count <> t.length then fail (Printf.sprintf "%d keys, length %d" !count t.length);
  Array.iteri
    (fun depth table ->
      Int_table.check table;
      if Int_table.length table <> nodes.(depth) then
        fail (Printf.sprintf "superfluous prefixes at depth %d" depth))
    t.tables
