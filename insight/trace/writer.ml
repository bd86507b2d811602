type format = Json | Fuchsia

let formats = [ ("json", Json); ("fuchsia", Fuchsia) ]
let extension = function Json -> ".json" | Fuchsia -> ".fxt"

type encoder = { encode : Event.t -> unit; conclude : Event.about -> unit }

module Whole_file = Weft_files.Whole_file

type t = {
  file : Whole_file.writing;
  text : Buffer.t;
  encoder : encoder;
  recent : Recent.t option;
  mutable kept : int;
}

let encoder format text ~began ~pid =
  match format with
  | Json ->
      let c = Chrome.create text ~began ~pid in
      { encode = Chrome.event c; conclude = Chrome.finish c }
  | Fuchsia ->
      let f = Fuchsia.create text ~began ~pid in
      { encode = Fuchsia.event f; conclude = Fuchsia.finish f }

let create file format ?last ~began ~pid () =
  let text = Buffer.create 200_000 in
  let recent = Option.map (fun seconds -> Recent.create ~seconds) last in
  { file; text; encoder = encoder format text ~began ~pid; recent; kept = 0 }

let full = 100_000

let flush t =
  Buffer.output_buffer (Whole_file.channel t.file) t.text;
  Buffer.clear t.text

let kept t = t.kept

let put t event =
  t.encoder.encode event;
  t.kept <- t.kept + 1;
  if Buffer.length t.text > full then flush t

let event t event = match t.recent with None -> put t event | Some recent -> Recent.add recent event

let finish t about ~last_time =
  Option.iter (fun recent -> Recent.close recent ~until:last_time (put t)) t.recent;
  t.encoder.conclude { about with Event.events = t.kept };
  flush t

let abandon t = Option.iter Recent.abandon t.recent
