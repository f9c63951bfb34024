"""Kinds of records, one folder each, with facts, columns and actions. `catalogue.KINDS` lists them."""
