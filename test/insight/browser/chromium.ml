module Json = Yojson.Safe
module Util = Json.Util

type t = {
  pid : int;
  profile : string;
  input : Unix.file_descr;
  output : Unix.file_descr;
  received : Buffer.t;
  mutable last : int;
  mutable session : string option;
  mutable loaded : bool;
  mutable errors : string list;
}

let names = [ "chromium"; "chromium-browser"; "google-chrome" ]

let find () =
  let folders = String.split_on_char ':' (Option.value ~default:"" (Sys.getenv_opt "PATH")) in
  let candidates = List.concat_map (fun name -> List.map (fun f -> Filename.concat f name) folders) names in
  List.find_opt
    (fun path ->
      try
        Unix.access path [ X_OK ];
        true
      with Unix.Unix_error _ -> false)
    candidates

(* {1 Messages}: JSON, each ended by a zero byte *)

let send t ?(parameters = []) name =
  t.last <- t.last + 1;
  let session = match t.session with Some id -> [ ("sessionId", `String id) ] | None -> [] in
  let message : Json.t =
    `Assoc ([ ("id", `Int t.last); ("method", `String name); ("params", `Assoc parameters) ] @ session)
  in
  let text = Json.to_string message ^ "\000" in
  let rec write from =
    if from < String.length text then
      write (from + Unix.write_substring t.input text from (String.length text - from))
  in
  write 0;
  t.last

let text_of path json =
  match List.fold_left (fun json key -> Util.member key json) json path with
  | `String s -> s
  | other -> Json.to_string other

let note t message =
  match Util.member "method" message with
  | `String "Page.loadEventFired" -> t.loaded <- true
  | `String "Runtime.exceptionThrown" ->
      t.errors <- text_of [ "params"; "exceptionDetails"; "exception"; "description" ] message :: t.errors
  | `String "Runtime.consoleAPICalled" when text_of [ "params"; "type" ] message = "error" ->
      t.errors <- text_of [ "params"; "args" ] message :: t.errors
  | _ -> ()

let rec receive t =
  let text = Buffer.contents t.received in
  match String.index_opt text '\000' with
  | Some stop ->
      Buffer.clear t.received;
      Buffer.add_substring t.received text (stop + 1) (String.length text - stop - 1);
      Json.from_string (String.sub text 0 stop)
  | None ->
      let bytes = Bytes.create 65536 in
      let n = Unix.read t.output bytes 0 65536 in
      if n = 0 then failwith "the browser has ended";
      Buffer.add_subbytes t.received bytes 0 n;
      receive t

let call t name parameters =
  let id = send t ~parameters name in
  let rec wait () =
    let message = receive t in
    if Util.member "id" message = `Int id then
      match Util.member "error" message with
      | `Null -> Util.member "result" message
      | error -> failwith (name ^ ": " ^ Json.to_string error)
    else (
      note t message;
      wait ())
  in
  wait ()

let wait_until t condition =
  while not (condition ()) do
    note t (receive t)
  done

(* {1 Start and end} *)

let remove_folder path = ignore (Sys.command ("rm -rf " ^ Filename.quote path) : int)

let start program =
  let profile = Filename.temp_dir "weft-chromium" "" in
  let their_input, input = Unix.pipe ~cloexec:true () and output, their_output = Unix.pipe ~cloexec:true () in
  let command =
    Printf.sprintf
      "exec %s --headless=new --no-sandbox --disable-gpu --hide-scrollbars --mute-audio --no-first-run \
       --disable-dev-shm-usage --disable-background-networking --disable-component-update \
       --force-color-profile=srgb --window-size=1280,800 --user-data-dir=%s --remote-debugging-pipe \
       about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1"
      (Filename.quote program) (Filename.quote profile)
  in
  let pid =
    Unix.create_process "/bin/sh" [| "/bin/sh"; "-c"; command |] their_input their_output Unix.stderr
  in
  Unix.close their_input;
  Unix.close their_output;
  let t =
    {
      pid;
      profile;
      input;
      output;
      received = Buffer.create 65536;
      last = 0;
      session = None;
      loaded = false;
      errors = [];
    }
  in
  let targets = Util.to_list (Util.member "targetInfos" (call t "Target.getTargets" [])) in
  let page = List.find (fun target -> Util.member "type" target = `String "page") targets in
  let attached =
    call t "Target.attachToTarget" [ ("targetId", Util.member "targetId" page); ("flatten", `Bool true) ]
  in
  t.session <- Some (Util.to_string (Util.member "sessionId" attached));
  List.iter (fun name -> ignore (call t name [] : Json.t)) [ "Page.enable"; "Runtime.enable" ];
  t

let stop t =
  t.session <- None;
  (try ignore (call t "Browser.close" [] : Json.t)
   with _ -> ( try Unix.kill t.pid Sys.sigkill with _ -> ()));
  ignore (Unix.waitpid [] t.pid : int * Unix.process_status);
  Unix.close t.input;
  Unix.close t.output;
  remove_folder t.profile

(* {1 Pages} *)

let run t name parameters = ignore (call t name parameters : Json.t)

let open_page t url =
  t.loaded <- false;
  run t "Page.navigate" [ ("url", `String url) ];
  wait_until t (fun () -> t.loaded)

let eval t expression =
  let result =
    call t "Runtime.evaluate"
      [ ("expression", `String expression); ("returnByValue", `Bool true); ("awaitPromise", `Bool true) ]
  in
  match Util.member "exceptionDetails" result with
  | `Null -> Util.member "value" (Util.member "result" result)
  | details -> failwith (expression ^ ": " ^ Json.to_string details)

let errors t =
  ignore (eval t "0" : Json.t);
  t.errors

let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

let from_base64 text =
  let buffer = Buffer.create (String.length text) and bits = ref 0 and held = ref 0 in
  let add c =
    match String.index_opt digits c with
    | None -> ()
    | Some value ->
        bits := (!bits lsl 6) lor value land 0xffffff;
        held := !held + 6;
        if !held >= 8 then (
          held := !held - 8;
          Buffer.add_char buffer (Char.chr ((!bits lsr !held) land 255)))
  in
  String.iter add text;
  Buffer.contents buffer

let screenshot t path =
  let result = call t "Page.captureScreenshot" [ ("format", `String "png") ] in
  let png = from_base64 (Util.to_string (Util.member "data" result)) in
  Out_channel.with_open_bin path (fun channel -> output_string channel png)

let size t ?(touch = false) ?(ratio = 1.) width height =
  run t "Emulation.setDeviceMetricsOverride"
    [
      ("width", `Int width);
      ("height", `Int height);
      ("deviceScaleFactor", `Float ratio);
      ("mobile", `Bool touch);
    ];
  run t "Emulation.setTouchEmulationEnabled" [ ("enabled", `Bool touch) ]

let dark t dark =
  let feature =
    [ ("name", `String "prefers-color-scheme"); ("value", `String (if dark then "dark" else "light")) ]
  in
  run t "Emulation.setEmulatedMedia" [ ("features", `List [ `Assoc feature ]) ]

(* {1 Input} *)

let key t name =
  let parameters kind =
    [ ("type", `String kind); ("key", `String name) ]
    @ if String.length name = 1 && kind = "keyDown" then [ ("text", `String name) ] else []
  in
  run t "Input.dispatchKeyEvent" (parameters "keyDown");
  run t "Input.dispatchKeyEvent" (parameters "keyUp")

let mouse t kind ?(more = []) (x, y) =
  run t "Input.dispatchMouseEvent" ([ ("type", `String kind); ("x", `Float x); ("y", `Float y) ] @ more)

let wheel t ~x ~y by = mouse t "mouseWheel" ~more:[ ("deltaX", `Float 0.); ("deltaY", `Float by) ] (x, y)

let button : (string * Json.t) list =
  [ ("button", `String "left"); ("buttons", `Int 1); ("clickCount", `Int 1) ]

let click t ~x ~y =
  mouse t "mousePressed" ~more:button (x, y);
  mouse t "mouseReleased" ~more:button (x, y)

let drag t ~from ~until =
  let (x, y), (x', y') = (from, until) in
  mouse t "mousePressed" ~more:button from;
  for i = 1 to 5 do
    let part = float_of_int i /. 5. in
    mouse t "mouseMoved" ~more:button (x +. (part *. (x' -. x)), y +. (part *. (y' -. y)))
  done;
  mouse t "mouseReleased" ~more:button until

let pinch t ~x ~y scale =
  let fingers distance : Json.t =
    let finger id x : Json.t = `Assoc [ ("x", `Float x); ("y", `Float y); ("id", `Int id) ] in
    `List [ finger 0 (x -. distance); finger 1 (x +. distance) ]
  in
  let touch kind points =
    run t "Input.dispatchTouchEvent" [ ("type", `String kind); ("touchPoints", points) ]
  in
  touch "touchStart" (fingers 40.);
  for i = 1 to 5 do
    touch "touchMove" (fingers (40. *. (1. +. (float_of_int i /. 5. *. (scale -. 1.)))))
  done;
  touch "touchEnd" (`List [])
