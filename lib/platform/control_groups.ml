(* Three steps: which groups the process is in (/proc/self/cgroup), where these groups' hierarchies are
   mounted (/proc/self/mountinfo), and what the files of a controller say on the way from the group's
   directory up to the mount point. A machine may have both versions mounted at once, with the limits in
   either. *)

open System_files

type quota = { processors : float; file : string }
type version = V1 | V2

(* Linux has no longer paths; a longer one is wrong, and would be costly to walk up. *)
let max_path = 4096

(* The groups that a limit of a controller can come from: version 2 has one group for all controllers;
   version 1 has one for each set of controllers mounted together, such as "cpu,cpuacct". *)
let groups controller table =
  let group line =
    match String.split_on_char ':' line with
    | _ when String.length line > max_path -> None
    | "0" :: "" :: path -> Some (V2, String.concat ":" path)
    | _ :: controllers :: path when List.mem controller (String.split_on_char ',' controllers) ->
        Some (V1, String.concat ":" path)
    | _ -> None
  in
  List.filter_map group (lines table)

(* Blanks and backslashes in mountinfo are written as three octal digits: "\040". *)
let unescape text =
  let decode part =
    let digits = min 3 (String.length part) in
    match int_of_string_opt ("0o" ^ String.sub part 0 digits) with
    | Some code when digits = 3 && 0 <= code && code < 256 ->
        String.make 1 (Char.chr code) ^ String.sub part 3 (String.length part - 3)
    | _ -> "\\" ^ part
  in
  match String.split_on_char '\\' text with
  | plain :: escaped -> String.concat "" (plain :: List.map decode escaped)
  | [] -> ""

type mount = {
  version : version;
  top : string;  (** the group that is mounted *)
  point : string;  (** and where *)
}

(* A line is "id parent device top point options [tag ...] - type source superoptions". *)
let mounts controller table =
  let rec after_tags = function "-" :: rest -> rest | _ :: rest -> after_tags rest | [] -> [] in
  let mount line =
    match words line with
    | _ :: _ :: _ :: top :: point :: _ :: tags -> (
        let mount version = Some { version; top = unescape top; point = unescape point } in
        match after_tags tags with
        | "cgroup2" :: _ -> mount V2
        | [ "cgroup"; _; options ] when List.mem controller (String.split_on_char ',' options) -> mount V1
        | _ -> None)
    | _ -> None
  in
  List.filter_map mount (lines table)

let names path = List.filter (fun name -> name <> "") (String.split_on_char '/' path)

(* The way from the mounted group [top] down to the group [path], as names. Both are told relative to the
   root of the process's cgroup namespace, so either may start with "..", one for each level above that
   root; the names of levels between the two are then unknown, and of that way only [top] itself is
   reachable. [None] if [top] is not an ancestor of [path] or [path] itself. *)
let way_down ~top ~path =
  let rec go top path =
    match (top, path) with
    | [], ".." :: _ -> None
    | [], way -> Some way
    | ".." :: top, ".." :: path -> go top path
    | ".." :: _, _ -> if List.for_all (( = ) "..") top then Some [] else None
    | name :: top, name' :: path when name = name' -> go top path
    | _ -> None
  in
  go (names top) (names path)

let rec with_ancestors way =
  match List.rev way with [] -> [ [] ] | _ :: above -> way :: with_ancestors (List.rev above)

(* The directories of the group [path] and its ancestors, innermost first, as [mounts] show them. Where
   no mount claims to hold the group, [path] is taken to be relative to what is mounted: the kernels of
   the first cgroup namespaces, and sandboxes that imitate /proc, tell it so. *)
let directories mounts (version, path) =
  let mounts = List.filter (fun mount -> mount.version = version) mounts in
  let upwards mount way =
    List.map (fun way -> String.concat "/" (names mount.point @ way)) (with_ancestors way)
  in
  let found =
    List.filter_map (fun mount -> Option.map (upwards mount) (way_down ~top:mount.top ~path)) mounts
  in
  let way = names path in
  if found = [] && not (List.mem ".." way) then List.concat_map (fun mount -> upwards mount way) mounts
  else List.concat found

