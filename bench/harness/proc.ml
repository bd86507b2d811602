let folder = function None -> "/proc/self" | Some pid -> Printf.sprintf "/proc/%d" pid

let read path =
  match In_channel.with_open_bin path In_channel.input_all with
  | text -> Some text
  | exception Sys_error _ -> None

(* [field status key] is the number after "key:" at the start of a line of [status]. *)
let field status key =
  let number line =
    match String.index_opt line ':' with
    | Some i when String.equal (String.sub line 0 i) key ->
        let value = String.trim (String.sub line (i + 1) (String.length line - i - 1)) in
        int_of_string_opt (List.hd (String.split_on_char ' ' value))
    | _ -> None
  in
  List.find_map number (String.split_on_char '\n' status)

type switches = { voluntary : int; involuntary : int }
type threads = (string * switches) list

let of_thread folder id =
  match read (Printf.sprintf "%s/task/%s/status" folder id) with
  | None -> None (* the thread has ended since the folder was read *)
  | Some status -> (
      match (field status "voluntary_ctxt_switches", field status "nonvoluntary_ctxt_switches") with
      | Some voluntary, Some involuntary -> Some (id, { voluntary; involuntary })
      | _ -> None)

let thread_ids folder =
  match Sys.readdir (folder ^ "/task") with exception Sys_error _ -> [] | ids -> Array.to_list ids

let threads ?pid () =
  let folder = folder pid in
  match List.filter_map (of_thread folder) (thread_ids folder) with [] -> None | threads -> Some threads

let switches ~before ~after =
  let add sum (id, now) =
    let was = Option.value (List.assoc_opt id before) ~default:{ voluntary = 0; involuntary = 0 } in
    {
      voluntary = sum.voluntary + now.voluntary - was.voluntary;
      involuntary = sum.involuntary + now.involuntary - was.involuntary;
    }
  in
  List.fold_left add { voluntary = 0; involuntary = 0 } after

let reset_peak_memory ?pid () =
  (* "5" resets only the peak resident set; see proc(5). *)
  try
    Out_channel.with_open_gen [ Open_wronly ] 0
      (folder pid ^ "/clear_refs")
      (fun c -> Out_channel.output_string c "5")
  with Sys_error _ -> ()

let memory name ?pid () =
  Option.bind
    (read (folder pid ^ "/status"))
    (fun status -> Option.map (fun kib -> kib * 1024) (field status name))

let peak_memory = memory "VmHWM"
let resident_memory = memory "VmRSS"

(* Reads the fields after the name, which is in brackets and may contain anything. Times are in hundredths
   of a second (USER_HZ). See proc(5). *)
let cpu_seconds ~pid =
  Option.bind
    (read (folder (Some pid) ^ "/stat"))
    (fun stat ->
      let after = match String.rindex_opt stat ')' with Some i -> i + 1 | None -> 0 in
      let fields =
        String.split_on_char ' ' (String.trim (String.sub stat after (String.length stat - after)))
      in
      let ticks n = Option.bind (List.nth_opt fields n) float_of_string_opt in
      match (ticks 11, ticks 12) with Some user, Some system -> Some ((user +. system) /. 100.) | _ -> None)

let running_seconds ~pid =
  let folder = folder (Some pid) in
  let of_thread id =
    Option.bind
      (read (Printf.sprintf "%s/task/%s/schedstat" folder id))
      (fun text -> float_of_string_opt (List.hd (String.split_on_char ' ' text)))
  in
  match List.filter_map of_thread (thread_ids folder) with
  | [] -> None
  | times -> Some (List.fold_left ( +. ) 0. times /. 1e9)
