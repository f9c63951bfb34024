"""The engine of lists: columns, filter language, sorting, totals, export, view state. It knows no kind."""
