type world = World.t
type distribution = Distribution.t = Block | Cyclic | Block_cyclic of int
type 'a t = { world : world; layout : Distribution.layout; local : 'a array }

let qualified name = "Weft_mpi.Distributed_array." ^ name

(* The function of this name: each rank calls [f] of its own, and if one raises, all do. *)
let collectively name w f = World.exclusive ~who:(qualified name) w (fun () -> Exchanges.together w f)

(* --- making arrays --- *)

let layout_in ~who ?(distribution = Block) w length =
  Distribution.layout ~who distribution ~length ~ranks:(World.size w)

let index_of layout w = Distribution.global_index layout ~rank:(World.rank w)
let count_of layout w = Distribution.count layout ~rank:(World.rank w)

let make ?distribution world n v =
  let layout = layout_in ~who:(qualified "make") ?distribution world n in
  { world; layout; local = Array.make (count_of layout world) v }

let init ?distribution world n f =
  let layout = layout_in ~who:(qualified "init") ?distribution world n in
  let index = index_of layout world in
  let computed () = Weft.Array.init (count_of layout world) (fun j -> f (index j)) in
  { world; layout; local = collectively "init" world computed }

let of_array ?distribution world a =
  let layout = layout_in ~who:(qualified "of_array") ?distribution world (Array.length a) in
  let index = index_of layout world in
  (* Not by Weft.Array.init: nobody is told if this raises, so it must not look for a cancellation. *)
  { world; layout; local = Array.init (count_of layout world) (fun j -> a.(index j)) }

(* --- what each rank does for itself --- *)

let length a = Distribution.length a.layout
let world a = a.world
let distribution a = Distribution.distribution a.layout
let local a = a.local

let global_index a j =
  if j < 0 || j >= Array.length a.local then
    invalid_arg (Printf.sprintf "%s: place %d of %d" (qualified "global_index") j (Array.length a.local));
  index_of a.layout a.world j

let owner_of name a i =
  if i < 0 || i >= length a then
    invalid_arg (Printf.sprintf "%s: index %d of %d elements" (qualified name) i (length a));
  Distribution.owner a.layout i

let owner a i = owner_of "owner" a i
let is_local a i = owner_of "is_local" a i = World.rank a.world

let place name a i =
  let owner = owner_of name a i and rank = World.rank a.world in
  if owner <> rank then
    invalid_arg (Printf.sprintf "%s: element %d is on rank %d, not on rank %d" (qualified name) i owner rank);
  Distribution.local_index a.layout i

let get a i = a.local.(place "get" a i)
let set a i v = a.local.(place "set" a i) <- v

(* --- loops --- *)

let map f a = { a with local = collectively "map" a.world (fun () -> Weft.Array.map f a.local) }

let mapi f a =
  let index = index_of a.layout a.world in
  {
    a with
    local = collectively "mapi" a.world (fun () -> Weft.Array.mapi (fun j x -> f (index j) x) a.local);
  }

let map2 f a b =
  if a.world != b.world || a.layout <> b.layout then
    invalid_arg (qualified "map2" ^ ": the arrays differ in length, distribution or world");
  { a with local = collectively "map2" a.world (fun () -> Weft.Array.map2 f a.local b.local) }

let iteri f a =
  let index = index_of a.layout a.world in
  collectively "iteri" a.world (fun () -> Weft.Array.iteri (fun j x -> f (index j) x) a.local)

(* --- reductions --- *)

let block_layout a = layout_in ~who:(qualified "redistribute") a.world (length a)

let in_blocks a =
  if distribution a = Block then a.local
  else Rearrange.redistribute a.world ~from:a.layout (block_layout a) a.local

let map_reduce_as name f combine init a =
  let who = qualified name in
  World.exclusive ~who a.world @@ fun () ->
  if World.size a.world = 1 || length a = 0 then Weft.Array.map_reduce f combine init a.local
  else
    let block = in_blocks a and first = index_of (block_layout a) a.world 0 in
    Split_reduce.map_reduce ~who a.world ~length:(length a) ~first f combine init block

let map_reduce f combine init a = map_reduce_as "map_reduce" f combine init a
let reduce f init a = map_reduce_as "reduce" Fun.id f init a

(* --- moving --- *)

let to_array a =
  World.exclusive ~who:(qualified "to_array") a.world @@ fun () ->
  if World.size a.world = 1 then Array.copy a.local
  else Rearrange.concat a.layout (Exchanges.all_gather a.world (fun () -> a.local))

let gather ?(root = 0) a =
  Communicator.check_rank ~who:(qualified "gather") (World.own a.world) root;
  let gathered () =
    if World.size a.world = 1 then Some (Array.copy a.local)
    else Option.map (Rearrange.concat a.layout) (Exchanges.gather a.world ~root (fun () -> a.local))
  in
  collectively "gather" a.world gathered

let redistribute distribution a =
  let who = qualified "redistribute" in
  let layout = layout_in ~who ~distribution a.world (length a) in
  World.exclusive ~who a.world @@ fun () ->
  { a with layout; local = Rearrange.redistribute a.world ~from:a.layout layout a.local }

let sort compare a =
  World.exclusive ~who:(qualified "sort") a.world @@ fun () ->
  let layout = block_layout a in
  { a with layout; local = Rearrange.sort a.world layout compare (in_blocks a) }

(* --- stencils --- *)

type 'a boundary = 'a Halo.boundary = Periodic | Nearest | Outside of (int -> 'a)

let check_stencil name ~width a =
  if width < 0 then invalid_arg (Printf.sprintf "%s: negative width %d" (qualified name) width);
  if width > (Sys.max_array_length - length a) / 2 then
    invalid_arg (Printf.sprintf "%s: no array has room for a halo of width %d" (qualified name) width);
  if distribution a <> Block then invalid_arg (qualified name ^ ": the distribution is not Block")

let with_halo ~width boundary a =
  check_stencil "with_halo" ~width a;
  collectively "with_halo" a.world (fun () -> Halo.around a.world a.layout ~width boundary a.local)

let stencil ~width boundary f a =
  check_stencil "stencil" ~width a;
  let computed () =
    let cells = Halo.around a.world a.layout ~width boundary a.local in
    Weft.Array.init (Array.length a.local) (fun j -> f cells (j + width))
  in
  { a with local = collectively "stencil" a.world computed }

module Private = struct
  let part_to_sort compare a =
    World.exclusive ~who:(qualified "Private.part_to_sort") a.world @@ fun () ->
    Rank_arrays.exchange_parts a.world compare (Array.copy (in_blocks a))
end
