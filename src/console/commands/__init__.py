"""Engine of actions: guards, inputs, plans. It depends on no kind."""
