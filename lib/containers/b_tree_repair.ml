open B_tree_node

type ('k, 'v) dirty = { path : int; extra : ('k * ('k, 'v) node) array }

let sequentially f g =
  f ();
  g ()

(* What has happened to child number [child] of a node: [beside] are the new nodes to its right. *)
type ('k, 'v) news = { child : int; beside : ('k * ('k, 'v) node) array }

(* Cuts a node that is too wide: it keeps the first children. Returns the other parts, with their
   separators. *)
let cut node =
  let total = node.n in
  let parts = parts ~total ~most:fanout in
  let start i = part_start ~total ~parts i in
  let part i = inner_of_range node.keys node.children (start i) (start (i + 1) - start i) in
  let extra = Array.init (parts - 1) (fun i -> (node.keys.(start (i + 1) - 1), part (i + 1))) in
  let first = part 0 in
  node.keys <- first.keys;
  node.children <- first.children;
  node.n <- first.n;
  extra

(* Takes in more children than there is room for: makes new arrays that are just large enough. *)
let widen node news total =
  let keys = Array.make total node.keys.(0) and children = Array.make total node.children.(0) in
  let count = ref 0 in
  let put sep child =
    if !count > 0 then keys.(!count - 1) <- sep;
    children.(!count) <- child;
    incr count
  in
  let next = ref 0 in
  for i = 0 to node.n - 1 do
    put node.keys.(max 0 (i - 1)) node.children.(i);
    if !next < Array.length news && news.(!next).child = i then begin
      Array.iter (fun (sep, child) -> put sep child) news.(!next).beside;
      incr next
    end
  done;
  node.keys <- keys;
  node.children <- children;
  node.n <- total

let insert_all node { child; beside } =
  for i = Array.length beside - 1 downto 0 do
    let sep, node' = beside.(i) in
    insert_child node child sep node'
  done

(* Takes in the news of the node's children, and returns its own. It mends from right to left: a child's
   place is its old number plus the number of new children on its left. *)
let absorb node news =
  let added = Array.fold_left (fun sum { beside; _ } -> sum + Array.length beside) 0 news in
  if node.n + added > fanout then widen node news (node.n + added)
  else if added > 0 then
    for i = Array.length news - 1 downto 0 do
      insert_all node news.(i)
    done;
  let on_the_left = ref added in
  for i = Array.length news - 1 downto 0 do
    let { child; beside } = news.(i) in
    on_the_left := !on_the_left - Array.length beside;
    (* A child that has just been split is not weak. *)
    if Array.length beside = 0 then mend node (child + !on_the_left)
  done;
  if Array.length node.children > fanout then cut node else [||]

let child_at level path = (path lsr (path_bits * (level - 1))) land (fanout - 1)

(* The children, at [level - 1], above the leaves [dirty.(lo)] to [dirty.(hi - 1)], each with the range of
   dirty leaves below it. *)
let ranges dirty level lo hi =
  let rec from lo =
    if lo = hi then []
    else begin
      let child = child_at level dirty.(lo).path in
      let next = ref (lo + 1) in
      while !next < hi && child_at level dirty.(!next).path = child do
        incr next
      done;
      (child, lo, !next) :: from !next
    end
  in
  Array.of_list (from lo)

let rec repair_node both node level dirty lo hi =
  if level = 1 then
    absorb node
      (Array.init (hi - lo) (fun i ->
           let { path; extra } = dirty.(lo + i) in
           { child = child_at 1 path; beside = extra }))
  else begin
    let ranges = ranges dirty level lo hi in
    let news = Array.map (fun (child, _, _) -> { child; beside = [||] }) ranges in
    let rec each first last =
      if first = last then begin
        let child, lo, hi = ranges.(first) in
        let beside = repair_node both node.children.(child) (level - 1) dirty lo hi in
        if Array.length beside > 0 then news.(first) <- { child; beside }
      end
      else begin
        let middle = (first + last) / 2 in
        both (fun () -> each first middle) (fun () -> each (middle + 1) last)
      end
    in
    each 0 (Array.length ranges - 1);
    absorb node news
  end

let rec raise_root t extra =
  if Array.length extra > 0 then begin
    let keys = Array.make (fanout - 1) (fst extra.(0)) and children = Array.make fanout t.root in
    let root = { n = 1; order = -1; keys; values = [||]; children } in
    let extra = absorb root [| { child = 0; beside = extra } |] in
    t.root <- root;
    t.height <- t.height + 1;
    raise_root t extra
  end

let rec lower_root t =
  if t.height > 0 && t.root.n = 1 then begin
    t.root <- t.root.children.(0);
    t.height <- t.height - 1;
    lower_root t
  end

let repair ~both t dirty =
  let count = Array.length dirty in
  if count > 0 then begin
    raise_root t (if t.height = 0 then dirty.(0).extra else repair_node both t.root t.height dirty 0 count);
    lower_root t
  end
