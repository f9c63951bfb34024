"""Engine of tables: columns, filter language, sorting, totals, export, view state. It depends on no kind."""
