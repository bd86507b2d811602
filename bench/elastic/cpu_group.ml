type version = V1 | V2

let read_lines path =
  match In_channel.with_open_bin path In_channel.input_all with
  | text -> String.split_on_char '\n' text
  | exception Sys_error _ -> []

let words line = List.filter (fun word -> word <> "") (String.split_on_char ' ' line)
let has_cpu controllers = List.mem "cpu" (String.split_on_char ',' controllers)

(* {1 Where}

   [Weft_platform.Machine] finds quotas the same way: it reads in which groups the process is and where
   their hierarchies are mounted, and goes up from there. Unlike it, this code does not handle names with
   blanks. *)

let groups root =
  let group line =
    match String.split_on_char ':' line with
    | "0" :: "" :: path -> Some (V2, String.concat ":" path)
    | _ :: controllers :: path when has_cpu controllers -> Some (V1, String.concat ":" path)
    | _ -> None
  in
  List.filter_map group (read_lines (Filename.concat root "proc/self/cgroup"))

let mounts root =
  let rec after_tags = function "-" :: rest -> rest | _ :: rest -> after_tags rest | [] -> [] in
  let mount line =
    match words line with
    | _ :: _ :: _ :: top :: point :: _ :: tags -> (
        match after_tags tags with
        | "cgroup2" :: _ -> Some (V2, top, point)
        | [ "cgroup"; _; options ] when has_cpu options -> Some (V1, top, point)
        | _ -> None)
    | _ -> None
  in
  List.filter_map mount (read_lines (Filename.concat root "proc/self/mountinfo"))

let names path = List.filter (fun name -> name <> "") (String.split_on_char '/' path)

(* The names from the group [top], which is mounted, down to [path]. *)
let rec way_down top path =
  match (top, path) with
  | [], way -> if List.mem ".." way then None else Some way
  | name :: top, name' :: path when String.equal name name' -> way_down top path
  | _ -> None

let rec with_ancestors = function
  | [] -> [ [] ]
  | way -> way :: with_ancestors (List.filteri (fun i _ -> i < List.length way - 1) way)

let places root =
  let mounts = mounts root in
  let of_group (version, path) =
    let of_mount (mounted, top, point) =
      if mounted <> version then []
      else
        let way = Option.value (way_down (names top) (names path)) ~default:[] in
        let directory way = Filename.concat root (String.concat "/" (names point @ way)) in
        List.map (fun way -> (version, directory way)) (with_ancestors way)
    in
    List.concat_map of_mount mounts
  in
  (* Version 1 comes first: where both are mounted, the one that lists the CPU controller has it. *)
  let v1, v2 = List.partition (fun (version, _) -> version = V1) (groups root) in
  List.concat_map of_group (v1 @ v2)

let directories ?(root = "/") () = List.map snd (places root)

(* {1 Making} *)

let period_us = 100_000

let write directory file text =
  let path = Filename.concat directory file in
  (* The file must exist: in a folder that is no control group, no file may be made. *)
  Out_channel.with_open_gen [ Open_wronly ] 0 path (fun channel -> Out_channel.output_string channel text)

let limit version directory processors =
  let quota_us = int_of_float (processors *. float_of_int period_us) in
  match version with
  | V2 -> write directory "cpu.max" (Printf.sprintf "%d %d" quota_us period_us)
  | V1 ->
      write directory "cpu.cfs_period_us" (string_of_int period_us);
      write directory "cpu.cfs_quota_us" (string_of_int quota_us)

(* The kernel may keep a group busy for a moment after its last process has been waited for. *)
let rec remove ?(tries = 200) directory =
  try Unix.rmdir directory with
  | Unix.Unix_error ((EBUSY | EINTR), _, _) when tries > 0 ->
      (try Unix.sleepf 0.01 with Unix.Unix_error _ -> ());
      remove ~tries:(tries - 1) directory
  | Unix.Unix_error _ -> ()

let made = ref 0

let make processors (version, parent) =
  incr made;
  let directory = Filename.concat parent (Printf.sprintf "weft-bench-%d-%d" (Unix.getpid ()) !made) in
  match Unix.mkdir directory 0o755 with
  | exception Unix.Unix_error (error, _, _) -> Error (parent ^ ": " ^ Unix.error_message error)
  | () -> (
      match limit version directory processors with
      | () -> Ok directory
      | exception Sys_error reason ->
          remove directory;
          Error reason)

let with_quota ?(root = "/") ~processors f =
  let rec first_of reason = function
    | [] -> Error reason
    | place :: rest -> (
        match make processors place with Ok directory -> Ok directory | Error reason -> first_of reason rest)
  in
  match first_of "no control group for processor time is mounted" (places root) with
  | Error _ as error -> error
  | Ok directory -> Ok (Fun.protect (fun () -> f directory) ~finally:(fun () -> remove directory))

let join directory = write directory "cgroup.procs" "0"
