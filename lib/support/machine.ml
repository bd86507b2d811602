(* {1 Reading} *)

(* More than any of these files has; it bounds what a wrong file can cost. *)
let max_bytes = 16 * 1024 * 1024

let read_some channel =
  let content = Buffer.create 4096 and block = Bytes.create 4096 in
  let rec go () =
    let got = In_channel.input channel block 0 (Bytes.length block) in
    Buffer.add_subbytes content block 0 got;
    if got > 0 && Buffer.length content < max_bytes then go ()
  in
  go ();
  Buffer.contents content

(* [read root "proc/stat"]: the content of the file, if it can be read. *)
let read root file =
  match In_channel.with_open_bin (Filename.concat root file) read_some with
  | content -> Some content
  | exception Sys_error _ -> None

let lines content = String.split_on_char '\n' content
let read_lines root file = Option.fold ~none:[] ~some:lines (read root file)

let words line =
  let blank_to_space = function '\t' | '\n' | '\r' -> ' ' | c -> c in
  String.map blank_to_space line |> String.split_on_char ' ' |> List.filter (fun word -> word <> "")

(* [int_of_string] also takes "0x1f", "1_000" and "-1"; the kernel writes plain digits. 15 of them cannot overflow,
   even when a few are added up. *)
let natural word =
  let is_digit c = '0' <= c && c <= '9' in
  if word <> "" && String.length word <= 15 && String.for_all is_digit word then int_of_string_opt word
  else None

let naturals words =
  let numbers = List.filter_map natural words in
  if List.compare_lengths numbers words = 0 then Some numbers else None

let positive = function Some n when n > 0 -> Some n | _ -> None

(* Numbers such as "0.04"; the load average has no sign and no exponent. *)
let decimal word =
  let in_decimal c = ('0' <= c && c <= '9') || c = '.' in
  if String.for_all in_decimal word then float_of_string_opt word else None

(* The value of the first line "key: value" (blanks around the colon do not matter). *)
let field key lines =
  let value line =
    match String.index_opt line ':' with
    | Some colon when String.trim (String.sub line 0 colon) = key ->
        Some (String.trim (String.sub line (colon + 1) (String.length line - colon - 1)))
    | _ -> None
  in
  List.find_map value lines

let non_empty = function Some "" | None -> None | some -> some

(* {1 Processors} *)

(* How many processors a list such as "0-3,8,10-11" names. *)
let count_of_list text =
  let range text =
    match List.map natural (String.split_on_char '-' text) with
    | [ Some _ ] -> Some 1
    | [ Some first; Some last ] when first <= last -> Some (last - first + 1)
    | _ -> None
  in
  let add sum text = Option.bind sum (fun sum -> Option.map (( + ) sum) (range text)) in
  positive (List.fold_left add (Some 0) (String.split_on_char ',' (String.trim text)))

let processors_online ?(root = "/") () = Option.bind (read root "sys/devices/system/cpu/online") count_of_list

let processors_allowed ?(root = "/") () =
  Option.bind (field "Cpus_allowed_list" (read_lines root "proc/self/status")) count_of_list

(* The key depends on the architecture: x86, ARM boards, MIPS, POWER, RISC-V. *)
let processor_model ?(root = "/") () =
  let lines = read_lines root "proc/cpuinfo" in
  List.find_map
    (fun key -> non_empty (field key lines))
    [ "model name"; "Model"; "cpu model"; "cpu"; "uarch" ]

(* {1 Control groups}

   Three steps: which groups the process is in (/proc/self/cgroup), where these groups' hierarchies are mounted
   (/proc/self/mountinfo), and what the quota files say on the way from the group's directory up to the mount
   point. A machine may have both versions mounted at once, with the quotas in either. *)

type quota = { processors : float; file : string }
type version = V1 | V2

(* Linux has no longer paths; what is longer is not one, and would be costly to walk up. *)
let max_path = 4096

(* The groups that a CPU quota can come from: version 2 has one group for all controllers; version 1 has one for
   each set of controllers mounted together, such as "cpu,cpuacct". *)
let groups root =
  let group line =
    match String.split_on_char ':' line with
    | _ when String.length line > max_path -> None
    | "0" :: "" :: path -> Some (V2, String.concat ":" path)
    | _ :: controllers :: path when List.mem "cpu" (String.split_on_char ',' controllers) ->
        Some (V1, String.concat ":" path)
    | _ -> None
  in
  List.filter_map group (read_lines root "proc/self/cgroup")

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
let mounts root =
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
  List.filter_map mount (read_lines root "proc/self/mountinfo")

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

