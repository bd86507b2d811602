type mode = Thief | Owner
type membarrier = Available | Missing of string

external setup : unit -> int = "weft_membarrier_setup" [@@noalloc]
external all_threads : unit -> unit = "weft_membarrier" [@@noalloc]
external full : unit -> unit = "weft_fence" [@@noalloc]

let membarrier =
  match setup () with
  | 0 -> Available
  | -1 -> Missing "not Linux, or a system without membarrier"
  | errno -> Missing (Printf.sprintf "the kernel refuses it (errno %d: old kernel, or a sandbox)" errno)

let mode, why =
  let ignored v why = Printf.eprintf "weft: WEFT_FENCE=%s is ignored: %s\n%!" v why in
  let by_default () =
    match membarrier with
    | Available -> (Thief, "membarrier works")
    | Missing why -> (Owner, "membarrier is missing: " ^ why)
  in
  match Sys.getenv_opt "WEFT_FENCE" with
  | None | Some "" -> by_default ()
  | Some "owner" -> (Owner, "WEFT_FENCE=owner")
  | Some "thief" -> (
      match membarrier with
      | Available -> (Thief, "WEFT_FENCE=thief")
      | Missing why ->
          ignored "thief" ("membarrier is missing: " ^ why);
          by_default ())
  | Some v ->
      ignored v "it must be 'owner' or 'thief'";
      by_default ()

let by_owner = mode = Owner
let[@inline] heavy () = if by_owner then full () else all_threads ()
