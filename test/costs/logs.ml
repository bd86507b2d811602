open Testing.Growth
open Table
module Log = Weft_containers.Log_file
module System = Weft_containers.Log_system
module B = Weft_batch.Log

(* Checks what the docstrings say about cost, for each function of the log and of the batched one, by
   system calls and by words that the caller's domain allocates. *)

let watched note =
  let noting f =
    note ();
    f ()
  in
  {
    System.openfile = (fun path flags mode -> noting (fun () -> System.real.openfile path flags mode));
    size = (fun fd -> noting (fun () -> System.real.size fd));
    read = (fun fd ~at b from length -> noting (fun () -> System.real.read fd ~at b from length));
    write = (fun fd ~at b from length -> noting (fun () -> System.real.write fd ~at b from length));
    truncate = (fun fd length -> noting (fun () -> System.real.truncate fd length));
    sync = (fun _ -> noting Fun.id);
    close = (fun fd -> noting (fun () -> System.real.close fd));
    unlink = (fun path -> noting (fun () -> System.real.unlink path));
  }

(* Only a power failure would show the difference, and there are thousands of files. *)
let quick = { System.real with sync = ignore }
let payload = String.make 100 'x'
let payloads n = Array.make n payload

(* A segment size that holds few records. *)
let small = 1000
let ignoring f x = Table.ignoring f x ()

module type LOG = sig
  type t

  val open_ : ?system:System.t -> ?create:bool -> ?segment_size:int -> string -> t
  val close : t -> unit
  val recovery : t -> Log.recovery
  val append : t -> string -> int
  val append_many : t -> string array -> int array
  val sync : t -> unit
  val length : t -> int
  val first : t -> int
  val read : t -> int -> string
  val fold : ?from:int -> (int -> string -> 'acc -> 'acc) -> t -> 'acc -> 'acc
  val iter : ?from:int -> (int -> string -> unit) -> t -> unit
  val drop_before : t -> int -> unit
end

(* Each case has a new directory below [root]. *)
module Cases (L : LOG) = struct
  let all root =
    let made = ref 0 in
    let new_path () =
      incr made;
      Filename.concat root (string_of_int !made)
    in
    (* [f log last] for a log of [n] records; closing it takes a few more system calls. *)
    let of_log ?segment_size ?(filled = true) name bound f =
      calls name bound (fun note n ->
          let log = L.open_ ~system:(watched note) ?segment_size (new_path ()) in
          let last = ref 0 in
          if filled then Array.iter (fun p -> last := L.append log p) (payloads n);
          fun () ->
            f log n !last;
            L.close log)
    in
    let of_closed ?segment_size name =
      calls name Linear (fun note n ->
          let path = new_path () in
          let log = L.open_ ~system:quick ?segment_size path in
          ignore (L.append_many log (payloads n) : int array);
          L.close log;
          fun () -> L.close (L.open_ ~system:(watched note) ?segment_size path))
    in
    [
      of_closed "open_";
      of_closed ~segment_size:small "open_, of segments";
      of_log "close" Constant (fun _ _ _ -> ());
      of_log "recovery" Constant (fun log _ _ -> ignoring L.recovery log);
      of_log ~filled:false "append" Linear (fun log n _ -> Array.iter (ignoring (L.append log)) (payloads n));
      of_log "append, to many" Constant (fun log _ _ -> ignoring (L.append log) payload);
      of_log ~filled:false "append_many" Linear (fun log n _ -> ignoring (L.append_many log) (payloads n));
      of_log "sync" Constant (fun log _ _ -> L.sync log);
      of_log "length" Constant (fun log _ _ -> ignoring L.length log);
      of_log "first" Constant (fun log _ _ -> ignoring L.first log);
      of_log "read" Constant (fun log _ last -> ignoring (L.read log) last);
      of_log "read, the first" Constant (fun log _ _ -> ignoring (L.read log) (L.first log));
      of_log "fold" Linear (fun log _ _ -> ignoring (L.fold (fun _ _ n -> n + 1) log) 0);
      of_log "fold, of segments" Linear ~segment_size:small (fun log _ _ ->
          ignoring (L.fold (fun _ _ n -> n + 1) log) 0);
      of_log "iter" Linear (fun log _ _ -> L.iter (fun _ _ -> ()) log);
      of_log "drop_before" Linear ~segment_size:small (fun log _ last -> L.drop_before log last);
    ]
end

module Of_file = Cases (struct
  include Log
end)

module Of_batched = Cases (struct
  include B

  let open_ ?system ?create ?segment_size path = open_ ?system ?create ?segment_size path
end)

let of_file root =
  let filled note n =
    let log = Log.open_ ~system:(watched note) (Filename.temp_dir ~temp_dir:root "" "") in
    ignore (Log.append_many log (payloads n) : int array);
    log
  in
  let of_log name bound f =
    calls name bound (fun note n ->
        let log = filled note n in
        fun () ->
          ignoring f log;
          Log.close log)
  in
  Of_file.all root
  @ [
      words "record" Constant (fun n ->
          let payload = String.make n 'x' in
          fun () -> ignoring Log.record payload);
      of_log "stop" Constant Log.stop;
      of_log "view" Constant (Log.view ~synced:false);
      calls "append_groups" Linear (fun note n ->
          let log = filled note 1 and groups = Array.map (fun p -> [| Log.record p |]) (payloads n) in
          fun () ->
            ignoring (Log.append_groups log) groups;
            Log.close log);
    ]

let of_batched root =
  let of_log name bound f =
    calls name bound (fun note n ->
        let log = B.open_ ~system:(watched note) (Filename.temp_dir ~temp_dir:root "" "") in
        ignore (B.append_many log (payloads n) : int array);
        fun () ->
          f log n;
          B.close log)
  in
  Of_batched.all root
  @ [
      of_log "stats" Constant (fun log _ -> ignoring B.stats log);
      of_log "quiesce" Constant (fun log _ -> B.quiesce log);
      of_log "exec" Constant (fun log _ -> ignoring (B.exec log) (Append (Log.record payload)));
      of_log "exec_many" Linear (fun log n ->
          ignoring (B.exec_many log) (Array.map (fun p -> B.Append (Log.record p)) (payloads n)));
      of_log "submit" Constant (fun log _ ->
          ignoring (fun op -> Weft.await (B.submit log op)) (Append (Log.record payload)));
      of_log "submit_many" Linear (fun log n ->
          ignoring
            (fun ops -> Weft.await (B.submit_many log ops))
            (Array.map (fun p -> B.Append (Log.record p)) (payloads n)));
    ]

let folder =
  lazy
    (let folder = Filename.temp_dir ~temp_dir:Testing.Folder.in_memory "costs" "" in
     at_exit (fun () -> Testing.Folder.remove folder);
     folder)

let tables =
  let table prefix file cases except =
    let sizes = List.filteri (fun i _ -> i < Testing.Effort.count ~quick:1 ~usual:1 ~long:2) [ 1000; 3000 ] in
    { prefix; files = [ file ]; sizes; in_pool = true; cases = cases (Lazy.force folder); except }
  in
  [
    table "Weft_containers.Log_file." "lib/containers/log_file.mli" of_file [];
    table "Weft_batch.Log." "lib/batch/log.mli" of_batched
      [ ("what the others are made of", [ "sequential"; "apply"; "run_batch" ]) ];
  ]
