"""The screens, one file each; `catalogue.py` names them."""
