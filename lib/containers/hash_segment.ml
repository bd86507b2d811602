module Make (Key : sig
  type t

  val equal : t -> t -> bool
end) =
struct
  type 'v chain = Nil | Node of { hash : int; key : Key.t; mutable value : 'v; mutable next : 'v chain }

  (* [buckets] has a power of two of chains; the lowest bits of the hash choose one. *)
  type 'v t = { mutable buckets : 'v chain array; mutable length : int }

  let fewest = 8
  let create () = { buckets = Array.make fewest Nil; length = 0 }
  let length s = s.length
  let index buckets hash = hash land (Array.length buckets - 1)
  let chain s hash = Array.unsafe_get s.buckets (index s.buckets hash)

  (* The part of the chain that begins with the binding of the key. *)
  let rec find chain h k =
    match chain with
    | Nil -> Nil
    | Node n -> if n.hash = h && Key.equal n.key k then chain else find n.next h k

  let mem s h k = match find (chain s h) h k with Nil -> false | Node _ -> true
  let find_opt s h k = match find (chain s h) h k with Nil -> None | Node n -> Some n.value

  (* {2 Growing and shrinking} *)

  let put buckets chain hash =
    let i = index buckets hash in
    let head = Array.unsafe_get buckets i in
    (match chain with Nil -> () | Node n -> if n.next != head then n.next <- head);
    Array.unsafe_set buckets i chain

  let rec move_chain buckets = function
    | Nil -> ()
    | Node n as chain ->
        (* [put] overwrites [n.next]. *)
        let rest = n.next in
        put buckets chain n.hash;
        move_chain buckets rest

  let resize s size =
    let buckets = Array.make size Nil in
    Array.iter (move_chain buckets) s.buckets;
    s.buckets <- buckets

  let[@inline never] grow s = resize s (2 * Array.length s.buckets)
  let[@inline never] shrink s = resize s (Array.length s.buckets / 2)

  (* {2 Changes: all calls of [equal] come first} *)

  let insert s h k v =
    let i = index s.buckets h in
    Array.unsafe_set s.buckets i (Node { hash = h; key = k; value = v; next = Array.unsafe_get s.buckets i });
    s.length <- s.length + 1;
    if s.length > Array.length s.buckets then grow s

  let add s h k v = match find (chain s h) h k with Nil -> insert s h k v | Node n -> n.value <- v

  let one_less s =
    s.length <- s.length - 1;
    let size = Array.length s.buckets in
    if size > fewest && s.length < size / 8 then shrink s

  let rec remove_after s before chain h k =
    match (chain, before) with
    | Node n, Node b ->
        if n.hash = h && Key.equal n.key k then begin
          b.next <- n.next;
          one_less s;
          true
        end
        else remove_after s chain n.next h k
    | _ -> false

  let remove s h k =
    let i = index s.buckets h in
    match Array.unsafe_get s.buckets i with
    | Nil -> false
    | Node n as head ->
        if n.hash = h && Key.equal n.key k then begin
          Array.unsafe_set s.buckets i n.next;
          one_less s;
          true
        end
        else remove_after s head n.next h k

  let rec unlink_after before it next =
    match before with
    | Nil -> ()
    | Node b -> if b.next == it then b.next <- next else unlink_after b.next it next

  (* [it] is the part of the chain of [h] that begins with the binding. *)
  let unlink s h it next =
    let i = index s.buckets h in
    let head = Array.unsafe_get s.buckets i in
    if head == it then Array.unsafe_set s.buckets i next else unlink_after head it next;
    one_less s

  let update s h k f =
    match find (chain s h) h k with
    | Nil ->
        (match f None with None -> () | Some v -> insert s h k v);
        None
    | Node n as it ->
        let old = Some n.value in
        (match f old with Some v -> n.value <- v | None -> unlink s h it n.next);
        old

  (* {2 All of them} *)

  let rec distribute_chain into = function
    | Nil -> ()
    | Node n as chain ->
        let rest = n.next in
        let s = into n.hash in
        put s.buckets chain n.hash;
        s.length <- s.length + 1;
        if s.length > Array.length s.buckets then grow s;
        distribute_chain into rest

  let distribute s into = Array.iter (distribute_chain into) s.buckets
  let adopt s source = distribute source (fun _ -> s)
  let touch_bucket s h = Bool.to_int (chain s h == Nil)
  let touch_node s h = match chain s h with Nil -> 0 | Node n -> n.hash

  let rec iter_chain f = function
    | Nil -> ()
    | Node n ->
        f n.key n.value;
        iter_chain f n.next

  let iter f s = Array.iter (iter_chain f) s.buckets

  let rec fold_chain f chain acc =
    match chain with Nil -> acc | Node n -> fold_chain f n.next (f n.key n.value acc)

  let fold f s acc = Array.fold_left (fun acc chain -> fold_chain f chain acc) acc s.buckets

  let to_seq s =
    let rec from buckets i chain () =
      match chain with
      | Node n -> Seq.Cons ((n.key, n.value), from buckets i n.next)
      | Nil -> if i = Array.length buckets then Seq.Nil else from buckets (i + 1) buckets.(i) ()
    in
    from s.buckets 0 Nil

  let rec chain_length = function Nil -> 0 | Node n -> 1 + chain_length n.next
  let longest_chain s = Array.fold_left (fun n chain -> Int.max n (chain_length chain)) 0 s.buckets

  let check hash s =
    let size = Array.length s.buckets in
    if size < fewest || size land (size - 1) <> 0 then failwith "the number of buckets is no power of two";
    let rec check_chain i count = function
      | Nil -> count
      | Node n ->
          if n.hash <> hash n.key then failwith "a hash that is not its key's";
          if index s.buckets n.hash <> i then failwith "a binding in a wrong bucket";
          (match find n.next n.hash n.key with Nil -> () | Node _ -> failwith "a key bound twice");
          check_chain i (count + 1) n.next
    in
    let count = ref 0 in
    Array.iteri (fun i chain -> count := check_chain i !count chain) s.buckets;
    if !count <> s.length then failwith (Printf.sprintf "length %d, but %d bindings" s.length !count);
    if s.length > size then failwith "more bindings than buckets";
    if size > fewest && s.length < size / 8 then failwith "too few bindings for so many buckets"
end
