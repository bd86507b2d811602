module System = Weft_containers.Log_system

exception Power_off

type change = Write of int * string | Truncate of int

type file = {
  mutable on_disk : string;
  mutable changes : change list;  (** since then, the latest first *)
  mutable named : bool;  (** the name is on the disk *)
  mutable there : bool;  (** the file exists for the program *)
}

type t = {
  path : string;
  files : (string, file) Hashtbl.t;  (** indexed by path *)
  paths : (Unix.file_descr, string) Hashtbl.t;
  mutable calls : int;
}

let make path =
  let files = Hashtbl.create 7 in
  List.iter
    (fun (name, on_disk) ->
      Hashtbl.replace files (Filename.concat path name) { on_disk; changes = []; named = true; there = true })
    (Support.image path);
  { path; files; paths = Hashtbl.create 7; calls = max_int }

let set_calls t n = t.calls <- n
let file t fd = Hashtbl.find_opt t.files (Hashtbl.find t.paths fd)
let change t fd c = Option.iter (fun f -> f.changes <- c :: f.changes) (file t fd)

(* Counts a call. If the power fails during the call, its change has been noted already. *)
let count t =
  t.calls <- t.calls - 1;
  if t.calls < 0 then raise Power_off

let apply content = function
  | Truncate n when n <= String.length content -> String.sub content 0 n
  | Truncate n -> content ^ String.make (n - String.length content) '\000'
  | Write (at, s) ->
      let b = Bytes.make (max (String.length content) (at + String.length s)) '\000' in
      Bytes.blit_string content 0 b 0 (String.length content);
      Bytes.blit_string s 0 b at (String.length s);
      Bytes.to_string b

let sync t fd =
  count t;
  let path = Hashtbl.find t.paths fd in
  if path = t.path then
    Hashtbl.filter_map_inplace
      (fun _ f ->
        f.named <- f.there;
        if f.there then Some f else None)
      t.files
  else
    Option.iter
      (fun f ->
        f.on_disk <- List.fold_left apply f.on_disk (List.rev f.changes);
        f.changes <- [])
      (Hashtbl.find_opt t.files path)

let openfile t path flags perm =
  if List.mem Unix.O_CREAT flags then count t;
  let fd = Support.quick.openfile path flags perm in
  Hashtbl.replace t.paths fd path;
  if Filename.check_suffix path ".log" then begin
    if not (Hashtbl.mem t.files path) then
      Hashtbl.replace t.files path { on_disk = ""; changes = []; named = false; there = true };
    (Hashtbl.find t.files path).there <- true;
    if List.mem Unix.O_TRUNC flags then change t fd (Truncate 0)
  end;
  fd

let write t fd ~at b from length =
  change t fd (Write (at, Bytes.sub_string b from length));
  count t;
  Support.quick.write fd ~at b from length

let truncate t fd size =
  change t fd (Truncate size);
  count t;
  Support.quick.truncate fd size

let unlink t path =
  count t;
  Option.iter (fun f -> f.there <- false) (Hashtbl.find_opt t.files path);
  Unix.unlink path

let system t : System.t =
  {
    Support.quick with
    openfile = openfile t;
    write = write t;
    truncate = truncate t;
    sync = sync t;
    unlink = unlink t;
  }

(* Each sector of a write is on the disk or not. *)
let sectors random = function
  | Truncate _ as c -> if Random.State.bool random then [ c ] else []
  | Write (at, s) ->
      let all = Random.State.int random 4 = 0 in
      let rec go i =
        if i >= String.length s then []
        else
          let n = min (512 - ((at + i) mod 512)) (String.length s - i) in
          let rest = go (i + n) in
          if all || Random.State.bool random then Write (at + i, String.sub s i n) :: rest else rest
      in
      go 0

let after_power_failure t random =
  let left path f files =
    if (f.named && f.there) || Random.State.bool random then
      let kept = List.concat_map (sectors random) (List.rev f.changes) in
      (Filename.basename path, List.fold_left apply f.on_disk kept) :: files
    else files
  in
  List.sort compare (Hashtbl.fold left t.files [])
