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

let of_thread id =
  match read (Printf.sprintf "/proc/self/task/%s/status" id) with
  | None -> None (* the thread has ended since the folder was read *)
  | Some status -> (
      match (field status "voluntary_ctxt_switches", field status "nonvoluntary_ctxt_switches") with
      | Some voluntary, Some involuntary -> Some (id, { voluntary; involuntary })
      | _ -> None)

let threads () =
  match Sys.readdir "/proc/self/task" with
  | exception Sys_error _ -> None
  | ids -> ( match List.filter_map of_thread (Array.to_list ids) with [] -> None | threads -> Some threads)

let switches ~before ~after =
  let add sum (id, now) =
    let was = Option.value (List.assoc_opt id before) ~default:{ voluntary = 0; involuntary = 0 } in
    {
      voluntary = sum.voluntary + now.voluntary - was.voluntary;
      involuntary = sum.involuntary + now.involuntary - was.involuntary;
    }
  in
  List.fold_left add { voluntary = 0; involuntary = 0 } after

let reset_peak_memory () =
  (* "5" means: the peak resident set only; see proc(5). *)
  try
    Out_channel.with_open_gen [ Open_wronly ] 0 "/proc/self/clear_refs" (fun c ->
        Out_channel.output_string c "5")
  with Sys_error _ -> ()

let peak_memory () =
  Option.bind (read "/proc/self/status") (fun status ->
      Option.map (fun kib -> kib * 1024) (field status "VmHWM"))
