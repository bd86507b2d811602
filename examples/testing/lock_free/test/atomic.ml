include Weft_explore.Atomic