(* Of all groups of the process: their directories and those of their ancestors, nearest first. *)
let all_directories controller ~mounted table =
  let mounts = mounts controller mounted in
  List.concat_map
    (fun ((version, _) as group) -> List.map (fun d -> (version, d)) (directories mounts group))
    (groups controller table)

(* {1 Processors} *)

let ratio quota period =
  match (positive quota, positive period) with
  | Some quota, Some period -> Some (float_of_int quota /. float_of_int period)
  | _ -> None

(* What the files in a directory say. *)
type limit =
  | Gone  (** there are none; the root group has none either *)
  | Unclear  (** they cannot be read, or make no sense *)
  | No_limit
  | Limit of quota

let absent_or_unclear root file = if Sys.file_exists (Filename.concat root file) then Unclear else Gone

(* No limit is written "max" and "-1". Of version 1, the second file is read only if the first one says so. *)
let limit_of root version directory =
  let limit name quota period =
    match ratio (natural quota) (natural period) with
    | Some processors -> Limit { processors; file = "/" ^ Filename.concat directory name }
    | None -> Unclear
  in
  let name = match version with V1 -> "cpu.cfs_quota_us" | V2 -> "cpu.max" in
  let file = Filename.concat directory name in
  match (version, Option.map words (read root file)) with
  | _, None -> absent_or_unclear root file
  | V2, Some [ "max"; _ ] | V1, Some [ "-1" ] -> No_limit
  | V2, Some [ quota; period ] -> limit name quota period
  | V1, Some [ quota ] -> (
      match Option.map words (read root (Filename.concat directory "cpu.cfs_period_us")) with
      | Some [ period ] -> limit name quota period
      | _ -> Unclear)
  | _ -> Unclear

(* {2 Looking again} *)

type place = { version : version; directory : string; limit : limit }

type view = {
  root : string;
  table : string;  (** the groups of the process, as /proc/self/cgroup tells them *)
  places : place list;  (** where their quotas and those of their ancestors are, nearest first *)
}

let nothing ~root = { root; table = ""; places = [] }

(* Without the table of mounts nothing can be found: what was known stays. *)
let look_up view table =
  let root = view.root in
  match read root "proc/self/mountinfo" with
  | None -> view
  | Some mounted ->
      let place (version, directory) = { version; directory; limit = limit_of root version directory } in
      { root; table; places = List.map place (all_directories "cpu" ~mounted table) }

let look_again root place =
  match limit_of root place.version place.directory with Unclear -> place | limit -> { place with limit }

let vanished before after = before.limit <> Gone && after.limit = Gone

let look view =
  match read view.root "proc/self/cgroup" with
  | None -> view
  | Some table when table <> view.table -> look_up view table
  | Some table ->
      let places = List.map (look_again view.root) view.places in
      if List.exists2 vanished view.places places then look_up view table else { view with places }

let quota view =
  let smaller least { limit; _ } =
    match (limit, least) with
    | Limit quota, Some least when quota.processors < least.processors -> Some quota
    | Limit quota, None -> Some quota
    | _ -> least
  in
  List.fold_left smaller None view.places

(* {1 Memory and threads} *)

type limits = { memory : int option; threads : int option }

let no_limits = { memory = None; threads = None }

(* No limit is written "max", and as a number of more digits than [natural] reads. *)
let least root directories ~v1 ~v2 =
  let limit (version, directory) =
    let name = match version with V1 -> v1 | V2 -> v2 in
    Option.bind (read root (Filename.concat directory name)) (fun text -> natural (String.trim text))
  in
  List.fold_left
    (fun least n -> Some (Option.fold least ~none:n ~some:(min n)))
    None (List.filter_map limit directories)

let limits ~root =
  match (read root "proc/self/cgroup", read root "proc/self/mountinfo") with
  | Some table, Some mounted ->
      let least controller = least root (all_directories controller ~mounted table) in
      {
        memory = least "memory" ~v1:"memory.limit_in_bytes" ~v2:"memory.max";
        threads = least "pids" ~v1:"pids.max" ~v2:"pids.max";
      }
  | _ -> no_limits