(* What the files in [directory] limit its group to. No limit is written "max" and "-1". *)
let quota_of_directory root version directory =
  let read name = Option.fold ~none:[] ~some:words (read root (Filename.concat directory name)) in
  let quota name quota_us period_us =
    let limit processors = { processors; file = "/" ^ Filename.concat directory name } in
    Option.map limit (ratio (natural quota_us) (natural period_us))
  in
  match version with
  | V2 -> (
      match read "cpu.max" with [ quota_us; period_us ] -> quota "cpu.max" quota_us period_us | _ -> None)
  | V1 -> (
      match (read "cpu.cfs_quota_us", read "cpu.cfs_period_us") with
      | [ quota_us ], [ period_us ] -> quota "cpu.cfs_quota_us" quota_us period_us
      | _ -> None)

let cpu_quota ?(root = "/") () =
  let mounts = mounts root in
  let quotas ((version, _) as group) =
    List.filter_map (quota_of_directory root version) (directories mounts group)
  in
  let smaller least quota =
    match least with Some least when least.processors <= quota.processors -> Some least | _ -> Some quota
  in
  List.fold_left smaller None (List.concat_map quotas (groups root))

(* {1 System} *)

let kernel_release ?(root = "/") () =
  non_empty (Option.map String.trim (read root "proc/sys/kernel/osrelease"))

(* x86 has a flag for it; where there are no flags, Xen at least tells its name. *)
let virtual_machine ?(root = "/") () =
  match field "flags" (read_lines root "proc/cpuinfo") with
  | Some flags -> Some (List.mem "hypervisor" (words flags))
  | None -> Option.map (fun _ -> true) (read root "sys/hypervisor/type")

type load = { one : float; five : float; fifteen : float }

let load_average ?(root = "/") () =
  match Option.map (fun content -> List.map decimal (words content)) (read root "proc/loadavg") with
  | Some (Some one :: Some five :: Some fifteen :: _) -> Some { one; five; fifteen }
  | _ -> None

type cpu_time = { total : int; steal : int }

(* The numbers after "cpu" are user nice system idle iowait irq softirq steal guest guest_nice; the last two are
   counted in the first two already. *)
let cpu_time ?(root = "/") () =
  let time line =
    match words line with
    | "cpu" :: times -> (
        match naturals (List.filteri (fun i _ -> i < 8) times) with
        | Some ([ _; _; _; _; _; _; _; steal ] as times) ->
            Some { total = List.fold_left ( + ) 0 times; steal }
        | _ -> None)
    | _ -> None
  in
  List.find_map time (read_lines root "proc/stat")

let stolen_share ~before ~after =
  let total = after.total - before.total and steal = after.steal - before.steal in
  if total > 0 && 0 <= steal && steal <= total then Some (float_of_int steal /. float_of_int total) else None

(* {1 Number of domains} *)

type limit = Allowed | Quota of quota | Recommended

(* Defined for every quota: [natural] takes no number that a conversion to [int] could not hold. *)
let round_up processors = int_of_float (Float.ceil processors)

let default_limit ?root ?recommended () =
  let recommended =
    match recommended with Some count -> count | None -> Domain.recommended_domain_count ()
  in
  let allowed = Option.map (fun count -> (count, Allowed)) (processors_allowed ?root ()) in
  let quota = Option.map (fun quota -> (round_up quota.processors, Quota quota)) (cpu_quota ?root ()) in
  let unless_less candidate other =
    match candidate with Some candidate when fst candidate <= fst other -> candidate | _ -> other
  in
  let count, limit = (recommended, Recommended) |> unless_less quota |> unless_less allowed in
  (max 1 count, limit)

let default_domains ?root ?recommended () = fst (default_limit ?root ?recommended ())
let max_domains = 128

let count_from_env ~variable ~most = function
  | None | Some "" -> Ok None
  | Some text -> (
      match natural (String.trim text) with
      | Some count when 1 <= count && count <= most -> Ok (Some count)
      | _ ->
          Error
            (Printf.sprintf "%s=%s is ignored: it must be a number from 1 to %d" variable
               (String.escaped text) most))

let domains_from_env = count_from_env ~variable:"WEFT_DOMAINS" ~most:max_domains

external handles_signals : unit -> bool = "weft_handles_signals" [@@noalloc]
