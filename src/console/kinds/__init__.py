"""Kinds of records: a folder each, with its facts, columns and actions. `catalogue.KINDS` lists them."""
