(** Writes a folder with figures and the report, from files of results. *)

val report_name : string
(** ["report.html"]. *)

val charts : Run.t list -> Chart.t list
(** [charts runs] are all figures that can be drawn from [runs]; no two have the same file name. *)

type outcome = { figures : int; targets : Targets.judged list }

val plot : files:string list -> formats:Script.format list -> folder:string -> (outcome, string) result
(** [plot ~files ~formats ~folder] reads [files], draws their figures in each of [formats], and writes them
    and the report to [folder] (see {!Folder.fill}). [Error] is one line for the user; then [folder] is as it
    was. Must be called within {!Weft_bench_elastic.Processes.guarded}. *)
