type mode = Thief | Owner
type membarrier = Available | Missing of string

external setup : unit -> int = "weft_membarrier_setup" [@@noalloc]
external total_store_order : unit -> bool = "weft_total_store_order" [@@noalloc]
external all_threads : unit -> unit = "weft_membarrier" [@@noalloc]
external full : unit -> unit = "weft_fence" [@@noalloc]

let membarrier =
  match setup () with
  | 0 -> Available
  | -1 -> Missing "not Linux, or a system without membarrier"
  | errno -> Missing (Printf.sprintf "the kernel refuses it (errno %d: old kernel, or a sandbox)" errno)

let thief_possible =
  match membarrier with
  | Missing why -> Error ("membarrier is missing: " ^ why)
  | Available when not (total_store_order ()) -> Error "this processor may reorder stores"
  | Available -> Ok ()

let mode, why =
  let ignored v why = Printf.eprintf "weft: WEFT_FENCE=%s is ignored: %s\n%!" (String.escaped v) why in
  let by_default () =
    match thief_possible with
    | Ok () -> (Thief, "membarrier works, and the processor keeps the order of stores")
    | Error why -> (Owner, why)
  in
  match (Sys.getenv_opt "WEFT_FENCE", thief_possible) with
  | (None | Some ""), _ -> by_default ()
  | Some "owner", _ -> (Owner, "WEFT_FENCE=owner")
  | Some "thief", Ok () -> (Thief, "WEFT_FENCE=thief")
  | Some "thief", Error why ->
      ignored "thief" why;
      by_default ()
  | Some v, _ ->
      ignored v "it must be 'owner' or 'thief'";
      by_default ()

let by_owner = mode = Owner
let[@inline] heavy () = if by_owner then full () else all_threads ()
