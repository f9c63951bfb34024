"""How a record reads: columns, words, tones and the filter language. Pure functions; nothing here knows a terminal."""
