let integers ?(seed = 0) ~bound size =
  let random = Weft.Random.make (size + seed) in
  Array.init size (fun i -> Weft.Random.int_at random i bound)

let floats ?(seed = 0) size =
  let random = Weft.Random.make (size + seed) in
  Array.init size (fun i -> Weft.Random.float_at random i 1.)

let text size =
  let b = Buffer.create (8 * size) in
  let random = Weft.Random.make size in
  for i = 0 to size - 1 do
    let rank = int_of_float (exp (Weft.Random.float_at random i (log 50_000.))) in
    Buffer.add_string b (Printf.sprintf "w%x" (rank * 2654435761 land 0xffffff));
    Buffer.add_char b (if i mod 12 = 0 then '\n' else ' ')
  done;
  Buffer.contents b

let is_space c = c = ' ' || c = '\n'

(* {1 Graphs} *)

(* $MDX part-begin=graph *)
(* The neighbours of node [u] are those from [first.(u)] to [first.(u + 1) - 1]. *)
type graph = { nodes : int; first : int array; neighbours : int array }
(* $MDX part-end *)

let graph ~edges nodes =
  let random = Weft.Random.make nodes in
  let some_node i = Weft.Random.int_at random i nodes in
  let left = Array.init edges (fun e -> some_node (2 * e)) in
  let right = Array.init edges (fun e -> some_node ((2 * e) + 1)) in
  let both f =
    for e = 0 to edges - 1 do
      let u = left.(e) and v = right.(e) in
      if u <> v then begin
        f u v;
        f v u
      end
    done
  in
  let first = Array.make (nodes + 1) 0 in
  both (fun u _ -> first.(u + 1) <- first.(u + 1) + 1);
  for u = 0 to nodes - 1 do
    first.(u + 1) <- first.(u + 1) + first.(u)
  done;
  let next = Array.copy first and neighbours = Array.make first.(nodes) 0 in
  both (fun u v ->
      neighbours.(next.(u)) <- v;
      next.(u) <- next.(u) + 1);
  { nodes; first; neighbours }
