let file pid name = Printf.sprintf "/proc/%d/%s" pid name

let contents path =
  match In_channel.with_open_bin path In_channel.input_all with
  | text -> Some text
  | exception Sys_error _ -> None

let command_of pid =
  match Option.map (String.split_on_char '\000') (contents (file pid "cmdline")) with
  | Some (program :: arguments) when program <> "" -> (program, List.filter (( <> ) "") arguments)
  | _ -> (Printf.sprintf "process %d" pid, [])

let greatest_pid = 0x3fff_ffff

(* Other numbers than those of processes mean groups of processes to [kill], or are cut to their last bits.
   A zombie, which has ended but has not been waited for, does not run. *)
let is_dead pid =
  pid <= 0 || pid > greatest_pid
  || (match Unix.kill pid 0 with
     | () -> false
     | exception Unix.Unix_error (ESRCH, _, _) -> true
     | exception Unix.Unix_error _ -> false)
  ||
  match contents (file pid "stat") with
  | None -> false
  | Some text -> (
      match String.rindex_opt text ')' with
      | Some i when i + 2 < String.length text -> text.[i + 2] = 'Z' || text.[i + 2] = 'X'
      | _ -> false)

(* --- its rings --- *)

let deleted = " (deleted)"

(* A line about a mapping of memory: address, rights, offset, device, number and then the file's path, which
   may contain spaces. *)
let mapped_file line =
  let rec skip i fields =
    if fields = 0 then Some i
    else
      match String.index_from_opt line i ' ' with
      | None -> None
      | Some at ->
          let rec blanks i = if i < String.length line && line.[i] = ' ' then blanks (i + 1) else i in
          skip (blanks at) (fields - 1)
  in
  match skip 0 5 with
  | Some i when i < String.length line -> Some (String.sub line i (String.length line - i))
  | _ -> None

let ring_file path =
  match Filename.chop_suffix_opt ~suffix:".events" (Filename.basename path) with
  | Some number -> Option.map (fun pid -> (Filename.dirname path, pid)) (int_of_string_opt number)
  | None -> None

type rings = Found of string * int | Removed | None_written | Hidden of string

(* The path as this process sees it: the other process may have another root folder. *)
let reachable pid (dir, number) =
  let seen_from_here dir = Sys.file_exists (Rings.path ~dir ~pid:number) in
  if seen_from_here dir then Found (dir, number)
  else
    let below = Filename.concat (file pid "root") (String.sub dir 1 (String.length dir - 1)) in
    if seen_from_here below then Found (below, number) else Removed

let rings_of pid =
  match In_channel.with_open_bin (file pid "maps") In_channel.input_all with
  | exception Sys_error why -> Hidden why
  | maps -> (
      let mapped = List.filter_map mapped_file (String.split_on_char '\n' maps) in
      match List.find_map ring_file mapped with
      | Some found -> reachable pid found
      | None ->
          let gone path =
            String.ends_with ~suffix:deleted path
            && Option.is_some (ring_file (String.sub path 0 (String.length path - String.length deleted)))
          in
          if List.exists gone mapped then Removed else None_written)

(* On systems other than Linux, only the default folder is tried. *)
let rings_by_default pid =
  let dir = Option.value (Sys.getenv_opt "OCAML_RUNTIME_EVENTS_DIR") ~default:"." in
  if Rings.is_ready (Rings.path ~dir ~pid) then Found (dir, pid) else None_written

let how_to_start =
  "start it with OCAML_RUNTIME_EVENTS_START=1 or WEFT_TRACE=ring in its environment, or by 'weft trace', or \
   have it call Weft.Trace.start"

let find_rings pid =
  let failed fmt = Printf.ksprintf Result.error fmt in
  if is_dead pid then failed "there is no process %d" pid
  else
    match if Sys.file_exists "/proc/self/maps" then rings_of pid else rings_by_default pid with
    | Found (dir, number) -> Ok (dir, number)
    | None_written -> failed "process %d writes no events: %s" pid how_to_start
    | Removed -> failed "somebody has removed the file of rings of process %d" pid
    | Hidden why -> failed "process %d may not be looked at: %s" pid why
