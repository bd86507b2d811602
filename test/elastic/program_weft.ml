let path = ref ""

open Testing

let read path = try In_channel.with_open_bin path In_channel.input_all with Sys_error _ -> ""

let eventually what f =
  let found = ref None in
  Watchdog.until what (fun () ->
      found := f ();
      !found <> None);
  Option.get !found

let run ?env ?(while_running = ignore) arguments =
  let child = Child.start ?env !path arguments in
  (match while_running (Child.pid child) with
  | () -> ()
  | exception e ->
      Child.signal child Sys.sigterm;
      ignore (Child.finish child : Child.ended);
      raise e);
  Child.finish child

let is_alive pid = match Threads.state_and_parent pid with None | Some ('Z', _) -> false | Some _ -> true
let children parent = List.filter is_alive (Threads.children parent)

let command_line pid =
  List.filter (( <> ) "") (String.split_on_char '\000' (read (Printf.sprintf "/proc/%d/cmdline" pid)))

let wait_for_end pid =
  Watchdog.until (Printf.sprintf "process %d has ended" pid) (fun () -> not (is_alive pid))

let groups pid =
  let prefix = Printf.sprintf "weft-bench-%d-" pid in
  let within directory =
    match Sys.readdir directory with
    | exception Sys_error _ -> []
    | names -> List.filter (String.starts_with ~prefix) (Array.to_list names)
  in
  List.concat_map within (Weft_bench_elastic.Cpu_group.directories ())
