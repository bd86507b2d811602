include Target

let all = Suite_targets.all @ Small_work_targets.all @ Elastic_targets.all @ Batch_targets.all
