type tables = {
  kinds : (Category.t * string, int) Hashtbl.t;
  kind_list : Yojson.Safe.t Dynarray.t;
  arguments : int Event.Table.t;
  argument_list : Yojson.Safe.t Dynarray.t;
}

let tables () =
  {
    kinds = Hashtbl.create 64;
    kind_list = Dynarray.create ();
    arguments = Event.Table.create 256;
    argument_list = Dynarray.of_list [ `Assoc [] ];
  }

let kind t category name =
  match Hashtbl.find_opt t.kinds (category, name) with
  | Some number -> number
  | None ->
      let number = Dynarray.length t.kind_list in
      Hashtbl.add t.kinds (category, name) number;
      Dynarray.add_last t.kind_list (`List [ `String (Category.name category); `String name ]);
      number

let arguments t = function
  | [] -> 0
  | arguments -> (
      match Event.Table.find_opt t.arguments arguments with
      | Some number -> number
      | None ->
          let number = Dynarray.length t.argument_list in
          Event.Table.add t.arguments arguments number;
          Dynarray.add_last t.argument_list (`Assoc arguments);
          number)

(* {1 The lanes: four numbers for each event} *)

let lane tables data items =
  let before = ref 0 in
  let pack (item : Layout.item) =
    Packing.number data (item.start - !before);
    before := item.start;
    Packing.number data (item.stop - item.start);
    Packing.number data (kind tables item.category item.name);
    Packing.number data (arguments tables item.arguments)
  in
  Array.iter pack items;
  `Int (Array.length items)

let row tables data (row : Layout.row) : Yojson.Safe.t =
  let lanes = List.map (lane tables data) (Array.to_list row.lanes) in
  `Assoc
    [
      ("label", `String row.label);
      ("group", `String row.group);
      ("crowded", `Bool row.crowded);
      ("lanes", `List lanes);
    ]

(* Two numbers for each sample; values below zero become zero, others are rounded. *)
let series data (s : Trace.series) : Yojson.Safe.t =
  let before = ref 0 in
  let pack (time, x) =
    Packing.number data (time - !before);
    before := time;
    Packing.number data (if x > 0. && x < 4e18 then Float.to_int (Float.round x) else 0)
  in
  Array.iter pack s.samples;
  let value = if s.value = s.counter then "" else " (" ^ s.value ^ ")" in
  `Assoc
    [
      ("label", `String (s.counter ^ value)); ("id", `String s.id); ("samples", `Int (Array.length s.samples));
    ]

(* {1 The overview: what the workers did, in equal parts of the time} *)

let overview_bins = 400
let overview_states = [ Workers.Running; Collecting; Searching; Parked ]

let overview (a : Analysis.t) : Yojson.Safe.t =
  let duration = max 1 a.trace.duration in
  let of_state state =
    let bins = Array.make overview_bins 0. in
    let place time = float_of_int time *. float_of_int overview_bins /. float_of_int duration in
    let add (from, until, s) =
      if s = state then
        let from = place from and until = place until in
        for i = max 0 (Float.to_int from) to min (overview_bins - 1) (Float.to_int until) do
          let low = Float.max from (float_of_int i) and high = Float.min until (float_of_int (i + 1)) in
          if high > low then bins.(i) <- bins.(i) +. (high -. low)
        done
    in
    Array.iter (fun (w : Workers.t) -> Array.iter add w.segments) a.workers;
    `List (Array.to_list (Array.map (fun x -> `Float (Float.round (x *. 1000.) /. 1000.)) bins))
  in
  `Assoc (List.map (fun state -> (Workers.state_name state, of_state state)) overview_states)

let place_json (from, until) : Yojson.Safe.t = `List [ `Int from; `Int until ]

let diagnosis (d : Finding.t) : Yojson.Safe.t =
  `Assoc
    [
      ("kind", `String (Finding.kind_name d.kind));
      ("share", `Float d.share);
      ("text", `String d.text);
      ("advice", `String d.advice);
      ("place", match d.place with Some place -> place_json place | None -> `Null);
    ]

(* {1 The page} *)

(* Text from the trace must not contain "</script>", "<!--" or similar, nor line ends that JavaScript does
   not allow; so all of them are written as JSON escapes. *)
let embedded json =
  let text = Yojson.Safe.to_string ~std:true (Report_json.standard ~text:Weft_files.Foreign_text.line json) in
  let buffer = Buffer.create (String.length text) in
  let escape c =
    match c with
    | '<' | '>' | '&' -> Printf.bprintf buffer "\\u%04x" (Char.code c)
    | c -> Buffer.add_char buffer c
  in
  String.iter escape text;
  Buffer.contents buffer

(* Replaces each "@name@" of the page by the text in the list. *)
let fill page parts channel =
  let rec from i =
    match String.index_from_opt page i '@' with
    | None -> output_substring channel page i (String.length page - i)
    | Some at -> (
        output_substring channel page i (at - i);
        match String.index_from_opt page (at + 1) '@' with
        | Some stop when List.mem_assoc (String.sub page (at + 1) (stop - at - 1)) parts ->
            output_string channel (List.assoc (String.sub page (at + 1) (stop - at - 1)) parts);
            from (stop + 1)
        | _ ->
            output_char channel '@';
            from (at + 1))
  in
  from 0

let write ?show channel (a : Analysis.t) =
  let tables = tables () and data = Buffer.create 65536 in
  let rows = List.map (row tables data) (Layout.rows a.trace) in
  let series = List.map (series data) (Rates.shown a.trace) in
  let meta : Yojson.Safe.t =
    `Assoc
      [
        ("title", `String (Analysis.title a));
        ("duration", `Int a.trace.duration);
        ("workers", `Int (Array.length a.workers));
        ("events", `Int a.trace.events);
        ("lost", `Int a.losses.events);
        ("kinds", `List (Dynarray.to_list tables.kind_list));
        ("arguments", `List (Dynarray.to_list tables.argument_list));
        ("rows", `List rows);
        ("series", `List series);
        ("overview", overview a);
        ("diagnoses", `List (List.map diagnosis a.diagnoses));
        ("show", match show with Some place -> place_json place | None -> `Null);
      ]
  in
  fill Assets.page
    [
      ("style", Assets.style);
      ("meta", embedded meta);
      ("data", Packing.base64 data);
      ("script", Assets.script);
    ]
    channel
