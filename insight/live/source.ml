open Runtime_events
module Wire = Weft_trace.Wire

type t = { cursor : cursor; callbacks : Callbacks.t; mutable damaged : bool }

let ns time = Int64.to_int (Timestamp.to_int64 time)

let callbacks meter =
  let runtime_begin ring time phase =
    Meter.phase_begins meter ~ring ~time:(ns time) (runtime_phase_name phase)
  in
  let runtime_end ring time phase = Meter.phase_ends meter ~ring ~time:(ns time) (runtime_phase_name phase) in
  let runtime_counter ring _ counter value =
    match counter with
    | EV_C_MINOR_PROMOTED -> Meter.promoted meter (value / (Sys.word_size / 8))
    | EV_C_MAJOR_HEAP_WORDS -> Meter.heap meter ~ring value
    | _ -> ()
  in
  let lifecycle ring time event _ =
    match event with EV_DOMAIN_TERMINATE -> Meter.domain_ends meter ~ring ~time:(ns time) | _ -> ()
  in
  let lost_events _ words = Meter.lost meter words in
  Callbacks.create ~runtime_begin ~runtime_end ~runtime_counter ~lifecycle ~lost_events ()
  |> Wire.listen
       ~step:(fun ring time -> Meter.step meter ~ring ~time:(Int64.to_int time))
       ~wake:(fun _ _ -> Meter.wake meter)
       ~ended:(fun _ time span id -> Meter.ended meter ~time:(Int64.to_int time) span id)
       ~note:(fun ring time -> Meter.note meter ~ring ~time:(Int64.to_int time))
       ~foreign:ignore

let open_ ~dir ~pid meter =
  match create_cursor (Some (dir, pid)) with
  | exception Failure why -> Error why
  | cursor -> Ok { cursor; callbacks = callbacks meter; damaged = false }

let most_at_once = 50_000

let poll t =
  if not t.damaged then
    try ignore (read_poll t.cursor t.callbacks (Some most_at_once) : int)
    with Failure _ -> t.damaged <- true

(* Not for ever, if the program writes faster. *)
let skip t =
  let rec again rounds =
    let read =
      if t.damaged then 0
      else
        try read_poll t.cursor t.callbacks (Some most_at_once)
        with Failure _ ->
          t.damaged <- true;
          0
    in
    if read > 0 && rounds > 0 then again (rounds - 1)
  in
  again 100

let close t = free_cursor t.cursor
