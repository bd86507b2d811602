module Table = Hashtbl.Make (struct
  include String

  let hash = Hashtbl.hash
end)

type t = { mutable bytes : int; mutable bad_lines : int; classes : int array; paths : int ref Table.t }

let create () = { bytes = 0; bad_lines = 0; classes = Array.make 6 0; paths = Table.create 64 }

(* The sum stops at [max_int]: so no order of additions changes the result, however large the sizes are. *)
let plus a b = if a > max_int - b then max_int else a + b

let add_path t path n =
  match Table.find_opt t.paths path with
  | Some count -> count := !count + n
  | None -> Table.add t.paths path (ref n)

let add_class t c n = t.classes.(c) <- t.classes.(c) + n
let add_bytes t n = t.bytes <- plus t.bytes n
let add_bad_lines t n = t.bad_lines <- t.bad_lines + n

let add_line t text ~first ~last =
  match Request.parse text ~first ~last with
  | None -> add_bad_lines t 1
  | Some { path; status; bytes } ->
      add_path t path 1;
      add_class t (status / 100) 1;
      add_bytes t bytes

let of_lines text =
  let t = create () and n = String.length text in
  let rec from first =
    if first < n then begin
      let last = match String.index_from_opt text first '\n' with Some at -> at | None -> n in
      add_line t text ~first ~last;
      from (last + 1)
    end
  in
  from 0;
  t

let merge ~into t =
  Table.iter (fun path count -> add_path into path !count) t.paths;
  Array.iteri (add_class into) t.classes;
  add_bytes into t.bytes;
  add_bad_lines into t.bad_lines

let requests t = Array.fold_left ( + ) 0 t.classes
let bad_lines t = t.bad_lines
let bytes t = t.bytes
let by_class t c = t.classes.(c)

let top t n =
  let more_often (path, count) (path', count') =
    if count <> count' then Int.compare count' count else String.compare path path'
  in
  Table.fold (fun path count all -> (path, !count) :: all) t.paths []
  |> List.sort more_often
  |> List.filteri (fun i _ -> i < n)
