let () =
  Alcotest.run "weft"
    [
      ("fork-join", Fork_join.tests);
      ("promises", Promises.tests);
      ("failures", Failures.tests);
      ("silence", Silence.tests);
      ("pools", Pools.tests);
      ("elastic", Elastic.tests);
      ("retirements", Retirements.tests);
      ("minor heaps", Minor_heaps.tests);
      ("interruptions", Interruptions.tests);
      ("outside", Outside.tests);
      ("garbage", Garbage.tests);
      ("programs", Programs.tests);
      ("loops", Loops.tests);
      ("searches", Searches.tests);
      ("reductions", Reductions.tests);
      ("wide ranges", Wide_ranges.tests);
      ("costs", Costs.tests);
      ("absurd arguments", Absurd_sizes.tests);
      ("arrays", Arrays.tests @ Array_calls.tests);
      ("floatarrays", Floatarrays.tests);
      ("pipelines", Pipelines.tests);
      ("lists", Lists.tests);
      ("bigarrays", Bigarrays.tests);
      ("random", Randoms.tests);
      ("seq", Seqs.tests);
      ("sorting", Sorting.tests @ Stopped_in_place.tests);
      ("locals", Locals.tests);
      ("locks", Locks.tests @ Conditions.tests @ Semaphores.tests @ Rwlocks.tests);
      ("lock cancels", Lock_cancels.tests);
      ("lock models", Lock_models.tests);
      ("scopes", Scopes.tests @ Scope_failures.tests @ Scope_uses.tests);
      ("random scopes", Random_scopes.tests);
      ("ways out", Ways_out.tests);
      ("cancels", Cancels.tests @ Time_outs.tests @ Cancel_races.tests);
      ("sleeps", Sleeps.tests);
      ("limits", Limits.tests);
      ("chans", Chans.tests @ Chan_ends.tests @ Chan_models.tests);
      ("chan cancels", Chan_cancels.tests);
      ("selects", Selects.tests);
      ("races", Races.tests);
      ("sync", Barriers.tests @ Latches.tests @ Ivars.tests @ Mvars.tests @ Onces.tests);
      ("waits that end early", Sync_ends.tests);
      ("models", Sync_models.tests);
      ("foreign", Foreign.tests);
      ("blocking", Blockings.tests @ Blocking_ends.tests);
    ]
