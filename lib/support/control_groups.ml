(* Three steps: which groups the process is in (/proc/self/cgroup), where these groups' hierarchies are mounted
   (/proc/self/mountinfo), and what the quota files say on the way from the group's directory up to the mount
   point. A machine may have both versions mounted at once, with the quotas in either. *)

open System_files

type quota = { processors : float; file : string }
type version = V1 | V2

(* Linux has no longer paths; what is longer is not one, and would be costly to walk up. *)
let max_path = 4096

(* The groups that a CPU quota can come from: version 2 has one group for all controllers; version 1 has one for
   each set of controllers mounted together, such as "cpu,cpuacct". *)
let groups table =
  let group line =
    match String.split_on_char ':' line with
    | _ when String.length line > max_path -> None
    | "0" :: "" :: path -> Some (V2, String.concat ":" path)
    | _ :: controllers :: path when List.mem "cpu" (String.split_on_char ',' controllers) ->
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
let mounts table =
  let rec after_tags = function "-" :: rest -> rest | _ :: rest -> after_tags rest | [] -> [] in
  let mount line =
    match words line with
    | _ :: _ :: _ :: top :: point :: _ :: tags -> (
        let mount version = Some { version; top = unescape top; point = unescape point } in
        match after_tags tags with
        | "cgroup2" :: _ -> mount V2
        | [ "cgroup"; _; options ] when List.mem "cpu" (String.split_on_char ',' options) -> mount V1
        | _ -> None)
    | _ -> None
  in
  List.filter_map mount (lines table)

let names path = List.filter (fun name -> name <> "") (String.split_on_char '/' path)

(* The way from the mounted group [top] down to the group [path], as names. Both are told relative to the root of
   the process's cgroup namespace, so either may start with "..", one for each level above that root; the names of
   levels between the two are then unknown, and of that way only [top] itself is reachable. [None] if [top] is not
   an ancestor of [path] or [path] itself. *)
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

(* The directories of the group [path] and its ancestors, innermost first, as [mounts] show them. Where no mount
   claims to hold the group, [path] is taken to be relative to what is mounted: the kernels of the first cgroup
   namespaces, and sandboxes that imitate /proc, tell it so. *)
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

(* {1 Looking again} *)

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
      let mounts = mounts mounted in
      let place version directory = { version; directory; limit = limit_of root version directory } in
      let places ((version, _) as group) = List.map (place version) (directories mounts group) in
      { root; table; places = List.concat_map places (groups table) }

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
