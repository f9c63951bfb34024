"""The operations, one file per part of the contract."""
