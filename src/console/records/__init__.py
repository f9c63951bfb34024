"""The resources of the contract as frozen, tolerant models. Start with `record.py`."""
