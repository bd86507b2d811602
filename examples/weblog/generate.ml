let random = Weft.Random.make 2024
let one_of a random = a.(Weft.Random.int random (Array.length a))

(* 0 with probability one half, 1 with one quarter, and so on: a few things are popular. *)
let rec popular random n = if n <= 1 || Weft.Random.bool random then 0 else 1 + popular random (n - 1)
let users = [| "-"; "-"; "-"; "-"; "anna"; "bert" |]
let methods = [| "GET"; "GET"; "GET"; "GET"; "HEAD"; "POST" |]
let statuses = [| 200; 200; 200; 200; 200; 200; 200; 200; 206; 304; 304; 301; 404; 403; 500; 503 |]
let referrers = [| "-"; "-"; "https://example.org/"; "https://example.com/search?q=weft" |]

let agents =
  [|
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15";
    "curl/8.5.0";
    "An agent that says \\\"hello\\\"";
  |]

let directories = [| ""; "/blog"; "/static"; "/static/img"; "/api/v1"; "/doc"; "/doc/manual" |]

let path random =
  let file = popular random 40 in
  let file = if file = 0 then "/" else Printf.sprintf "/page%d.html" file in
  let query =
    if Weft.Random.int random 5 = 0 then Printf.sprintf "?id=%d" (Weft.Random.int random 1000) else ""
  in
  one_of directories random ^ file ^ query

let broken random =
  one_of
    [|
      "";
      "-";
      "\x16\x03\x01\x02\x00\xff";
      "198.51.100.1 - - [22/Nov/2024:10:15:32 +0000] \"GET /cut";
      "198.51.100.1 - - [22/Nov/2024:10:15:32 +0000] \"GET / HTTP/1.1\" 999 12";
    |]
    random

let line i =
  let random = Weft.Random.at random i in
  if Weft.Random.int random 1000 = 0 then broken random
  else
    let second = i / 20 in
    (* Drawn in this order, whatever the order of evaluation of arguments. *)
    let host = Weft.Random.int random 256 in
    let user = one_of users random in
    let method_ = one_of methods random in
    let path = path random in
    let status = one_of statuses random in
    let bytes = if status = 304 then "-" else string_of_int (Weft.Random.int random 50_000) in
    let referrer = one_of referrers random in
    let agent = one_of agents random in
    Printf.sprintf
      "203.0.113.%d - %s [%02d/Nov/2024:%02d:%02d:%02d +0000] \"%s %s HTTP/1.1\" %d %s \"%s\" \"%s\"" host
      user
      (1 + (second / 86_400 mod 30))
      (second / 3600 mod 24)
      (second / 60 mod 60)
      (second mod 60) method_ path status bytes referrer agent
