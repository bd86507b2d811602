type use = { memory : int; live : int; descriptors : int }

type t = {
  kind : string;
  domains : int;
  seed : int;
  rounds : int;
  operations : int;
  lost : int;
  stall : float;
  warm : use;
  last : use;
}

(* The pages of this domain's minor heap come when they are used. *)
let use_minor_heap () =
  let collections () = (Gc.quick_stat ()).minor_collections in
  let before = collections () in
  while collections () = before do
    ignore (Sys.opaque_identity (Array.make 100 0))
  done

external trim : unit -> unit = "stress_trim"
external is_alone : unit -> bool = "stress_is_alone"

(* A compaction while another domain ends may crash the program, or hang it (doc/runtime-faults.md). Domains without
   work end after some collections. *)
let rec compact tries =
  Gc.full_major ();
  if is_alone () then Gc.compact ()
  else if tries > 0 then begin
    Thread.delay 0.01;
    compact (tries - 1)
  end

let used () =
  Weft_platform.Stack_cache.free_domain_stacks ();
  compact 1_000;
  trim ();
  use_minor_heap ();
  let live = (Gc.stat ()).live_words * (Sys.word_size / 8) / 1024 in
  (* Without the program's own text, whose pages come when they are used. *)
  let anonymous line = Scanf.sscanf_opt line "RssAnon: %d kB" Fun.id in
  let memory =
    match In_channel.with_open_bin "/proc/self/status" In_channel.input_all with
    | text -> Option.value (List.find_map anonymous (String.split_on_char '\n' text)) ~default:0
    | exception Sys_error _ -> 0
  in
  let descriptors = try Array.length (Sys.readdir "/proc/self/fd") - 1 with Sys_error _ -> 0 in
  { memory; live; descriptors }

let grown before after = after > before + max 1024 (before / 50)

(* What is free in the heap and in malloc's pages is given back in part only: it grows for some ten rounds. *)
let enough = 100

(* What is opened when it is first needed, and stays. *)
let opened_once = 3

let faults t =
  List.filter_map
    (fun (what, holds) -> if holds then Some what else None)
    [
      ("lost", t.lost > 0);
      ("memory", t.rounds >= enough && grown t.warm.memory t.last.memory);
      ("live words", grown t.warm.live t.last.live);
      ("descriptors", t.last.descriptors > t.warm.descriptors + opened_once);
    ]

let print t =
  Printf.printf
    "cell %s %d %d: %d rounds, %d operations, %d lost, %f s, %d %d KiB, %d %d live, %d %d descriptors\n%!"
    t.kind t.domains t.seed t.rounds t.operations t.lost t.stall t.warm.memory t.last.memory t.warm.live
    t.last.live t.warm.descriptors t.last.descriptors

let read line =
  Scanf.sscanf_opt line
    "cell %s %d %d: %d rounds, %d operations, %d lost, %f s, %d %d KiB, %d %d live, %d %d descriptors"
    (fun kind domains seed rounds operations lost stall memory memory' live live' descriptors descriptors' ->
      {
        kind;
        domains;
        seed;
        rounds;
        operations;
        lost;
        stall;
        warm = { memory; live; descriptors };
        last = { memory = memory'; live = live'; descriptors = descriptors' };
      })
