open Weft_bench_harness
module File = Weft_containers.Log_file

let record_length = 100

type 'log input = {
  folder : string;
  log : 'log;
  records : string array;
  positions : int array;  (** the position of each record in the log *)
}

(* {1 Folders} *)

let rec remove path =
  if Sys.is_directory path then (
    Array.iter (fun name -> remove (Filename.concat path name)) (Sys.readdir path);
    Sys.rmdir path)
  else Sys.remove path

(* Folders of runs whose check has not been called yet. *)
let folders = ref []
let remove_all () = List.iter (fun folder -> try remove folder with Sys_error _ -> ()) !folders

let () =
  at_exit remove_all;
  Interrupts.at_end remove_all

let prepare open_ n =
  let made () =
    let folder = Filename.temp_dir "weft-log" "" in
    folders := folder :: !folders;
    folder
  in
  let folder = Interrupts.whole made in
  let record i = Printf.sprintf "%-*d" record_length i in
  { folder; log = open_ folder; records = Array.init n record; positions = Array.make n (-1) }

(* {1 The check} *)

(* Every record is in the log, opened anew, at the position that its append has returned. *)
let check_file n { folder; records; positions; _ } =
  let log = File.open_ ~create:false folder in
  Fun.protect ~finally:(fun () -> File.close log) @@ fun () ->
  let show n = Printf.sprintf "%d records where they were put" n in
  let right = ref 0 in
  File.iter
    (fun position record ->
      match int_of_string_opt (String.trim record) with
      | Some i when i >= 0 && i < n && positions.(i) = position && String.equal records.(i) record ->
          incr right
      | _ -> ())
    log;
  if !right = n && File.length log = n then Ok ()
  else Error { Benchmark.expected = show n; got = Printf.sprintf "%s, of %d" (show !right) (File.length log) }

let check close n input =
  close input.log;
  let result = check_file n input in
  remove input.folder;
  folders := List.filter (fun folder -> not (String.equal folder input.folder)) !folders;
  result

(* {1 The methods} *)

let subject ~open_ ~append ~close ~figures =
  Single.Subject
    {
      prepare = prepare open_;
      step = (fun { log; records; positions; _ } i -> positions.(i) <- append log records.(i));
      check = check close;
      figures = (fun { log; _ } -> figures log);
    }

let append_synced log record =
  let position = File.append log record in
  File.sync log;
  position

let sequential =
  subject ~open_:(fun path -> File.open_ path) ~append:append_synced ~close:File.close ~figures:(fun _ -> [])

let coarse =
  subject
    ~open_:(fun path -> (Mutex.create (), File.open_ path))
    ~append:(fun (mutex, log) record -> Mutex.protect mutex (fun () -> append_synced log record))
    ~close:(fun (_, log) -> File.close log)
    ~figures:(fun _ -> [])

let batched =
  let figures log : Figure.t list =
    let { Weft_batch.Log.records; batches; _ } = Weft_batch.Log.stats log in
    if batches = 0 then []
    else
      [
        { title = "batches"; value = float_of_int batches };
        { title = "mean batch"; value = float_of_int records /. float_of_int batches };
      ]
  in
  subject
    ~open_:(fun path -> Weft_batch.Log.open_ path)
    ~append:Weft_batch.Log.append ~close:Weft_batch.Log.close ~figures

let benchmark ~group =
  Single.benchmark ~group ~name:"batch_log"
    ~doc:(Printf.sprintf "records of %d bytes appended to a log and synced" record_length)
    ~default_size:400 ~sequential ~coarse batched
